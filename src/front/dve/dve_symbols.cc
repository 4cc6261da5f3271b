#include "front/dve/dve_symbols.h"

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc::dve {

namespace {

constexpr u32 kFirstBuckets = 256;

u32 hash_name(u32 scope, std::string_view name) {
  u32 h = 2166136261u ^ (scope * 0x9E37'79B1u);  // FNV-1a
  for (const char c : name) h = (h ^ static_cast<u8>(c)) * 16777619u;
  return h ^ (h >> 15);
}

}  // namespace

u32 Symbols::find(u32 scope, std::string_view name) const {
  if (slots_.empty()) return kNone;
  const u32 mask = static_cast<u32>(slots_.size()) - 1;
  for (u32 at = hash_name(scope, name) & mask;; at = (at + 1) & mask) {
    const u32 slot = slots_[at];
    if (slot == 0) return kNone;
    const Symbol& symbol = entries_[slot - 1];
    if (symbol.scope == scope && symbol.name == name) return slot - 1;
  }
}

u32 Symbols::add(const Symbol& symbol) {
  XMC_DASSERT(find(symbol.scope, symbol.name) == kNone);
  if ((entries_.size() + 1) * 2 > slots_.size()) grow();
  const u32 id = entries_.push(symbol);
  const u32 mask = static_cast<u32>(slots_.size()) - 1;
  u32 at = hash_name(symbol.scope, symbol.name) & mask;
  while (slots_[at] != 0) at = (at + 1) & mask;
  slots_[at] = id + 1;
  return id;
}

// The old table stays behind in the scratch: all of them together are no larger than the last.
void Symbols::grow() {
  const u32 size = slots_.empty() ? kFirstBuckets : static_cast<u32>(slots_.size()) * 2;
  u32* memory = static_cast<u32*>(arena_->scratch("names", u64{size} * sizeof(u32), alignof(u32)));
  slots_ = {memory, size};
  fill_zero(slots_);
  const u32 mask = size - 1;
  for (u32 id = 0; id < entries_.size(); ++id) {
    u32 at = hash_name(entries_[id].scope, entries_[id].name) & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = id + 1;
  }
}

}  // namespace xmc::dve
