// The macros of a text: names with the tokens that stand for them.
#pragma once

#include <string_view>

#include "front/promela/text/raw_lexer.h"
#include "xmc/pool.h"
#include "xmc/types.h"

namespace xmc::promela {

struct Macro {
  std::string_view name;
  u32 first = 0;  // Macros::texts
  u32 count = 0;
  u32 first_parameter = 0;  // Macros::parameters
  u32 parameter_count = 0;
  u32 in_use = 0;  // how often it is being expanded: not once more then
  u32 older = kNone;
  bool is_function = false;
  bool is_defined = true;
};

class Macros {
 public:
  using Entries = Pool<Macro, 4, 512>;

  explicit Macros(Arena& arena);

  // kNone: nothing of that name is defined.
  u32 find(std::string_view name) const;
  // The name, which is not defined and for which there is room, becomes this macro.
  void define(const Macro& macro);
  void undefine(std::string_view name);
  bool is_full() const { return entries_.full() || texts.full() || parameters.full(); }
  // The number of the parameter with this name, or kNone.
  u32 parameter(const Macro& macro, std::string_view name) const;

  Macro& operator[](u32 id) { return entries_[id]; }
  const Macro& operator[](u32 id) const { return entries_[id]; }

  Pool<RawToken, 6, 1024> texts;
  Pool<std::string_view, 4, 256> parameters;

 private:
  static constexpr u32 kBuckets = 256;
  Entries entries_;
  u32 buckets_[kBuckets];
};

}  // namespace xmc::promela
