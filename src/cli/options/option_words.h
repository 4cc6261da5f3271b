// The words that an option takes as its value, one by one: those of an enumeration are in the
// table, those of --engine in the registry, those of --lang in the table of languages. For
// checking, suggestions and completion.
#pragma once

#include "cli/options/options.h"
#include "engine/registry.h"
#include "lang/language.h"
#include "xmc/text.h"

namespace xmc {

// The words of "a|b|c". Of a duration there are no words.
template <class Visit>
void each_choice(std::string_view choices, Visit visit) {
  while (!choices.empty()) {
    const std::size_t bar = choices.find('|');
    const std::string_view word = piece_of(choices, 0, bar);
    if (word != "DUR") visit(word);
    choices.remove_prefix(bar == std::string_view::npos ? choices.size() : bar + 1);
  }
}

// But for --engine: a completion asks the tool for those when they are wanted, and names none.
template <class Visit>
void each_fixed_word(const OptionInfo& info, Visit visit) {
  if (info.kind == OptionKind::choice || info.kind == OptionKind::when) {
    each_choice(info.metavar, visit);
  } else if (info.kind == OptionKind::language) {
    visit(info.standard);
    for (const Language& language : languages()) visit(language.name);
  }
}

template <class Visit>
void each_word(const OptionInfo& info, Visit visit) {
  if (info.kind != OptionKind::engine) return each_fixed_word(info, visit);
  visit(info.standard);
  for (const EngineInfo& engine : engines()) visit(std::string_view(engine.traits->name));
}

}  // namespace xmc
