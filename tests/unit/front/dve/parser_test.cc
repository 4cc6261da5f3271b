// The whole of a model: the outermost level, limits, memory.
#include "front/dve/dve_parser.h"

#include <doctest/doctest.h>

#include <string>

#include "parsed.h"
#include "xmc/limits.h"

using namespace xmc;

namespace parser_test {

using test::Parsed;

namespace {

constexpr std::string_view kProcess = "process P { state q; init q; trans q -> q {}; }\n";

std::string with_process(std::string_view rest) {
  return std::string(kProcess) + std::string(rest);
}

}  // namespace

TEST_CASE("the smallest model") {
  const Parsed p("process P{state q;init q;}system async;");
  CHECK(p.ok());
  CHECK(p.system.property == kNone);
  CHECK(p.system.processes.size() == 1);
  CHECK(p.messages.empty());
}

TEST_CASE("the system line") {
  CHECK(Parsed(with_process("system sync;")).says("synchronous systems are not supported"));
  CHECK(Parsed(with_process("system sync;")).errors() == 1);
  CHECK(Parsed(with_process("system;")).says("expected 'async' before ';'"));
  CHECK(Parsed(with_process("system async property Z;")).says("unknown process 'Z'"));
  CHECK(Parsed(with_process("system async property;"))
            .says("expected the name of a process before ';'"));
  CHECK(Parsed(with_process("system async")).says("expected ';', but the text ends here"));
  CHECK(Parsed(with_process("system async; byte x;")).says("the system line must be the last one"));
  CHECK(Parsed(with_process("")).says("expected 'system async;', but the text ends here"));
  CHECK(Parsed("system async;").says("a model needs at least one process"));
  CHECK(Parsed("byte x; system async property x;").says("'x' is a variable, not a process"));
}

TEST_CASE("an empty text is one error") {
  for (const char* text : {"", " \n", "// nothing"}) {
    const Parsed p(text);
    CHECK(p.errors() == 1);
    CHECK(p.status.code() == Code::model);
    CHECK(p.says("expected a process, but the text ends here"));
  }
}

TEST_CASE("declarations come before processes") {
  const Parsed p(with_process(
      "byte x; process Q { state q; init q; trans q -> q { guard x; }; } system async;"));
  CHECK(p.errors() == 1);
  CHECK(p.says("must be declared before the first process"));
}

TEST_CASE("strange words at the outermost level are one error each") {
  CHECK(Parsed(with_process("system async;").insert(0, "bool b, c; "))
            .says("'bool' is not a type of DVE; use 'byte'"));
  CHECK(Parsed("bool b, c; " + with_process("system async;")).errors() == 1);
  CHECK(Parsed(with_process("} } junk ; } system async;")).errors() == 1);
  CHECK(Parsed("process { state q; } " + with_process("system async;")).errors() == 1);
}

TEST_CASE("a text that ends anywhere is one error, never a crash") {
  const std::string model =
      "const byte K = 3; byte x = (K), a[2] = {1, 2}; channel c; channel {byte, int} t[2];\n"
      "process P { byte l; state q, r; init q; commit r; accept q; assert q: not x == 1;\n"
      "trans q -> r { guard P.q and a[x] < -1; sync c!{x, 1}; effect x = x + 1, l = 2; }, -> q {}; "
      "}\n"
      "/* end */ system async;";
  REQUIRE(Parsed(model).ok());
  for (std::size_t cut = 0; cut < model.size(); ++cut) {
    const Parsed p(model.substr(0, cut), std::size_t{2} << 20);
    CHECK_FALSE(p.ok());
    CAPTURE(p.messages);
    // A name cut short is unknown, and a comment cut short is an error of its own.
    CHECK(p.errors() <= 3);
  }
}

TEST_CASE("removing any one byte never breaks the parser") {
  const std::string model =
      "byte x, a[2]; channel c;\nprocess P { state q, r; init q;\n"
      "trans q -> r { guard x < 1; sync c!x; effect a[1] = 1; }, -> q { sync c?x; }; }\nsystem "
      "async;";
  for (std::size_t i = 0; i < model.size(); ++i) {
    const Parsed p(std::string(model).erase(i, 1), std::size_t{2} << 20);
    CAPTURE(p.messages);
    CHECK(p.errors() <= 6);
  }
}

TEST_CASE("at most so many processes") {
  std::string text;
  for (u32 i = 0; i <= limits::kProcesses; ++i) {
    text += "process P" + std::to_string(i) + " { state q; init q; }\n";
  }
  const Parsed p(text + "system async;");
  CHECK(p.says("more than 1024 processes"));
  CHECK(p.errors() == 1);
}

TEST_CASE("at most so many states in a process") {
  std::string text = "process P { state s0";
  for (u32 i = 1; i < limits::kLocations; ++i) text += ",s" + std::to_string(i);
  CHECK(Parsed(text + "; init s0; } system async;").ok());
  const Parsed p(text + ",more; init s0; } system async;");
  CHECK(p.says("more than 65535 states in one process"));
  CHECK(p.errors() == 1);
}

TEST_CASE("a full pool is an error with a place and the number") {
  std::string text = "process P { state q; init q; trans q->q{}";
  const u64 capacity = decltype(dve::System::transitions)::capacity();
  for (u64 i = 0; i < capacity; ++i) text += ",->q{}";
  const Parsed p(text + "; } system async;", std::size_t{64} << 20);
  CHECK(p.says("more than 524288 transitions; the model is too large"));
  CHECK(p.errors() == 1);
  std::string variables;
  for (u32 i = 0; i < 300; ++i) variables += "int a" + std::to_string(i) + "[4096];";
  const Parsed v(variables + with_process("system async;"), std::size_t{64} << 20);
  CHECK(v.says("more than 1048576 array elements"));
  CHECK(v.errors() == 1);
}

TEST_CASE("a repetitive text of two megabytes needs little memory") {
  std::string text = "byte v[14], t, m, n[14];\nprocess P { byte i; state q; init q; trans\n";
  std::string term = "(v[0] == 1)";
  for (u32 i = 1; i < 14; ++i) {
    term += " and ((n[" + std::to_string(i) + "] - t >= m) or (v[" + std::to_string(i) + "] == 0))";
  }
  u32 count = 0;
  while (text.size() < 1900000) {
    text += "q -> q { guard (i == " + std::to_string(count++ % 50) + ") and (";
    for (u32 k = 0; k < 10; ++k) text += (k == 0 ? "(" : " or (") + term + ")";
    text += "); effect i = i + 1; },\n";
  }
  const Parsed p(text + "q -> q {}; }\nsystem async;");
  CHECK(p.ok());
  CHECK(p.arena.peak_bytes() < (u64{2} << 20));
  CHECK(p.system.expressions.size() < 2000);
}

}  // namespace parser_test
