// Device: the one path to storage. It has aligned blocks, batched reads, appends, sync and discard,
// and nothing else. A device is one file, or a stand-in for one. Stores open as many as they need
// through a Folder.
//
// The contract of every backend, checked by one conformance suite
// (tests/unit/platform/conformance_test.cc):
//  - Offsets, lengths and buffers are multiples of geometry().block_bytes: 4096, unless the device
//    wants more.
//  - append() writes at size_bytes() and moves it. There is no other write: flash is never updated
//    in place. The two root slots of a checkpoint are files of their own, written by replace().
//  - Appended data can be read back at once. It survives a power cut only after sync() returned ok.
//  - A batch of reads may be served in any order. read() returns when all of it is there.
//  - A short transfer is completed or is an error, never a silent success. EINTR is retried inside.
//  - A read beyond size_bytes() is an error, Code::corrupt: the caller believed in data that is not
//    there.
//  - A failed append leaves size_bytes() where it was.
//
// begin_read() and begin_append() let the device work while the owner computes. At most one read
// (or one batch) and one append are under way per device. Their memory belongs to the device until
// the matching finish call. The usual order of a writer is
//     fill A; finish_append; begin_append(A); fill B; finish_append; begin_append(B); ...
//  - size_bytes() moves when an append begins. The call that finishes the append answers with its
//    error; size_bytes() then moves back, and the device refuses further appends and syncs, for the
//    owner believed the data written.
//  - Every other call finishes the append under way first, and so may answer with its error. It
//    waits for the read under way, too, but the answer of that read stays for finish_read().
//  - close() finishes both and has no answer: call the finish functions before it to know.
//  - A read that begins inside an append under way waits for that append.
//  - A backend that cannot work in the background does the transfer inside the begin call.
// Not thread-safe: a device has one owner.
#pragma once

#include <span>

#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

// What an access is for: every byte is counted under one of these.
//  states      the visited set: sorted runs, partitions
//  queue       states in order of discovery; scans of it for known states, too
//  candidates  successors that are not compared yet
//  trace       what is read again to find the path of a counterexample
enum class Purpose : u8 {
  states,
  queue,
  candidates,
  index,
  edges,
  stack,
  checkpoint,
  trace,
  other
};
inline constexpr u32 kPurposes = 9;
inline constexpr const char* kPurposeNames[kPurposes] = {
    "states", "queue", "candidates", "index", "edges", "stack", "checkpoint", "trace", "other"};

struct DeviceGeometry {
  u32 block_bytes = kPageBytes;   // alignment of offsets, lengths and memory
  u32 preferred_bytes = 1 << 20;  // efficient transfer size
  u32 queue_depth = 1;            // reads that the device serves at once
  bool direct = false;            // past the page cache
};

struct DeviceCounters {
  struct Flow {
    u64 bytes_read = 0;
    u64 bytes_written = 0;
    u64 read_calls = 0;  // requests, not batches
    u64 write_calls = 0;
    u64 random_reads = 0;  // requests that do not start where the previous one ended
  };
  Flow by_purpose[kPurposes];
  u64 syncs = 0;
  u64 discarded_bytes = 0;
  u64 wait_ns = 0;  // time spent inside calls: what a transfer under way takes beside them is not

  Flow total() const;
};

// Where a block belongs: its checksum is bound to this (store/files/block.h), so that a block is
// sound only where it was written. A misdirected write, a copied file and what an earlier use of
// the same place left are all found by the first read.
struct BlockPlace {
  u64 seed = 0;        // of the run, the file and the offset in it
  u16 life = 0;        // counts the times that a place was given up and may be written anew
  bool is_new = true;  // written since the file was opened or cut: it has to be of this life
};

struct ReadRequest {
  u64 offset = 0;
  std::span<u8> into;
};

class Device {
 public:
  virtual DeviceGeometry geometry() const = 0;
  virtual u64 size_bytes() const = 0;
  // Of what is written at this offset, or is to be.
  virtual BlockPlace place(u64 offset) const = 0;
  virtual Status read(std::span<const ReadRequest> batch, Purpose purpose) = 0;
  virtual Status append(std::span<const u8> blocks, Purpose purpose) = 0;
  // Start a transfer. A transfer of the same kind that is under way is finished first, and its
  // error is the answer. Bytes and calls are counted here.
  virtual Status begin_read(const ReadRequest& request, Purpose purpose) = 0;
  // The same for a batch; the requests themselves stay where they are until it is finished, too.
  virtual Status begin_reads(std::span<const ReadRequest> batch, Purpose purpose) = 0;
  virtual Status begin_append(std::span<const u8> blocks, Purpose purpose) = 0;
  // Wait for it; ok when nothing is under way.
  virtual Status finish_read() = 0;
  virtual Status finish_append() = 0;
  // Durable when it returns ok.
  virtual Status sync() = 0;
  // The contents of the range are not needed any more; the space may be given back.
  virtual Status discard(u64 offset, u64 bytes) = 0;
  // Cuts the file at `bytes`, a multiple of the block: resume so drops what came after the
  // checkpoint.
  virtual Status truncate(u64 bytes) = 0;
  virtual const DeviceCounters& counters() const = 0;

 protected:
  ~Device() = default;  // devices live in storage of their owner and are never deleted through here
};

// A set of devices by name: a work directory, or its stand-in in RAM.
class Folder {
 public:
  enum class Open : u8 { create, existing };
  // At most limits of the backend are open at once; the returned device belongs to the folder.
  virtual Result<Device*> open(const char* name, Open how) = 0;
  virtual void close(Device* device) = 0;
  virtual Status remove(const char* name) = 0;
  // Replaces a small file atomically and durably (write aside, sync, rename, sync folder).
  virtual Status replace(const char* name, std::span<const u8> contents) = 0;
  virtual Result<u64> load(const char* name, std::span<u8> into) = 0;  // bytes read
  virtual Result<u64> free_bytes() = 0;
  // Time that was spent inside calls of all devices so far, and of remove, replace and load.
  virtual u64 wait_ns() const = 0;
  // Durable names: after creating or removing files.
  virtual Status sync() = 0;

 protected:
  ~Folder() = default;
};

}  // namespace xmc
