#include "front/promela/text/macros.h"

#include "front/promela/text/names.h"

namespace xmc::promela {

Macros::Macros(Arena& arena)
    : texts(arena, "macro texts"),
      parameters(arena, "macro parameters"),
      entries_(arena, "macros") {
  for (u32& bucket : buckets_) bucket = kNone;
}

u32 Macros::find(std::string_view name) const {
  u32 id = buckets_[hash_name(name) % kBuckets];
  while (id != kNone && (!entries_[id].is_defined || entries_[id].name != name)) {
    id = entries_[id].older;
  }
  return id;
}

void Macros::define(const Macro& macro) {
  u32& bucket = buckets_[hash_name(macro.name) % kBuckets];
  const u32 id = entries_.push(macro);
  entries_[id].older = bucket;
  bucket = id;
}

void Macros::undefine(std::string_view name) {
  if (const u32 id = find(name); id != kNone) entries_[id].is_defined = false;
}

u32 Macros::parameter(const Macro& macro, std::string_view name) const {
  for (u32 i = 0; i < macro.parameter_count; ++i) {
    if (parameters[macro.first_parameter + i] == name) return i;
  }
  return kNone;
}

}  // namespace xmc::promela
