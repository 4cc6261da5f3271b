// Where writers put their text: a sink of the caller, in pieces. The first failure is kept, and
// nothing more is written after it.
#pragma once

#include <string_view>

#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc::ltl {

struct Sink {
  void* self = nullptr;
  Status (*write)(void* self, std::string_view piece) = nullptr;
};

class TextOut {
 public:
  explicit TextOut(Sink sink) : sink_(sink) {}

  TextOut& add(std::string_view piece) {
    if (status_.ok() && !piece.empty()) status_ = sink_.write(sink_.self, piece);
    return *this;
  }
  TextOut& number(u64 value);
  // With a backslash before each quote and backslash.
  TextOut& escaped(std::string_view text);
  const Status& status() const { return status_; }

 private:
  Sink sink_;
  Status status_;
};

}  // namespace xmc::ltl
