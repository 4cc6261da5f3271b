// FileCalls: the system calls under the POSIX backend, as a table. The product always uses the real
// ones; tests put in their own, so that short transfers, EINTR, EINVAL for O_DIRECT and full disks
// meet the real retry loops. Every call returns a value >= 0, or the negated errno.
#pragma once

#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

enum OpenFlag : u32 {
  kOpenCreate = 1,  // create or empty
  kOpenDirect = 2,  // past the page cache
};

struct FileCalls {
  int (*open)(const char* path, u32 flags);
  int (*close)(int fd);
  i64 (*size)(int fd);
  i64 (*read)(int fd, u8* into, u64 bytes, u64 offset);
  i64 (*write)(int fd, const u8* from, u64 bytes, u64 offset);
  int (*sync)(int fd);
  int (*truncate)(int fd, u64 bytes);
  int (*punch)(int fd, u64 offset, u64 bytes);  // gives the blocks of a range back, the size stays
  int (*stop_direct)(int fd);                   // from now on through the page cache
  int (*allocate)(int fd, u64 bytes);           // takes the space without writing, the size stays
};

extern const FileCalls kSystemCalls;

// Writes all of it at the offset; EINTR and short transfers are retried. With `direct` only whole
// blocks count as progress, for the next transfer has to start aligned again. 0 or the negated
// errno.
int write_fully(const FileCalls& calls, int fd, const u8* from, u64 bytes, u64 offset, bool direct);

// Reads up to the end of the file or of the buffer: the bytes read, or the negated errno.
i64 read_fully(const FileCalls& calls, int fd, u8* into, u64 bytes, u64 offset, bool direct);

// sync with EINTR retried.
int sync_fully(const FileCalls& calls, int fd);

// ENOSPC and EDQUOT are Code::disk_full, everything else is Code::io.
Code code_of_error(int os_error);

}  // namespace xmc
