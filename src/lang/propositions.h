// The propositions of an automaton from elsewhere, which are pieces of a formula or a file, as
// expressions of a language. Each is a source of its own, so that diagnostics point into it.
#pragma once

#include <span>

#include "lang/language.h"
#include "ltl/automaton.h"

namespace xmc {

// parse(source, diagnostics) gives a Result<Expr>.
template <class Expr, class Parse>
Status parse_propositions(const TextRequest& request, Diagnostics::Sink sink, void* self,
                          std::span<Expr> out, Parse parse) {
  const ltl::Automaton& automaton = *request.automaton;
  u32 wrong = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::string_view text = automaton.propositions[i];
    const Source piece{request.property_source.name, text};
    const bool placed = automaton.places[i] != kNone;
    Diagnostics diagnostics(placed ? request.property_source : piece, sink, self,
                            placed ? automaton.places[i] : 0);
    const Result<Expr> parsed = parse(piece, diagnostics);
    if (parsed.ok()) {
      out[i] = parsed.value();
    } else {
      ++wrong;
    }
  }
  if (wrong == 0) return {};
  const std::string_view name = request.property_source.name;
  return Status::fail(Code::model, "%.*s: %u of its propositions %s no expression%s of the model",
                      static_cast<int>(name.size()), name.data(), wrong, wrong == 1 ? "is" : "are",
                      wrong == 1 ? "" : "s");
}

}  // namespace xmc
