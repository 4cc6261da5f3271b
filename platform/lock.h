// The lock of a work directory: a file that is locked with flock(2) as long as the process lives,
// with its process number inside for the message to the next one. The kernel drops the lock with
// the process, so a crash leaves no stale lock; the number in the file is only for people.
#pragma once

#include "platform/files.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class FolderLock {
 public:
  FolderLock() = default;
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock() { release(); }

  // Creates folder/lock. Code::usage with "... held by pid N" when another process has it.
  Status acquire(const char* folder);
  // Removes the file and gives the lock back. Nothing happens without a lock.
  void release();
  bool held() const { return fd_ >= 0; }

  struct Holder {
    bool running = false;
    u64 pid = 0;  // 0: not known
  };
  // Who has the lock of a folder, without taking it.
  static Holder holder(const char* folder);

  // Whether the file of this name in the folder was made by acquire(): what it says is ours, or it
  // says nothing yet.
  static bool is_ours(const char* folder);

  // The name of the lock file, so that cleaning up can leave it to release().
  static constexpr const char* kName = "lock";

 private:
  int fd_ = -1;
  char path_[kPathBytes] = {};
};

}  // namespace xmc
