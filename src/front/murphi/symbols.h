// Names of a model, in scopes one inside the other. Scopes end in the order opposite to their
// beginning, so a name that is declared again only stands in front of the older one in its chain.
#pragma once

#include <string_view>

#include "front/murphi/ast.h"
#include "xmc/arena.h"
#include "xmc/pool.h"
#include "xmc/types.h"

namespace xmc::murphi {

struct Symbol {
  std::string_view name;
  SymbolKind kind = SymbolKind::unknown;
  u32 index = 0;
  u32 scope = 0;      // 0: global
  u32 older = kNone;  // next in the chain of its bucket
  u32 below = kNone;  // the symbol declared before it, whatever its name
};

class Symbols {
 public:
  using Entries = Pool<Symbol, 7, 1024>;

  explicit Symbols(Arena& arena);

  // The innermost one of this name, or kNone.
  u32 find(std::string_view name) const;
  // The innermost one of this name and kind, or kNone.
  u32 find(std::string_view name, SymbolKind kind) const;
  // One whose name differs in the case of letters only, or kNone.
  u32 find_similar(std::string_view name) const;
  // The current scope must not have the name yet, and there must be room.
  u32 add(std::string_view name, SymbolKind kind, u32 index);
  // The same in the global scope, behind what inner scopes have of that name.
  void add_unknown(std::string_view name);

  void open_scope() { ++scope_; }
  void close_scope();
  u32 scope() const { return scope_; }
  bool full() const { return free_ == kNone && entries_.full(); }
  Symbol& operator[](u32 id) { return entries_[id]; }
  const Symbol& operator[](u32 id) const { return entries_[id]; }

 private:
  static constexpr u32 kBuckets = 1024;
  u32 take_entry(const Symbol& symbol);

  Entries entries_;
  std::span<u32> buckets_;  // the newest symbol of each chain
  u32 top_ = kNone;         // the symbol declared last
  u32 free_ = kNone;        // entries of ended scopes, chained through `below`
  u32 scope_ = 0;
};

}  // namespace xmc::murphi
