// Output: a buffered, one-way stream of bytes to a file or the terminal, without a heap. The first
// failure sticks: later bytes are dropped, and flush() tells it. The OS is behind a function
// pointer, so that formats can be tested into memory.
//
// What people read is escaped (escape_controls): a name or a text of a model may have bytes in it
// that a terminal obeys. Those of our own go through control().
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

  // From here on control characters but line breaks and tabs, and what is no UTF-8, come out as
  // \x1b.
  void escape_controls(bool on = true) { escapes_ = on; }
  // Bytes for a terminal, as they are.
  Output& control(std::string_view bytes);

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
  void push_out(bool whole_characters);

  std::size_t used_ = 0;
  bool escapes_ = false;
  Status status_;
};

}  // namespace xmc
