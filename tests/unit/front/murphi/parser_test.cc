// The whole: recovery, limits, and expressions from outside the text.
#include "front/murphi/parser.h"

#include <doctest/doctest.h>

#include <string>

#include "murphi_parsed.h"

using namespace xmc;

namespace parser_test {

using test::ParsedMurphi;

namespace {

// An expression of the command line over the declarations of the tests.
struct Outside {
  explicit Outside(std::string_view expression)
      : model(test::with_rule("rule begin end;")),
        text(expression),
        source{"--invariant", text.view()},
        diagnostics(source, test::collect, &messages),
        result(murphi::parse_expression(source, diagnostics, model.arena, model.dialect,
                                        model.system)) {}
  std::string tree() const {
    return result.ok() ? test::print(model.system, result.value()) : messages;
  }
  bool says(std::string_view what) const { return messages.find(what) != std::string::npos; }

  ParsedMurphi model;
  test::ExactText text;
  Source source;
  std::string messages;
  Diagnostics diagnostics;
  Result<murphi::ExprId> result;
};

}  // namespace

TEST_CASE("expressions from outside see the outermost names") {
  CHECK(Outside("x < K & forall k: s do n[k] != A end").tree() ==
        "((x < 5) & all k ((n[k] != A)))");
  CHECK(Outside("F(x) = 1").tree() == "(F(x) = 1)");
  CHECK(Outside("nix = 1").says("--invariant:1:1: error: unknown name 'nix'"));
  CHECK(Outside("X = 1").says("unknown name 'X'"));
  CHECK_FALSE(Outside("X = 1").says("note"));
  CHECK(Outside("x").says("this expression must be boolean"));
  CHECK(Outside("p q").says("1:3: error: this does not continue the expression"));
  CHECK(Outside("").says("expected an expression, but the text ends here"));
  CHECK(Outside("t = 1").says("'t' is a type, not a value"));
}

TEST_CASE("keywords and identifiers in any case") {
  CHECK(ParsedMurphi("VAR x: 0..1; X: 0..1; StartState BEGIN x := 0; X := 1; END; Rule True ==> "
                     "Begin x := 1 - x; EndRule;")
            .ok());
}

TEST_CASE("a stray word is one mistake") {
  const ParsedMurphi p("nonsense here; var x: boolean; startstate begin end; rule begin end;");
  CHECK(p.says("1:1: error: expected a declaration, a rule, a startstate or a property"));
  CHECK(p.errors() == 1);
}

TEST_CASE("the end of the text comes anywhere") {
  const std::string whole = test::with_rule(
      "ruleset k: t do rule \"n\" forall l: s do n[l] = A end ==> var h: r; begin if p then a[k] "
      ":= "
      "h; else switch c case A: x := F(1); end; end; for f: t do x := f; end; end; end;");
  REQUIRE(ParsedMurphi(whole).ok());
  u32 refused = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const ParsedMurphi part(std::string_view(whole).substr(0, i), murphi::Dialect::cmurphi,
                            std::size_t{1} << 20);
    CHECK(part.ok() == (part.errors() == 0));
    refused += !part.ok();
  }
  CHECK(refused > whole.size() - 4);
}

TEST_CASE("a limit that is reached ends the parse with its number") {
  std::string many = "var ";
  for (u32 i = 0; i < 65540; ++i) many += "v" + std::to_string(i) + ": boolean; ";
  const ParsedMurphi variables(many, murphi::Dialect::cmurphi, std::size_t{32} << 20);
  CHECK(variables.says("error: more than 65536 variables; the model is too large"));
  CHECK(variables.errors() == 1);
  const ParsedMurphi leaves("var a, b: array [1..600000] of boolean; startstate begin end;");
  CHECK(leaves.says("1:8: error: more than 1048576 simple values in the state"));
  CHECK(leaves.errors() == 1);
  const ParsedMurphi locals(
      "startstate var a, b: array [1..600000] of boolean; begin end; rule begin end;");
  CHECK(locals.says("more than 1048576 simple values in local variables"));
}

TEST_CASE("too long a text is refused before it is read") {
  const std::string_view text("x", std::size_t{1} << 30);
  std::vector<u8> region(std::size_t{1} << 20);
  Arena arena(region);
  std::string messages;
  const Source source{"long.m", text};
  Diagnostics diagnostics(source, test::collect, &messages);
  murphi::System system(arena);
  const Status status = murphi::parse(source, diagnostics, arena, murphi::Dialect::cmurphi, system);
  CHECK(status.code() == Code::model);
  CHECK(status.message().find("at most 268435456 are read") != std::string_view::npos);
}

}  // namespace parser_test
