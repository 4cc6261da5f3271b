// DeviceBase and FolderBase: what every backend has in common, in one place. The public calls of
// Device and Folder end here: arguments are checked, bytes and calls are counted, random reads are
// told from sequential ones, slots are handed out. A backend fills in the do_... functions and sees
// only valid calls.
//
// After a failed sync a device refuses further appends and syncs. Linux marks the pages clean after
// it reported the failure once, so a second sync would say ok about data that is lost. The same
// goes for an append that failed after begin_append() had said ok.
#pragma once

#include <new>
#include <span>
#include <string_view>
#include <utility>

#include "platform/open_files.h"
#include "xmc/device.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

// Longest name of a file in a work directory, final zero included.
inline constexpr u32 kDeviceNameBytes = 64;

inline constexpr u32 kBlockBytes = kPageBytes;

// Bytes that the files of a folder take, now and at most.
struct DiskUse {
  u64 now_bytes = 0;
  u64 peak_bytes = 0;

  void grow(u64 bytes);
  void shrink(u64 bytes);
};

// The run that a folder belongs to, and a number that grows with every file that is made or cut.
// Both are part of what blocks are bound to (BlockPlace).
struct FolderIdentity {
  u64 run = 0;
  u16 life = 0;
};

class DeviceBase : public Device {
 public:
  DeviceGeometry geometry() const final { return geometry_; }
  u64 size_bytes() const final { return size_bytes_; }
  BlockPlace place(u64 offset) const final;
  // What is there already, unless the file is new, may be of any life.
  void bind(FolderIdentity& identity, bool is_new);
  Status read(std::span<const ReadRequest> batch, Purpose purpose) final;
  Status append(std::span<const u8> blocks, Purpose purpose) final;
  Status begin_read(const ReadRequest& request, Purpose purpose) final;
  Status begin_reads(std::span<const ReadRequest> batch, Purpose purpose) final;
  Status begin_append(std::span<const u8> blocks, Purpose purpose) final;
  Status finish_read() final;
  Status finish_append() final;
  Status sync() final;
  Status discard(u64 offset, u64 bytes) final;
  Status truncate(u64 bytes) final;
  const DeviceCounters& counters() const final { return counters_; }

  const char* name() const { return name_; }
  // Nothing is running afterwards. The error of an append is the answer, that of a read waits.
  Status settle();

 protected:
  // A size that is no multiple of the block is rounded down: a torn tail is no data.
  DeviceBase(DiskUse& use, const char* name, DeviceGeometry geometry, u64 size_bytes);
  ~DeviceBase() = default;

  virtual Status do_read(std::span<const ReadRequest> batch, Purpose purpose) = 0;
  // At size_bytes(), which moves only after ok.
  virtual Status do_append(std::span<const u8> blocks, Purpose purpose) = 0;
  virtual Status do_sync() = 0;
  // Whether the space was given back; a backend that cannot do so answers false.
  virtual Result<bool> do_discard(u64 offset, u64 bytes) = 0;
  virtual Status do_truncate(u64 bytes) = 0;
  // Start a transfer and answer true: `result` is then written by the time that do_finish_... of it
  // returns. False: nothing was started, and the transfer is done at once by do_read or do_append.
  // An append goes to size_bytes() as it is when the hook is called.
  virtual bool do_begin_read(std::span<const ReadRequest> batch, Purpose purpose, Status& result);
  virtual bool do_begin_append(std::span<const u8> blocks, Purpose purpose, Status& result);
  virtual void do_finish_read() {}
  virtual void do_finish_append() {}
  virtual u64 now_ns() const;  // for DeviceCounters::wait_ns

  void set_direct(bool direct) { geometry_.direct = direct; }

 private:
  // A transfer between its begin and its finish.
  struct UnderWay {
    bool open = false;     // the caller has not finished it yet
    bool running = false;  // the backend may be at work on it
    u64 offset = 0;
    u64 bytes = 0;
    Status result;
  };

