// The spellings of operators and punctuation: the ASCII ones, and the signs of mathematics that
// rumur takes for the same. Longer ones come first, so that the first match is the longest.
#include "front/murphi/lexer.h"

namespace xmc::murphi {

namespace {

struct Mark {
  std::string_view spelling;
  Tok kind;
};

constexpr Mark kMarks[] = {
    {"==>", Tok::guard_arrow},
    {":=", Tok::assign},
    {"..", Tok::dot_dot},
    {"->", Tok::arrow},
    {"<=", Tok::less_equal},
    {">=", Tok::greater_equal},
    {"!=", Tok::not_equal},
    {"==", Tok::equal},
    {"&&", Tok::and_and},
    {"||", Tok::or_or},
    {"<<", Tok::shift_left},
    {">>", Tok::shift_right},
    {"<", Tok::less},
    {">", Tok::greater},
    {"=", Tok::equal},
    {"!", Tok::exclamation},
    {"&", Tok::ampersand},
    {"|", Tok::bar},
    {"+", Tok::plus},
    {"-", Tok::minus},
    {"*", Tok::star},
    {"/", Tok::slash},
    {"%", Tok::percent},
    {"?", Tok::question},
    {":", Tok::colon},
    {";", Tok::semicolon},
    {",", Tok::comma},
    {".", Tok::dot},
    {"(", Tok::left_paren},
    {")", Tok::right_paren},
    {"[", Tok::left_bracket},
    {"]", Tok::right_bracket},
    {"{", Tok::left_brace},
    {"}", Tok::right_brace},
    {"~", Tok::tilde},
    {"^", Tok::caret},
    {"\xE2\x87\x92", Tok::guard_arrow},    // U+21D2 rightwards double arrow
    {"\xE2\x89\x94", Tok::assign},         // U+2254 colon equals
    {"\xE2\x86\x92", Tok::arrow},          // U+2192 rightwards arrow
    {"\xE2\x89\xA4", Tok::less_equal},     // U+2264
    {"\xE2\x89\xA5", Tok::greater_equal},  // U+2265
    {"\xE2\x89\xA0", Tok::not_equal},      // U+2260
    {"\xE2\x88\xA7", Tok::and_and},        // U+2227 logical and
    {"\xE2\x88\xA8", Tok::or_or},          // U+2228 logical or
    {"\xC2\xAC", Tok::exclamation},        // U+00AC not sign
    {"\xE2\x88\x92", Tok::minus},          // U+2212 minus sign
    {"\xC3\x97", Tok::star},               // U+00D7 multiplication sign
    {"\xC3\xB7", Tok::slash},              // U+00F7 division sign
    {"\xE2\x88\x95", Tok::slash},          // U+2215 division slash
    {"\xE2\x88\x80", Tok::kw_forall},      // U+2200
    {"\xE2\x88\x83", Tok::kw_exists},      // U+2203
};

}  // namespace

MarkFound mark_at(std::string_view text) {
  for (const Mark& mark : kMarks) {
    if (text.starts_with(mark.spelling)) {
      return {mark.kind, static_cast<u32>(mark.spelling.size())};
    }
  }
  return {};
}

}  // namespace xmc::murphi
