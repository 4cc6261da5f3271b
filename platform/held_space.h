// HeldSpace: room on the file system that nobody else can take, for the last checkpoint of a run
// whose device is full. A file without a name has it (removed as soon as it is open), so that it is
// given back when the process ends, however that happens, and nothing of it is ever found in a
// folder. Nothing is written to it: a system that cannot allocate without writing holds nothing.
#pragma once

#include <atomic>

#include "platform/file_calls.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class HeldSpace {
 public:
  // It has this name for as long as it takes to remove it. A kill in between leaves an empty file,
  // which the next run uses.
  static constexpr const char* kName = "held";

  HeldSpace() = default;
  HeldSpace(const HeldSpace&) = delete;
  HeldSpace& operator=(const HeldSpace&) = delete;
  ~HeldSpace();

  // With the first write, and at most once: most runs stay in memory, and have nothing to do with
  // the device. Without room for it, and where the system cannot do it, nothing is held.
  void want(const FileCalls& calls, const char* folder, u64 bytes);
  void take_if_wanted() {
    if (state_.load() == kWanted) take();
  }
  // What is held now.
  u64 bytes() const { return state_.load() == kHeld ? bytes_ : 0; }
  // A write found the device full.
  bool given_back() const { return state_.load() == kGiven; }

  // The write, and once more behind what was held, if the device is full. Threads may do so at the
  // same time: whoever was too early tries again, too.
  template <class Write>
  Status with_room(const Write& write) {
    Status status = write();
    if (status.code() == Code::disk_full && give_back()) status = write();
    return status;
  }

 private:
  enum State : u32 { kNothing, kWanted, kTaking, kHeld, kGiving, kGiven };

  void take();
  bool allocate();
  // False: there was nothing.
  bool give_back();

  const FileCalls* calls_ = nullptr;
  const char* folder_ = "";
  std::atomic<u32> state_ = kNothing;
  int fd_ = -1;
  u64 bytes_ = 0;
};

}  // namespace xmc
