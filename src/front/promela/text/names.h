// A number for a name, for tables of names.
#pragma once

#include <string_view>

#include "xmc/types.h"

namespace xmc::promela {

inline u32 hash_name(std::string_view name) {
  u32 hash = 2166136261u;
  for (const char c : name) hash = (hash ^ static_cast<u8>(c)) * 16777619u;
  return hash;
}

}  // namespace xmc::promela
