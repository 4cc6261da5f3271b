// Status and Result: how every operation that can fail says so. No exceptions, no allocation; the
// message is complete English with the number and the remedy in it, because a person will read it
// at seven in the morning.
#pragma once

#include <string_view>
#include <utility>

#include "xmc/limits.h"
#include "xmc/stop_reason.h"
#include "xmc/types.h"

namespace xmc {

enum class Code : u8 {
  ok,
  usage,      // the command line is wrong                          exit 64
  model,      // the model or property is wrong                     exit 65
  budget,     // --ram is too small for this job                    exit 2
  io,         // the device or file system failed                   exit 74
  corrupt,    // a stored block does not match its checksum         exit 74
  disk_full,  // no space; a checkpoint may exist                   exit 75, or 74 without a
              // checkpoint
  stopped,  // a signal or a limit                                exit 75, or 2 without a checkpoint
  unsupported,  // the request is understood, but not offered here    exit 64
  internal,     // a bug of ours                                      exit 70
};

class [[nodiscard]] Status {
 public:
  // The message is neither cleared nor copied as a whole: an ok status is made for every state that
  // is read, and handed on.
  Status() { message_[0] = '\0'; }
  Status(const Status& other);
  Status& operator=(const Status& other);
  [[gnu::format(printf, 2, 3)]] static Status fail(Code code, const char* pattern, ...);
  // The same with errno's text appended: "...: No space left on device".
  [[gnu::format(printf, 3, 4)]] static Status fail_os(Code code, int os_error, const char* pattern,
                                                      ...);

  // The search ends here, for this reason; ok for StopReason::none.
  static Status stop(StopReason reason) {
    Status status;
    if (reason == StopReason::none) return status;
    status.code_ = Code::stopped;
    status.reason_ = reason;
    return status;
  }
  // Where a stop ends as a value: its reason, and this status is ok again. Failures stay.
  StopReason take_stop() {
    const StopReason reason = reason_;
    if (reason != StopReason::none) *this = Status();
    return reason;
  }

  bool ok() const { return code_ == Code::ok; }
  StopReason stop_reason() const { return reason_; }
  Code code() const { return code_; }
  int os_error() const { return os_error_; }
  std::string_view message() const { return {message_}; }
  const char* c_str() const { return message_; }

 private:
  Code code_ = Code::ok;
  StopReason reason_ = StopReason::none;
  int os_error_ = 0;
  char message_[limits::kMessageBytes];
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Status status) : status_(std::move(status)) {}

  bool ok() const { return status_.ok(); }
  const Status& status() const { return status_; }
  T& value() { return value_; }
  const T& value() const { return value_; }

 private:
  Status status_;
  T value_{};
};

}  // namespace xmc

// Hands a failure to the caller.
#define XMC_TRY(expression)                                                              \
  do {                                                                                   \
    if (::xmc::Status try_status_ = (expression); !try_status_.ok()) return try_status_; \
  } while (false)

// The value of a Result, or its failure to the caller: XMC_LET(Device* const file, open(name));
#define XMC_LET(declaration, ...) XMC_LET_AT(declaration, XMC_JOIN(let_, __LINE__), __VA_ARGS__)
#define XMC_LET_AT(declaration, result, ...) \
  auto result = (__VA_ARGS__);               \
  if (!result.ok()) return result.status();  \
  declaration = std::move(result.value())
#define XMC_JOIN(a, b) XMC_JOIN_(a, b)
#define XMC_JOIN_(a, b) a##b
