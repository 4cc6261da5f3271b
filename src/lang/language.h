// The languages by name: how a text becomes a program. Nothing else in the tool asks which language
// a model is written in.
#pragma once

#include <span>
#include <string_view>

#include "front/source.h"
#include "xmc/arena.h"
#include "xmc/model_text.h"
#include "xmc/status.h"

namespace xmc {

namespace ir {
struct DeadVariables;
struct Program;
struct StepTables;
}  // namespace ir
namespace ltl {
struct Automaton;
}

// What is asked of a text, whatever its language.
struct TextRequest {
  std::string_view file;         // as named by the user, for messages
  std::string_view text;         // the whole text; must stay valid while it is lowered only
  bool ignore_property = false;  // --invariant, --ltl and such ignore a property process
  std::string_view property;     // --property NAME, or empty
  std::string_view invariant;    // --invariant EXPR, or empty
  std::string_view reach;        // --reach EXPR, or empty
  // --ltl, --hoa, --never: what the product is made with, or null. Its propositions are
  // expressions of the language, and stand in `property_source`.
  const ltl::Automaton* automaton = nullptr;
  Source property_source;
  std::string_view property_text;  // what people know it by: the formula, or the name of the file
  bool as_cycles = false;          // bad prefixes are found as accepting cycles, too
  bool fair = false;               // accepting cycles have to be weakly fair
  bool rumur = false;              // --dialect rumur
  bool symmetry = false;           // --symmetry exact: what can be permuted is to be found
  bool dead_variables = false;     // --reduce dead: what will not be read has one value
  bool step_tables = false;        // --reduce steps: what its steps read and write is to be found
  bool reduce_if_room = false;     // and not where memory is short for that
  // The run was begun with just these reductions: no room is looked for, memory has to do.
  bool as_begun = false;
  // Bytes that choices count on which change the states, such as how precise an analysis is: those
  // that the run began with, so that every process of it has the same program. 0: all that is free.
  u64 memory = 0;
  bool lint = false;  // --lint: warnings of all that is suspicious
};

// What is gathered around a text before it is kept or lowered.
struct GatherRequest {
  std::string_view file;
  std::span<const std::string_view> definitions;  // NAME=VALUE of --define
  u32 max_processes = 0;                          // --max-procs, or 0
  // Reads a file that the model includes; what it reads stays. False: there is none.
  bool (*read)(void* self, std::string_view name, std::string_view& text) = nullptr;
  void* self = nullptr;
};

// What becomes of it.
struct LoweredText {
  const ir::Program* program = nullptr;  // to be searched
  // As the text is written, which `text` describes and traces are replayed in: `program`, unless
  // that is reduced.
  const ir::Program* whole = nullptr;
  const ir::DeadVariables* dead = nullptr;  // left out of `program`; null: nothing was looked for
  // Of the steps of `program`, where the language has them ready, or why it has not.
  const ir::StepTables* steps = nullptr;
  const char* why_no_steps = nullptr;
  ModelText text;
  bool has_assertions = false;
  // A state whose steps all lead back to it is a deadlock of the language.
  bool stuttering = false;
  u32 warnings = 0;
};

// How the program is to treat run-time errors of the model.
struct ErrorStates {
  bool asked = false;    // steps lead to them: --errors beem, stop
  bool wanted = false;   // there is a state for them, where the language can have one
  bool lead_on = false;  // it has successors, as BEEM counts them
};

struct Language {
  std::string_view name;                       // of --lang and of the JSON result
  const char* title;                           // in the line of the model
  std::span<const std::string_view> suffixes;  // of files, with their dots
  // Diagnostics go to the sink as they are found. What stays is carved from the arena, scratch is
  // given back.
  Status (*lower)(const TextRequest& request, ErrorStates errors, Diagnostics::Sink sink,
                  void* sink_self, Arena& arena, LoweredText& out);
  // Makes of a text one that has all it needs (bundle.h), in scratch. Null: a text stands alone,
  // and nothing can be defined from outside.
  Status (*gather)(const GatherRequest& request, Arena& arena, std::string_view& text) = nullptr;
};

std::span<const Language> languages();

// Null for a name that no language has, and for a file without the suffix of one.
const Language* language_by_name(std::string_view name);
const Language* language_by_suffix(std::string_view file);
// The name of a file without the suffix of a language.
std::string_view without_suffix(std::string_view file);

}  // namespace xmc
