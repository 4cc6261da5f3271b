// NativeModel: the face of emitted code. A checker built from a model links one of these with the
// whole tool: names, traces and command-line predicates come from the embedded text, only the
// expansion is compiled. This header and those that it includes are all that emitted code sees.
#pragma once

#include "xmc/chain_memory.h"
#include "xmc/model.h"
#include "xmc/step_work.h"
#include "xmc/types.h"

namespace xmc {

// What emitted code of rules and generators works in: RuleProgram::body_cells registers, the work
// of this expansion, and what is remembered of chains.
struct NativeScratch {
  i64* cells;
  StepWork* work;
  ChainMemory* chain;
};

struct NativeModel {
  const char* file;      // name of the model the code was emitted from
  const char* language;  // of the text
  const char* text;      // its text
  u32 text_bytes;
  // What it was emitted with, and checks if nothing else is asked for: "ltl", "hoa", "never" or ""
  // for the model's own property, the name of its file, and the text.
  const char* property_form;
  const char* property_name;
  const char* property;
  u32 property_bytes;
  const char* fairness;  // that goes with it: a word of --fairness
  const char* dialect;   // of the text: a word of --dialect, or ""
  const char* reduce;    // what the code is of: a word of --reduce, which is then its default
  u64 program_hash;      // of the lowered program: code and tables must stem from the same lowering
  u32 state_words;
  // Everything of Model::expand but the predicates; null for a program with rules.
  Expansion (*expand)(ErrorRule errors, const Word* state, const SuccessorBuffer& out);
  // Of a program with rules: everything but the predicates of the command line. The model's own are
  // counted from 0.
  Expansion (*expand_rules)(const NativeScratch& scratch, const Word* state,
                            const SuccessorBuffer& out);
  // Of a generator: its steps, without the automaton of a product, and without what
  // RuleProgram::valid_end and accepts say.
  Expansion (*generate)(const NativeScratch& scratch, const Word* state,
                        const SuccessorBuffer& out);
  // Of a program with processes: expand() in two halves, for searches that take only some of the
  // steps (xmc/stepwise.h). The enabled steps, and then the successors by `count` of them. Null:
  // the code has no halves.
  u32 (*find)(const Word* state, u32* steps) = nullptr;
  Expansion (*take)(ErrorRule errors, const Word* state, const u32* steps, u32 count,
                    const SuccessorBuffer& out) = nullptr;
};

// The whole tool behind one call, with the exit status of the process: what every main program is.
// `native` is null where models come from files. src/cli has it.
int run_cli(int argc, char** argv, const NativeModel* native);

}  // namespace xmc
