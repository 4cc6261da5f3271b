// Manifest: what a checkpoint says, as text of "name value" lines in fixed memory.
//
// Text, because it is the same on every host, a person can read it, and a run has some dozens of
// lines of it. Numbers are decimal, keys are words in hex. Names may repeat ("file").
#pragma once

#include <span>
#include <string_view>

#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class Manifest {
 public:
  static constexpr u32 kMostBytes = 16 << 10;

  void clear() { size_ = 0; }
  std::string_view text() const { return {text_, size_}; }
  // For a manifest that was read. False when it is too long or not made of such lines.
  bool assign(std::string_view text);

  // Too many lines are a bug: every writer has a bounded number of them.
  void add(const char* name, u64 value);
  void add_text(const char* name, std::string_view value);
  void add_words(const char* name, std::span<const Word> words);
  // A file with its size at the checkpoint and the chain of its blocks (store/files/block.h).
  void add_file(const char* name, u64 bytes, u64 chain);
  // A file that is not made of blocks: plain_checksum() (store/checkpoint/verify.h) of all of it.
  void add_plain(const char* name, u64 bytes, u64 checksum);

  // A line of another manifest, behind `start`.
  void add_line(std::string_view start, std::string_view line);

  bool has(const char* name) const;
  // A missing or malformed line is Code::corrupt and names the line.
  Result<u64> number(const char* name) const;
  u64 number_or_zero(const char* name) const;  // where a figure is only shown
  Result<std::string_view> value(const char* name) const;
  Status words(const char* name, std::span<Word> into) const;

  struct File {
    std::string_view name;
    u64 bytes = 0;
    u64 chain = 0;
    bool plain = false;  // of add_plain(): the chain is a checksum
  };
  // The i-th file of either kind; false when there are fewer.
  bool file(u32 i, File& out) const;

 private:
  void add_file_line(const char* line, const char* name, u64 bytes, u64 chain);
  std::string_view find(std::string_view name, u32 occurrence) const;

  u32 size_ = 0;
  char text_[kMostBytes] = {};
};

Status damaged_line(const char* name);

}  // namespace xmc
