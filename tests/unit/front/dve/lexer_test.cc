#include "front/dve/lexer.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "parsed.h"

using namespace xmc;

namespace lexer_test {

using dve::Tok;

namespace {

struct Tokens {
  explicit Tokens(std::string_view input)
      : text(input), source{"t", text.view()}, diagnostics(source, test::collect, &messages) {
    dve::Lexer lexer(source, diagnostics);
    for (;;) {
      const dve::Token token = lexer.next();
      if (token.kind == Tok::end) break;
      kinds.push_back(token.kind);
      words.emplace_back(lexer.text(token));
      tokens.push_back(token);
    }
    CHECK(lexer.next().kind == Tok::end);
  }
  test::ExactText text;
  Source source;
  std::string messages;
  Diagnostics diagnostics;
  std::vector<Tok> kinds;
  std::vector<std::string> words;
  std::vector<dve::Token> tokens;
};

using Words = std::vector<std::string>;
using Kinds = std::vector<Tok>;

}  // namespace

TEST_CASE("names, keywords and numbers") {
  const Tokens t("process P_1 a$b#c _ true processes 007 2147483647");
  CHECK(t.kinds == Kinds{Tok::kw_process, Tok::name, Tok::name, Tok::name, Tok::kw_true, Tok::name,
                         Tok::number, Tok::number});
  CHECK(t.words[2] == "a$b#c");
  CHECK(t.tokens[6].value == 7);
  CHECK(t.tokens[7].value == 2147483647);
  CHECK(t.diagnostics.error_count() == 0);
}

TEST_CASE("every keyword is one") {
  const Tokens t(
      "accept and assert async buchi byte channel commit const effect false genbuchi guard imply "
      "init int "
      "muller not or process property rabin state streett sync system trans true");
  REQUIRE(t.kinds.size() == 28);
  for (u32 i = 0; i < 28; ++i) {
    CHECK(static_cast<u32>(t.kinds[i]) == static_cast<u32>(Tok::kw_accept) + i);
  }
  CHECK(Tokens("bool Process INT").kinds == Kinds{Tok::name, Tok::name, Tok::name});
}

TEST_CASE("the longest mark wins") {
  const Tokens t("->=><<>>||&&<=>===!=++--<-");
  CHECK(t.kinds == Kinds{Tok::arrow, Tok::fat_arrow, Tok::shift_left, Tok::shift_right, Tok::kw_or,
                         Tok::kw_and, Tok::less_equal, Tok::greater_equal, Tok::equal,
                         Tok::not_equal, Tok::plus_plus, Tok::minus_minus, Tok::less, Tok::minus});
  CHECK(Tokens(".,;:{}[]()?!~=+-*/%|&^<>").kinds.size() == 24);
}

TEST_CASE("comments, continuation lines and carriage returns separate tokens") {
  const Tokens t("a//x\nb/* c\n * // */d\\\ne\\  \nf\r\ng/**/h/***/i");
  CHECK(t.words == Words{"a", "b", "d", "e", "f", "g", "h", "i"});
  CHECK(t.tokens[1].line == 2);
  CHECK(t.tokens[2].line == 3);
  CHECK(t.tokens[3].line == 4);
  CHECK(t.tokens[4].line == 5);
  CHECK(t.tokens[5].line == 6);
  CHECK(t.diagnostics.error_count() == 0);
}

TEST_CASE("a comment at the very end") {
  CHECK(Tokens("a //").words == Words{"a"});
  CHECK(Tokens("a /").kinds == Kinds{Tok::name, Tok::slash});
  CHECK(Tokens("a /**/").diagnostics.error_count() == 0);
  for (const char* text : {"a /*", "a /* *", "a /*/"}) {
    const Tokens t(text);
    CHECK(t.words == Words{"a"});
    CHECK(t.messages.find("this comment has no end") != std::string::npos);
  }
}

TEST_CASE("numbers that do not fit are errors") {
  CHECK(Tokens("2147483648").diagnostics.error_count() == 1);
  CHECK(Tokens("99999999999999999999999999999999999999").diagnostics.error_count() == 1);
  CHECK(Tokens("00000000000000000000000000000000000001").tokens[0].value == 1);
}

TEST_CASE("bytes without a meaning are one message per run") {
  const Tokens t(std::string_view("a \0\x01\xff\xfe b @ c \\ d", 16));
  CHECK(t.words == Words{"a", "b", "c", "d"});
  CHECK(t.diagnostics.error_count() == 3);
  CHECK(t.messages.find("byte 0x00 outside a comment") != std::string::npos);
  CHECK(t.messages.find("'@' has no meaning here") != std::string::npos);
  CHECK(t.messages.find("backslash") != std::string::npos);
}

TEST_CASE("a byte order mark in front is skipped") {
  const Tokens t(
      "\xEF\xBB\xBF"
      "byte");
  CHECK(t.kinds == Kinds{Tok::kw_byte});
  CHECK(t.diagnostics.error_count() == 0);
}

TEST_CASE("long names are errors and are not cut") {
  CHECK(Tokens(std::string(255, 'n')).diagnostics.error_count() == 0);
  const Tokens t(std::string(256, 'n'));
  CHECK(t.diagnostics.error_count() == 1);
  CHECK(t.words[0].size() == 256);
}

}  // namespace lexer_test
