#include "xmc/status.h"

#include <cstdarg>
#include <cstring>

#include "xmc/text.h"

namespace xmc {

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
