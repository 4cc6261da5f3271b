#include "platform/file_backend.h"

#include "platform/device_posix.h"

namespace xmc {
namespace {

FileBackend* posix() {
  static constinit PosixBackend backend(kSystemCalls);
  return &backend;
}

FileBackend* uring_or_null() {
#ifdef XMC_HAVE_URING
  return uring_backend();
#else
  return nullptr;
#endif
}

FileBackend* llfio_or_null() {
#ifdef XMC_HAVE_LLFIO
  return llfio_backend();
#else
  return nullptr;
#endif
}

constexpr const char* kBuilt[] = {
    "posix",
#ifdef XMC_HAVE_URING
    "uring",
#endif
#ifdef XMC_HAVE_LLFIO
    "llfio",
#endif
};

}  // namespace

std::span<const char* const> built_backends() { return kBuilt; }

FileBackend* file_backend(IoBackend which) {
  switch (which) {
    case IoBackend::posix:
      return posix();
    case IoBackend::uring:
      return uring_or_null();
    case IoBackend::llfio:
      return llfio_or_null();
    case IoBackend::automatic:
      break;
  }
  if (FileBackend* llfio = llfio_or_null(); llfio != nullptr) return llfio;
  if (FileBackend* uring = uring_or_null(); uring != nullptr) return uring;
  return posix();
}

}  // namespace xmc
