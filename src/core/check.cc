// What a failed check calls. Without a hook, as in tests of single parts, the process traps.
#include "xmc/check.h"

namespace xmc {

namespace {
FailureHook failure_hook = nullptr;
}

void set_failure_hook(FailureHook hook) { failure_hook = hook; }

void check_failed(const char* condition, const char* file, int line) {
  if (failure_hook != nullptr) failure_hook(condition, file, line);
  __builtin_trap();
}

}  // namespace xmc
