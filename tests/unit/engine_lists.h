// Engines by name, from the registry: a new one is in every list until the list says why not.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "engine/registry.h"

namespace xmc_test {

using Names = std::vector<std::string>;

// In the order of the manual; `has` says which.
template <class Has>
Names engines_that(Has has, std::initializer_list<const char*> without = {}) {
  Names out;
  for (const xmc::EngineInfo& info : xmc::all_engines()) {
    const std::string name = info.traits->name;
    const bool left_out = std::find(without.begin(), without.end(), name) != without.end();
    if (has(*info.traits) && !left_out) out.push_back(name);
  }
  return out;
}

// Those that take models without a property, but for some.
inline Names safety_engines_but(std::initializer_list<const char*> without) {
  return engines_that([](const xmc::EngineTraits& t) { return !t.only_cycles; }, without);
}

inline Names engines_with_signatures() {
  return engines_that([](const xmc::EngineTraits& t) { return t.takes_signature; });
}

// "a, b, c", as messages have them.
inline std::string in_a_row(const Names& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

}  // namespace xmc_test
