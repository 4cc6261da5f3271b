// The engines by name.
#pragma once

#include <span>
#include <string_view>

#include "engine/engine.h"

namespace xmc {

struct EngineInfo {
  const char* name;
  const char* description;  // one line for --help
  Engine* engine;           // null: the name is known, but the engine is not in this build
};

// In the order of the manual; `auto` is not among them.
std::span<const EngineInfo> engines();

// Code::usage for a name that does not exist, Code::unsupported for an engine that is not in this
// build. Engines are objects of static storage. For `auto` it is choose_engine() that decides.
Result<Engine*> find_engine(std::string_view name);

// What `auto` means for a model: `diagram`, which begins in memory like `ram` and goes on where
// that ends; `ram` for accepting cycles, and where no files can be kept.
Engine* choose_engine(const Model& model, bool files);

}  // namespace xmc
