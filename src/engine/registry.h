// The engines by name.
#pragma once

#include <span>
#include <string_view>

#include "xmc/engine.h"

namespace xmc {

struct EngineInfo {
  const EngineTraits* traits;
  Engine* (*make)();
};

// The engines in the order of the manual, without `auto`.
std::span<const EngineInfo> engines();
// The engines and `auto`.
std::span<const EngineInfo> all_engines();

// Code::usage for a name that does not exist. There is one engine at a time: the next call of this
// or of choose_engine() ends the engine. choose_engine() says what `auto` is for a model.
Result<Engine*> find_engine(std::string_view name);
// The bytes of the largest engine, which the program's own data has room for; and how many of them,
// at the end, no engine that was asked for has touched.
u64 engine_bytes();
u64 unused_engine_bytes();

// Code::usage, with the names of the engines that have it, when an engine is given a table or
// signatures it does not take.
Status check_engine_takes(const Engine& engine, bool table, bool signature);

// Code::unsupported in the same way, when the model has liveness properties that the engine does
// not check.
Status check_engine_liveness(const Engine& engine, const Model& model);

// What `auto` means for a model: sets of states where they pay, else what `explicit` does, which
// begins in memory like `ram`, goes on as a diagram and spills to flash when it has to; `min-cex`
// for accepting cycles, which takes any proof that there are none (CycleFinder::any_proof_will_do);
// `live` for properties that have to stay reachable; `ram` where no files can be kept.
struct EngineChoice {
  Engine* engine;
  const char* why;  // for people: the end of a sentence
};
// Without `sets`: what `explicit` means.
EngineChoice choose_engine(const Model& model, bool files, bool sets = true);

}  // namespace xmc
