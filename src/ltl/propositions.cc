#include "ltl/propositions.h"

#include "ltl/characters.h"

namespace xmc::ltl {

namespace {

// The next character that counts: blanks do only between two words.
char significant(std::string_view text, std::size_t& at, char before) {
  bool blank = false;
  while (at < text.size() && is_blank(text[at])) {
    blank = true;
    ++at;
  }
  if (at == text.size()) return '\0';
  if (blank && is_word(before) && is_word(text[at])) return ' ';
  return text[at++];
}

bool same_text(std::string_view a, std::string_view b) {
  std::size_t at_a = 0;
  std::size_t at_b = 0;
  char before = '\0';
  for (;;) {
    const char in_a = significant(a, at_a, before);
    const char in_b = significant(b, at_b, before);
    if (in_a != in_b) return false;
    if (in_a == '\0') return true;
    before = in_a;
  }
}

}  // namespace

u32 Propositions::add(std::string_view text) {
  for (u32 i = 0; i < count_; ++i) {
    if (same_text(texts_[i], text)) return i;
  }
  if (count_ == limits::kPropositions) return kNone;
  texts_[count_] = text;
  return count_++;
}

}  // namespace xmc::ltl
