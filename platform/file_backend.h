// FileBackend: one way to move aligned blocks between memory and files. FileFolder (device_file.h)
// puts devices on top of it; POSIX, io_uring and LLFIO are three of them. To add one: implement
// these nine calls, name it in IoBackend and in file_backend.cc; the conformance suite then runs on
// it.
#pragma once

#include <span>

#include "platform/file_calls.h"
#include "xmc/device.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class FileBackend {
 public:
  // An open file: the handle is the backend's, the name is for messages.
  struct File {
    u32 handle = kNone;
    const char* name = "";
  };
  struct Opened {
    u32 handle = kNone;
    u64 size_bytes = 0;
    bool direct = false;  // false although it was wanted: the file system refused
  };

  virtual const char* name() const = 0;
  virtual u32 queue_depth() const = 0;
  // `create` empties a file that is there.
  virtual Result<Opened> open(const char* path, bool create, bool want_direct) = 0;
  virtual void close(const File& file) = 0;
  // The batch lies inside the file. When the file ended early the answer is Code::corrupt.
  virtual Status read(const File& file, std::span<const ReadRequest> batch) = 0;
  // All of it or an error; after an error the file is no longer than `offset` again where that is
  // possible.
  virtual Status write(const File& file, u64 offset, std::span<const u8> blocks) = 0;
  virtual Status sync(const File& file) = 0;
  virtual Status truncate(const File& file, u64 bytes) = 0;
  // Whether the file system took the space back.
  virtual Result<bool> discard(const File& file, u64 offset, u64 bytes) = 0;
  // Changes to false when the kernel refuses a direct transfer of an open file.
  virtual bool direct(const File& file) const = 0;

 protected:
  ~FileBackend() = default;
};

enum class IoBackend : u8 { automatic, posix, uring, llfio };

// The backend, one instance per process. Null when it is not compiled in or the kernel does not
// allow it (io_uring is switched off in many containers). automatic: LLFIO if compiled in, else
// io_uring if it works, else POSIX.
FileBackend* file_backend(IoBackend which);

// Those that are compiled in, whatever the kernel says: "posix", "uring", "llfio".
std::span<const char* const> built_backends();

// Defined where the build found the library.
FileBackend* uring_backend();
FileBackend* llfio_backend();

}  // namespace xmc
