// NameStore: keeps copies of short texts in permanent arena memory without one carve per name.
#pragma once

#include <string_view>

#include "xmc/arena.h"
#include "xmc/bytes.h"

namespace xmc {

class NameStore {
 public:
  explicit NameStore(Arena& arena) : arena_(&arena) {}

  std::string_view keep(std::string_view text) {
    if (text.empty()) return {};
    if (text.size() > left_) {
      left_ = text.size() > kChunkBytes ? static_cast<u32>(text.size()) : kChunkBytes;
      next_ = static_cast<char*>(arena_->carve("names", left_));
    }
    copy(std::span<char>(next_, text.size()), std::span<const char>(text.data(), text.size()));
    const std::string_view kept(next_, text.size());
    next_ += text.size();
    left_ -= static_cast<u32>(text.size());
    return kept;
  }

 private:
  static constexpr u32 kChunkBytes = 1024;
  Arena* arena_;
  char* next_ = nullptr;
  u32 left_ = 0;
};

}  // namespace xmc
