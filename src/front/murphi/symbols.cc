#include "front/murphi/symbols.h"

#include "front/murphi/lexer.h"
#include "xmc/check.h"

namespace xmc::murphi {

namespace {

u32 hash_name(std::string_view name) {
  u32 h = 2166136261u;  // FNV-1a
  for (const char c : name) h = (h ^ static_cast<u8>(c)) * 16777619u;
  return h ^ (h >> 15);
}

bool differ_in_case_only(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (small(a[i]) != small(b[i])) return false;
  }
  return true;
}

}  // namespace

Symbols::Symbols(Arena& arena) : entries_(arena, "names") {
  u32* memory =
      static_cast<u32*>(arena.scratch("names", u64{kBuckets} * sizeof(u32), alignof(u32)));
  buckets_ = {memory, kBuckets};
  for (u32& bucket : buckets_) bucket = kNone;
}

u32 Symbols::find(std::string_view name) const {
  u32 id = buckets_[hash_name(name) % kBuckets];
  while (id != kNone && entries_[id].name != name) id = entries_[id].older;
  return id;
}

u32 Symbols::find(std::string_view name, SymbolKind kind) const {
  u32 id = find(name);
  while (id != kNone && (entries_[id].name != name || entries_[id].kind != kind)) {
    id = entries_[id].older;
  }
  return id;
}

u32 Symbols::find_similar(std::string_view name) const {
  for (u32 id = top_; id != kNone; id = entries_[id].below) {
    const Symbol& symbol = entries_[id];
    if (symbol.kind != SymbolKind::unknown && differ_in_case_only(symbol.name, name)) return id;
  }
  return kNone;
}

u32 Symbols::take_entry(const Symbol& symbol) {
  if (free_ == kNone) return entries_.push(symbol);
  const u32 id = free_;
  free_ = entries_[id].below;
  entries_[id] = symbol;
  return id;
}

u32 Symbols::add(std::string_view name, SymbolKind kind, u32 index) {
  u32& bucket = buckets_[hash_name(name) % kBuckets];
  const u32 id = take_entry({name, kind, index, scope_, bucket, top_});
  bucket = id;
  top_ = id;
  return id;
}

// Entered at the end of the chain, where the global scope ends; nothing pops it.
void Symbols::add_unknown(std::string_view name) {
  const u32 id = take_entry({name, SymbolKind::unknown, 0, 0, kNone, kNone});
  u32* link = &buckets_[hash_name(name) % kBuckets];
  while (*link != kNone) link = &entries_[*link].older;
  *link = id;
}

void Symbols::close_scope() {
  XMC_CHECK(scope_ > 0);
  while (top_ != kNone && entries_[top_].scope == scope_) {
    const u32 id = top_;
    u32& bucket = buckets_[hash_name(entries_[id].name) % kBuckets];
    XMC_CHECK(bucket == id);
    bucket = entries_[id].older;
    top_ = entries_[id].below;
    entries_[id].below = free_;
    free_ = id;
  }
  --scope_;
}

}  // namespace xmc::murphi
