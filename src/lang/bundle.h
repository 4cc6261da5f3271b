// A model with what it needs besides its text, as one text: the files that it includes, and what
// the command line defines. So a work directory, a trace and a compiled checker have all of it.
//
//     the model
//     \x1c                     in front of what follows, if there is anything
//     define NAME=VALUE        lines, in this order
//     processes N
//     file BYTES NAME          and then the bytes; the name as seen from the folder of the model
#pragma once

#include <string_view>

#include "lang/language.h"
#include "xmc/arena.h"
#include "xmc/pool.h"
#include "xmc/status.h"

namespace xmc {

inline constexpr char kBundleMark = '\x1c';

struct BundledFile {
  std::string_view name;
  std::string_view text;
};

class Bundle {
 public:
  explicit Bundle(Arena& arena)
      : definitions(arena, "definitions"), files(arena, "included files") {}

  std::string_view text;  // of the model alone
  Pool<std::string_view, 4, 64> definitions;
  Pool<BundledFile, 4, 64> files;
  u32 max_processes = 0;

  Status open(std::string_view whole);
  u64 bytes() const;
  // The same as one text of bytes(); the text of the model if there is nothing else.
  std::string_view write(char* out) const;

  bool find(std::string_view name, std::string_view& found) const;
};

// A name as seen from the folder of the model.
std::string_view beside(std::string_view model, std::string_view name);

}  // namespace xmc
