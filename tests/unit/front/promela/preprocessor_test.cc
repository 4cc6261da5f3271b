// Macros, conditions and included files.
#include "front/promela/text/preprocessor.h"

#include <doctest/doctest.h>

#include <string>

#include "promela_parsed.h"

using namespace xmc;

namespace preprocessor_test {

using test::tokens_of;

TEST_CASE("macros without parameters are texts") {
  CHECK(tokens_of("#define N 3\nbyte x = N;") == "byte x = 3 ;");
  CHECK(tokens_of("#define A B\n#define B 7\nA") == "7");
  CHECK(tokens_of("#define A A + 1\nA A") == "A + 1 A + 1");
  CHECK(tokens_of("#define A B x\n#define B A y\nA B") == "A y x B x y");
  CHECK(tokens_of("#define E\nE a E b E") == "a b");
  CHECK(tokens_of("#define N 3\n#undef N\nN") == "N");
  CHECK(tokens_of("#define N 3\n#define N 4\nN") == "4");
  CHECK(tokens_of("#define printf skip\nprintf") == "skip");
}

TEST_CASE("macros with parameters") {
  CHECK(tokens_of("#define inc(v) v = v + 1\ninc(a[0])") == "a [ 0 ] = a [ 0 ] + 1");
  CHECK(tokens_of("#define F(a,b) b a\nF((1,2), x y)") == "x y ( 1 , 2 )");
  CHECK(tokens_of("#define F(a) [a]\nF(F(x))") == "[ [ x ] ]");
  CHECK(tokens_of("#define F(a) G(a\n#define G(a) <a>\nF(x))") == "< x >");
  CHECK(tokens_of("#define F() z\nF() F ( ) F") == "z z F");
  CHECK(tokens_of("#define F (a) a\nF") == "( a ) a");
  CHECK(tokens_of("#define F(a) a\nF()x") == "x");
  CHECK(tokens_of("#define F(a) \\\n  a; \\\n  a\nF(x)") == "x ; x");
}

TEST_CASE("joining and quoting") {
  CHECK(tokens_of("#define J(a,b) a##b\nJ(x, 1) J(1, 2) J(<, =) J(x,)") == "x1 12 <= x");
  CHECK(tokens_of("#define N 3\n#define J(a,b) a##b\nJ(N, N)") == "NN");
  CHECK(tokens_of("#define Q(a) #a\nQ(x + \"y\\n\")") == R"("x + \"y\\n\"")");
  CHECK(tokens_of("#define J(a,b) a##b\nJ(+, x)").find("'##' makes '+x'") != std::string::npos);
  CHECK(tokens_of("#define J(a) ## a\nJ(x)").find("'##' joins two") != std::string::npos);
}

TEST_CASE("texts and comments hide macros") {
  CHECK(tokens_of("#define N 3\n\"N\" 'N' /* N */ N // N\n N") == "\"N\" 'N' 3 3");
  CHECK(tokens_of("// a \\\n b\nc") == "c");
  CHECK(tokens_of("a /* x\n y */ b") == "a b");
}

TEST_CASE("conditions choose lines") {
  CHECK(tokens_of("#if 1\na\n#else\nb\n#endif\nc") == "a c");
  CHECK(tokens_of("#if 0\na\n#elif 1\nb\n#elif 1\nd\n#else\nc\n#endif") == "b");
  CHECK(tokens_of("#if 1\na\n#elif 1\nb\n#else\nc\n#endif") == "a");
  CHECK(tokens_of("#ifdef X\na\n#endif\n#ifndef X\nb\n#endif") == "b");
  CHECK(tokens_of("#if 0\n#if 1\na\n#else\nb\n#endif\n#endif\nc") == "c");
  CHECK(tokens_of("#if 0\ndon't # \"\n#endif\nc") == "c");
  CHECK(tokens_of("#define N 3\n#if defined N && defined(N) && !defined M\na\n#endif") == "a");
}

TEST_CASE("conditions compute as C does") {
  const auto value = [](const std::string& text) {
    return tokens_of("#define N 3\n#define F(a) (a + 1)\n#if " + text + "\ny\n#else\nn\n#endif");
  };
  for (const char* yes : {"N == 3", "2 + 3 * 4 == 14", "(2 + 3) * 4 == 20", "-1 < 0", "!UNKNOWN",
                          "~0 == -1", "7 / 2 == 3 && 7 % 2 == 1", "1 << 3 == 8", "0x10 == 16",
                          "010 == 8", "1 || 1 / 0", "F(2) == N", "'a' == 97", "5 > 3 > 0", "1L",
                          "(1 ^ 3) == 2", "(6 & 3 | 8) == 10", "3 >= N && N <= 3 && N != 4"}) {
    CAPTURE(yes);
    CHECK(value(yes) == "y");
  }
  CHECK(value("N - 3") == "n");
  CHECK(value("1 +").find("ends here too early") != std::string::npos);
  CHECK(value("(1").find("expected ')'") != std::string::npos);
  CHECK(value("1 2").find("does not continue") != std::string::npos);
  CHECK(value("").find("ends here too early") != std::string::npos);
}

TEST_CASE("files are included beside the file that names them") {
  CHECK(tokens_of("#include \"one.h\"\nTWO") == "byte one ; byte two 22");
  CHECK(tokens_of("#include \"none.h\"\n").find("'folder/none.h' cannot be read") !=
        std::string::npos);
  CHECK(tokens_of("#include <one.h>\n").find("a file in quotes") != std::string::npos);
  CHECK(tokens_of("#include \"self.h\"\n").find("more than 16 deep") != std::string::npos);
  CHECK(tokens_of("#include \"open.h\"\n#endif").find("has no #endif") != std::string::npos);
}

TEST_CASE("a mistake in an included file is shown there") {
  const test::ParsedPromela parsed("#include \"wrong.h\"\ninit { skip }");
  CHECK(parsed.says("folder/wrong.h:2:6: error: 'x' is already the name of a variable"));
  CHECK(parsed.says("folder/wrong.h:1:6: note: 'x' is declared here"));
}

TEST_CASE("definitions from outside") {
  CHECK(tokens_of("N M", {{"N", "3 + 1"}, {"M", ""}}) == "3 + 1 1");
  CHECK(tokens_of("#ifdef N\nyes\n#endif", {{"N", ""}}) == "yes");
  CHECK(tokens_of("x", {{"1a", "3"}}).find("a name is expected") != std::string::npos);
}

TEST_CASE("directives that say something or nothing") {
  CHECK(tokens_of("#error not so\n").find("#error not so") != std::string::npos);
  CHECK(tokens_of("#line 3 \"f\"\n# 4 \"g\"\n#\n#pragma x\na") == "a");
  CHECK(tokens_of("#what\n").find("unknown directive '#what'") != std::string::npos);
  CHECK(tokens_of("#else\n").find("there is no #if") != std::string::npos);
  CHECK(tokens_of("#if 1\n#else\n#else\n#endif").find("#else stands before") != std::string::npos);
  CHECK(tokens_of("#if 1\n").find("has no #endif") != std::string::npos);
  const test::ParsedPromela warned("#warning look\ninit { skip }");
  CHECK(warned.ok());
  CHECK(warned.says("#warning look"));
}

TEST_CASE("mistakes of macros are reported where they are used") {
  const test::ParsedPromela use("#define W x = \\\n  undeclared\nbyte x;\ninit {\n  W }");
  CHECK(use.says("test.pml:5:3: error: unknown name 'undeclared'"));
  CHECK(tokens_of("#define F(a) a\nF(1, 2)").find("has 1 parameter and gets 2") !=
        std::string::npos);
  CHECK(tokens_of("#define F(a) a\nF(1").find("have no end") != std::string::npos);
  CHECK(tokens_of("#define F(1) a\n").find("are names between commas") != std::string::npos);
  CHECK(tokens_of("#define 1\n").find("#define needs a name") != std::string::npos);
}

TEST_CASE("what macros can do is bounded") {
  std::string text = "#define A0 x x\n";
  std::string empty = "#define A0\n";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "A" + std::to_string(i - 1);
    const std::string line = "#define A" + std::to_string(i) + " " + before + " " + before + "\n";
    text += line;
    empty += line;
  }
  CHECK(tokens_of(text + "A39").find("error: more than") != std::string::npos);
  CHECK(tokens_of(empty + "A39").find("error: more than") != std::string::npos);
  std::string nested = "x";
  for (int i = 0; i < 100; ++i) nested = "F(" + nested + ")";
  CHECK(tokens_of("#define F(a) a\n" + nested).find("arguments of one another") !=
        std::string::npos);
  std::string open;
  for (int i = 0; i < 100; ++i) open += "#if 1\n";
  CHECK(tokens_of(open).find("deeper than 64") != std::string::npos);
}