  bool aligned(u64 value) const { return value % geometry_.block_bytes == 0; }
  bool aligned(const u8* at) const;
  Status check_read(const ReadRequest& request) const;
  void count_read(const ReadRequest& request, DeviceCounters::Flow& flow);
  void count_append(u64 bytes, Purpose purpose);
  void check_append(std::span<const u8> blocks) const;
  // Why nothing is written any more, if so.
  Status check_writable() const;
  void wait_for_read();

  DiskUse* use_;
  DeviceGeometry geometry_;
  u64 size_bytes_;
  FolderIdentity* identity_ = nullptr;
  u64 file_seed_ = 0;  // of the run and the name
  u16 life_ = 0;
  u64 new_from_ = 0;  // what lies behind is of this life
  u64 last_read_end_ = 0;
  bool sync_failed_ = false;
  bool append_failed_ = false;  // one that begin_append() had promised
  UnderWay reading_;
  ReadRequest alone_;  // a read under way that is no batch
  UnderWay appending_;
  DeviceCounters counters_;
  char name_[kDeviceNameBytes];
};

class FolderBase : public Folder {
 public:
  // create empties a file that is there; existing is an error (ENOENT) for one that is not.
  Result<Device*> open(const char* name, Open how) final;
  void close(Device* device) final;
  // Ok when there is no such file. It must not be open.
  Status remove(const char* name) final;
  Status replace(const char* name, std::span<const u8> contents) final;
  Result<u64> load(const char* name, std::span<u8> into) final;

  // What is opened from here on belongs to this run. `life` differs from that of the processes
  // before this one.
  void bind(u64 run, u16 life) { identity_ = {run, life}; }

  // Devices that are open, that were closed, and the bytes of replace and load (as checkpoint).
  DeviceCounters counters() const;
  u64 wait_ns() const final;
  const DiskUse& disk_use() const { return use_; }
  // Room for the end of a run on a device that others fill, from the first append on
  // (held_space.h); a folder that cannot hold any has none. Once at most.
  virtual void hold_space(u64) {}
  virtual u64 held_bytes() const { return 0; }
  // The device was full, and what was held is in use: it is time for a checkpoint.
  virtual bool ran_full() const { return false; }
  u32 open_count() const;

 protected:
  FolderBase() = default;
  FolderBase(const FolderBase&) = delete;
  FolderBase& operator=(const FolderBase&) = delete;
  ~FolderBase() = default;

  virtual Result<DeviceBase*> do_open(u32 slot, const char* name, Open how) = 0;
  virtual void do_close(u32 slot) = 0;
  virtual Status do_remove(const char* name) = 0;
  virtual Status do_replace(const char* name, std::span<const u8> contents) = 0;
  virtual Result<u64> do_load(const char* name, std::span<u8> into) = 0;
  virtual u64 now_ns() const;  // as DeviceBase's

  DeviceBase* open_in(u32 slot) { return open_[slot]; }
  // Waits for every transfer under way; for destructors of folders whose devices work on.
  void settle_all();
  DiskUse use_;

 private:
  void check_closed(const char* name) const;

  DeviceBase* open_[kOpenDevices] = {};
  DeviceCounters retired_;
  FolderIdentity identity_;
};

// Storage for the devices of a folder, made anew at each open.
template <class D>
class DeviceSlots {
 public:
  template <class... Arguments>
  D* make(u32 slot, Arguments&&... arguments) {
    return ::new (static_cast<void*>(storage_[slot])) D(std::forward<Arguments>(arguments)...);
  }
  D& at(u32 slot) { return *std::launder(reinterpret_cast<D*>(storage_[slot])); }

 private:
  alignas(D) u8 storage_[kOpenDevices][sizeof(D)];
};

// What a file that is not there is to the callers of a folder.
Status no_file(const char* name);

}  // namespace xmc
