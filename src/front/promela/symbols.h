// Names of a model, in scopes one inside the other. A name hides no other one, so there is one
// symbol of each name at most; a scope that ends takes its names with it.
#pragma once

#include <string_view>

#include "front/source.h"
#include "xmc/pool.h"
#include "xmc/types.h"

namespace xmc::promela {

enum class SymbolKind : u8 {
  global,      // index: System::globals
  local,       // System::locals
  mtype_name,  // System::mtype_names
  record,      // System::records
  routine,     // of an inline: Context::routines
  proctype,    // System::proctypes
  unknown,     // was used and reported; later uses are silent
};

struct Symbol {
  std::string_view name;
  SymbolKind kind = SymbolKind::unknown;
  u32 index = 0;
  u32 scope = 0;  // 0: global
  Span place;
  u32 older = kNone;  // next in the chain of its bucket
};

class Symbols {
 public:
  using Entries = Pool<Symbol, 6, 1024>;

  explicit Symbols(Arena& arena);

  u32 find(std::string_view name) const;  // kNone: no such name
  // There must be room, and none of that name.
  void add(const Symbol& symbol);
  void add_unknown(std::string_view name);
  bool is_full() const { return entries_.full(); }
  void open_scope() { ++scope_; }
  void close_scope();
  u32 scope() const { return scope_; }
  Symbol& operator[](u32 id) { return entries_[id]; }
  const Symbol& operator[](u32 id) const { return entries_[id]; }

 private:
  static constexpr u32 kBuckets = 256;
  Entries entries_;
  u32 buckets_[kBuckets];
  u32 scope_ = 0;
};

}  // namespace xmc::promela