TEST_CASE("the end of a line is a semicolon where a statement can end") {
  const auto body = [](const std::string& text) {
    return tokens_of("init {" + text + "}").substr(7);
  };
  CHECK(body("x = 1\ny") == "x = 1 ;; y }");
  CHECK(body("x++\ny--\nod\nfi\n") == "x ++ ;; y -- ;; od ;; fi ;; }");
  CHECK(body("x =\n1") == "x = 1 }");
  CHECK(body("f(a,\nb)\nc") == "f ( a , b ) ;; c }");
  CHECK(body("a ->\nb;\nc") == "a -> b ; c }");
  CHECK(body("{ x }\nunless { y }") == "{ x } unless { y } }");
  CHECK(body("{ x }\n\ny") == "{ x } ;; y }");
  CHECK(body("else\n:: break\n") == "else ;; :: break ;; }");
  CHECK(body("skip\n'a'\na[1]\n") == "skip ;; 'a' ;; a [ 1 ] ;; }");
  CHECK(body("chan c = [1] of {\nbyte,\nT\n}\nd") == "chan c = [ 1 ] of { byte , T } ;; d }");
}

TEST_CASE("no semicolons outside bodies") {
  CHECK(tokens_of("byte x\nbyte y\nproctype P()\n{ skip }\n") ==
        "byte x byte y proctype P ( ) { skip }");
  CHECK(tokens_of("mtype = {\na\nb\n}\nltl p {\nx\n}\n") == "mtype = { a b } ltl p { x }");
  CHECK(tokens_of("typedef T {\nbyte a\nbyte b\n}") == "typedef T { byte a ;; byte b ;; }");
}

TEST_CASE("a macro call over several lines is one line, and an empty one keeps its line end") {
  CHECK(tokens_of("#define F(a,b) a b\ninit { F(x =,\n1)\ny }") == "init { x = 1 ;; y }");
  CHECK(tokens_of("#define E\ninit { x\nE y }") == "init { x ;; y }");
}

}  // namespace preprocessor_test
