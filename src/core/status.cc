// Status: messages of a fixed size, copied only when there is one, so that success costs nothing.
#include "xmc/status.h"

#include <cstdarg>
#include <cstring>

#include "xmc/bytes.h"
#include "xmc/text.h"

namespace xmc {

Status::Status(const Status& other) : Status() { *this = other; }

Status& Status::operator=(const Status& other) {
  if (this == &other) return *this;
  code_ = other.code_;
  reason_ = other.reason_;
  os_error_ = other.os_error_;
  message_[0] = '\0';
  if (!ok()) copy<char>(message_, other.message_);
  return *this;
}

Status Status::fail(Code code, const char* pattern, ...) {
  Status status;
  status.code_ = code;
  Text text(status.message_, limits::kMessageBytes);
  va_list args;
  va_start(args, pattern);
  text.vformat(pattern, args);
  va_end(args);
  return status;
}

Status Status::fail_os(Code code, int os_error, const char* pattern, ...) {
  Status status;
  status.code_ = code;
  status.os_error_ = os_error;
  Text text(status.message_, limits::kMessageBytes);
  va_list args;
  va_start(args, pattern);
  text.vformat(pattern, args);
  va_end(args);
  text.add(": ").add(strerrordesc_np(os_error) != nullptr ? strerrordesc_np(os_error)
                                                          : "unknown error");
  return status;
}

}  // namespace xmc
