// Classes of characters, without a locale.
#pragma once

namespace xmc::ltl {

inline bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
inline bool is_word(char c) { return is_letter(c) || is_digit(c); }

}  // namespace xmc::ltl
