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

// `auto` gives the engine that is taken by default. Code::usage for a name that does not exist,
// Code::unsupported for an engine that is not in this build. Engines are objects of static storage.
Result<Engine*> find_engine(std::string_view name);

}  // namespace xmc
