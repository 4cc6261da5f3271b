// Buffered writing for the emitter: remembers the first failure, so that callers need not check
// each piece.
#pragma once

#include <cstdarg>

#include "exec/emit/emit.h"
#include "xmc/text.h"

namespace xmc {

class EmitWriter {
 public:
  explicit EmitWriter(const EmitSink& sink) : sink_(sink) {}

  void add(std::string_view piece) {
    if (buffer_.size() + piece.size() >= kBufferBytes) flush();
    if (piece.size() >= kBufferBytes) {
      send(piece);
    } else {
      buffer_.add(piece);
    }
  }
  [[gnu::format(printf, 2, 3)]] void format(const char* pattern, ...) {
    FixedText<1024> text;
    va_list args;
    va_start(args, pattern);
    text.vformat(pattern, args);
    va_end(args);
    add(text.view());
  }
  Status finish() {
    flush();
    return status_;
  }

 private:
  static constexpr u32 kBufferBytes = 4096;
  void flush() {
    send(buffer_.view());
    buffer_.clear();
  }
  void send(std::string_view piece) {
    if (status_.ok() && !piece.empty()) status_ = sink_.write(sink_.self, piece);
  }

  const EmitSink& sink_;
  FixedText<kBufferBytes> buffer_;
  Status status_;
};

}  // namespace xmc
