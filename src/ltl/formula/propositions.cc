#include "ltl/formula/propositions.h"

#include <cstdint>

#include "ltl/formula/characters.h"

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

std::span<const u32> places_of(std::span<const std::string_view> texts, std::string_view whole,
                               Arena& arena) {
  const std::span<u32> out = arena.carve_array<u32>("property automaton", texts.size());
  const auto address = [](const char* at) { return reinterpret_cast<std::uintptr_t>(at); };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    // Far behind for a text that is before.
    const std::uintptr_t offset = address(texts[i].data()) - address(whole.data());
    out[i] = offset < whole.size() ? static_cast<u32>(offset) : kNone;
  }
  return out;
}

u32 Propositions::add(std::string_view text) {
  for (u32 i = 0; i < count_; ++i) {
    if (same_text(texts_[i], text)) return i;
  }
  if (count_ == limits::kPropositions) return kNone;
  texts_[count_] = text;
  return count_++;
}

}  // namespace xmc::ltl
