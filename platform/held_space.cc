#include "platform/held_space.h"

#include "platform/files.h"
#include "xmc/check.h"

namespace xmc {

HeldSpace::~HeldSpace() {
  if (state_.load() == kHeld) static_cast<void>(calls_->close(fd_));
}

void HeldSpace::want(const FileCalls& calls, const char* folder, u64 bytes) {
  XMC_CHECK(state_.load() == kNothing);
  if (bytes == 0) return;
  calls_ = &calls;
  folder_ = folder;
  bytes_ = bytes;
  state_.store(kWanted);
}

void HeldSpace::take() {
  u32 wanted = kWanted;
  if (!state_.compare_exchange_strong(wanted, kTaking)) return;
  state_.store(allocate() ? kHeld : kNothing);
}

bool HeldSpace::allocate() {
  char path[kPathBytes];
  if (!join_path(path, folder_, kName).ok()) return false;
  fd_ = calls_->open(path, kOpenCreate);
  if (fd_ < 0) return false;
  if (remove_file(path).ok() && calls_->allocate(fd_, bytes_) >= 0) return true;
  static_cast<void>(calls_->close(fd_));
  return false;
}

bool HeldSpace::give_back() {
  u32 held = kHeld;
  if (state_.compare_exchange_strong(held, kGiving)) {
    static_cast<void>(calls_->close(fd_));
    state_.store(kGiven);
    state_.notify_all();
    return true;
  }
  state_.wait(kGiving);
  return state_.load() == kGiven;
}

}  // namespace xmc
