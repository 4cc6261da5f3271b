// What --ltl, --hoa and --never say, as text: which form it has, where it came from, and the
// automaton of the bad behaviours that is made of it.
#pragma once

#include <string_view>

#include "lang/language.h"
#include "ltl/automaton.h"
#include "xmc/arena.h"
#include "xmc/status.h"

namespace xmc {

enum class PropertyForm : u8 {
  none,
  ltl,  // a formula that must hold: the automaton is that of its negation
  hoa,  // automata of the bad behaviours
  never,
};

struct PropertyText {
  PropertyForm form = PropertyForm::none;
  Source source;  // its name for messages, and all of it

  bool given() const { return form != PropertyForm::none; }
  // The formula, or the name of the file.
  std::string_view shown() const { return form == PropertyForm::ltl ? source.text : source.name; }
  // "ltl", "hoa", "never", or empty.
  std::string_view form_name() const;
};

// The other way round; none for a word that is no form.
PropertyForm property_form(std::string_view name);

// What is wrong with the text goes to the sink with its place. The automaton is carved from the
// arena. `negated` is for a formula.
Status make_automaton(const PropertyText& property, bool negated, Diagnostics::Sink sink,
                      void* sink_self, Arena& arena, ltl::Automaton& out);

}  // namespace xmc
