#include "front/murphi/lexer.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "messages.h"
#include "murphi_parsed.h"

using namespace xmc;

namespace lexer_test {

using murphi::Dialect;
using murphi::Tok;

namespace {

struct Lexed {
  explicit Lexed(std::string_view input, Dialect dialect = Dialect::cmurphi)
      : text(input),
        source{"test.m", text.view()},
        diagnostics(source, test::collect, &messages),
        lexer(source, diagnostics, dialect) {
    for (murphi::Token token = lexer.next(); token.kind != Tok::end; token = lexer.next()) {
      tokens.push_back(token);
    }
  }
  std::vector<Tok> kinds() const {
    std::vector<Tok> out;
    for (const murphi::Token& token : tokens) out.push_back(token.kind);
    return out;
  }
  std::string spelling(std::size_t i) const { return std::string(lexer.text(tokens[i])); }
  bool says(std::string_view what) const { return messages.find(what) != std::string::npos; }

  test::ExactText text;
  Source source;
  std::string messages;
  Diagnostics diagnostics;
  murphi::Lexer lexer;
  std::vector<murphi::Token> tokens;
};

using Kinds = std::vector<Tok>;

}  // namespace

TEST_CASE("keywords are recognised in any case, names keep theirs") {
  const Lexed l("RuleSet ENDRULESET BooLean true Rules rule_ choose assume");
  CHECK(l.kinds() == Kinds{Tok::kw_ruleset, Tok::kw_endruleset, Tok::kw_boolean, Tok::kw_true,
                           Tok::name, Tok::name, Tok::name, Tok::name});
  CHECK(l.messages.empty());
  CHECK(murphi::same_word("MultiSet", "multiset"));
  CHECK_FALSE(murphi::same_word("multisets", "multiset"));
}

TEST_CASE("the longest mark wins") {
  const Lexed l("a==>b=>=1..3:=->-<<=<==&&&|||!=!");
  CHECK(l.kinds() == Kinds{Tok::name,          Tok::guard_arrow, Tok::name,    Tok::equal,
                           Tok::greater_equal, Tok::number,      Tok::dot_dot, Tok::number,
                           Tok::assign,        Tok::arrow,       Tok::minus,   Tok::shift_left,
                           Tok::equal,         Tok::less_equal,  Tok::equal,   Tok::and_and,
                           Tok::ampersand,     Tok::or_or,       Tok::bar,     Tok::not_equal,
                           Tok::exclamation});
}

TEST_CASE("signs of mathematics mean the same as their ASCII spellings") {
  const Lexed l("∀ ∃ ≔ ≤ ≥ ≠ → ⇒ ¬ ∧ ∨ − × ÷ ∕");
  CHECK(l.kinds() == Kinds{Tok::kw_forall, Tok::kw_exists, Tok::assign, Tok::less_equal,
                           Tok::greater_equal, Tok::not_equal, Tok::arrow, Tok::guard_arrow,
                           Tok::exclamation, Tok::and_and, Tok::or_or, Tok::minus, Tok::star,
                           Tok::slash, Tok::slash});
}

TEST_CASE("comments, and bytes in them") {
  const Lexed l("a -- \xFF b\nc /* d \xFE\n * / */ e a--1\n");
  CHECK(l.kinds() == Kinds{Tok::name, Tok::name, Tok::name, Tok::name});
  CHECK(l.tokens[2].line == 3);
  CHECK(l.messages.empty());
  CHECK(Lexed("x /* y").says("1:3: error: this comment has no end"));
}

TEST_CASE("numbers of all bases") {
  CHECK(Lexed("10 0x1F 007").tokens[1].value == 31);
  CHECK(Lexed("010").tokens[0].value == 10);
  CHECK(Lexed("010", Dialect::rumur).tokens[0].value == 8);
  CHECK(Lexed("0").tokens[0].value == 0);
  CHECK(Lexed("9223372036854775807").tokens[0].value == 9223372036854775807);
  CHECK(Lexed("9223372036854775808").says("does not fit 64 bits"));
  CHECK(Lexed("099", Dialect::rumur).says("is octal in this dialect"));
  CHECK(Lexed("1.5").says("1:1: error: real numbers are not supported"));
  CHECK(Lexed("1..5").kinds() == Kinds{Tok::number, Tok::dot_dot, Tok::number});
  CHECK(Lexed("0xg").kinds() == Kinds{Tok::number, Tok::name});
}

TEST_CASE("strings lose their quotes, whichever they are") {
  const Lexed l("\"a b\" “c”");
  REQUIRE(l.kinds() == Kinds{Tok::string, Tok::string});
  CHECK(l.lexer.string_of(l.tokens[0]) == "a b");
  CHECK(l.lexer.string_of(l.tokens[1]) == "c");
  CHECK(Lexed("\"a\nb\"").says("1:1: error: this text has no closing quote on its line"));
  // A backslash protects a quote for rumur only.
  CHECK(Lexed(R"("a\")").messages.empty());
  CHECK(Lexed(R"("a\")", Dialect::rumur).says("no closing quote"));
  CHECK(Lexed(R"("a\\")", Dialect::rumur).messages.empty());
  CHECK(Lexed(R"("a\"b")", Dialect::rumur).kinds() == Kinds{Tok::string});
}

TEST_CASE("bytes that start no token are reported once") {
  CHECK(Lexed("a \x01\x02\x03 b").says("1:3: error: byte 0x01 outside a comment or string"));
  CHECK(Lexed("a @@ b").says("'@' has no meaning here"));
  CHECK(Lexed("_x := 1").says("a name begins with a letter, not with '_'"));
  CHECK(Lexed("\xEF\xBB\xBFrule").kinds() == Kinds{Tok::kw_rule});
  CHECK(Lexed(std::string(300, 'n')).says("a name of 300 characters; at most 255 are allowed"));
  CHECK(Lexed("a\r\n\fb\vc").kinds() == Kinds{Tok::name, Tok::name, Tok::name});
}

}  // namespace lexer_test
