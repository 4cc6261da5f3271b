// Output: a buffered, one-way stream of bytes to a file or the terminal, without a heap. The first
// failure sticks: later bytes are dropped, and flush() tells it. The OS is behind a function
// pointer, so that formats can be tested into memory.
#pragma once

#include <span>
#include <string_view>

#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class Output {
 public:
  using Write = Status (*)(void* self, std::string_view bytes);

  Output(std::span<char> buffer, Write write, void* self)
      : buffer_(buffer), write_(write), self_(self) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  Output& add(std::string_view bytes);
  Output& add(char c) { return add(std::string_view(&c, 1)); }
  Output& number(u64 value);
  Output& signed_number(i64 value);
  // At most 512 bytes; for numbers and short words, not for text of unknown length.
  [[gnu::format(printf, 2, 3)]] Output& format(const char* pattern, ...);
  Output& spaces(u32 count);

  // Hands everything to the writer; the first failure since the beginning.
  Status flush();
  const Status& status() const { return status_; }
  // For whoever writes by pieces: `self` is an Output.
  static Status write_piece(void* self, std::string_view piece) {
    return static_cast<Output*>(self)->add(piece).status();
  }

 private:
  std::span<char> buffer_;
  Write write_;
  void* self_;
  std::size_t used_ = 0;
  Status status_;
};

}  // namespace xmc
