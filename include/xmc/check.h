// Assertions that stay on in release builds. A failed check is a bug of ours: it prints one line
// and ends the process with exit status 70 through a hook, so that this header needs neither the OS
// nor a heap.
#pragma once

namespace xmc {

// Called with the text of the failed condition. Set once by main; never returns. The default
// aborts.
using FailureHook = void (*)(const char* condition, const char* file, int line);
void set_failure_hook(FailureHook hook);

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace xmc

#define XMC_CHECK(condition)                           \
  (static_cast<bool>(condition) ? static_cast<void>(0) \
                                : ::xmc::check_failed(#condition, __FILE__, __LINE__))

// For conditions in the hottest loops, where a check was measured to cost more than 3%.
#ifdef NDEBUG
#define XMC_DASSERT(condition) static_cast<void>(sizeof((condition) ? 1 : 0))
#else
#define XMC_DASSERT(condition) XMC_CHECK(condition)
#endif
