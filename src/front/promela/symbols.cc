#include "front/promela/symbols.h"

#include "front/promela/text/names.h"
#include "xmc/check.h"

namespace xmc::promela {

Symbols::Symbols(Arena& arena) : entries_(arena, "names") {
  for (u32& bucket : buckets_) bucket = kNone;
}

u32 Symbols::find(std::string_view name) const {
  u32 id = buckets_[hash_name(name) % kBuckets];
  while (id != kNone && entries_[id].name != name) id = entries_[id].older;
  return id;
}

// In front of its chain, so that inner scopes are always in front of outer ones.
void Symbols::add(const Symbol& symbol) {
  u32& bucket = buckets_[hash_name(symbol.name) % kBuckets];
  const u32 id = entries_.push(symbol);
  entries_[id].scope = scope_;
  entries_[id].older = bucket;
  bucket = id;
}

// At the end of its chain, where the global names are.
void Symbols::add_unknown(std::string_view name) {
  const u32 id = entries_.push({name, SymbolKind::unknown, 0, 0, {}, kNone});
  u32* link = &buckets_[hash_name(name) % kBuckets];
  while (*link != kNone) link = &entries_[*link].older;
  *link = id;
}

void Symbols::close_scope() {
  XMC_CHECK(scope_ > 0);
  for (u32& bucket : buckets_) {
    while (bucket != kNone && entries_[bucket].scope == scope_) bucket = entries_[bucket].older;
  }
  --scope_;
}

}  // namespace xmc::promela
