// FaultFolder: a folder whose power fails, for tests of everything that has to survive that. It
// stands on another folder and keeps what was not synced in a journal (memory of the caller), as a
// card keeps it in its cache: a read sees it, a power cut loses it, or parts of it.
//
// What a cut does to the unsynced data of a file is decided by the plan's seed and Survival:
//  dropped       none of it is there
//  kept          all of it is there
//  torn_blocks   a prefix of it is there, cut between two blocks
//  torn_sectors  a prefix of it is there, cut between two sectors of 512 bytes; the rest of that
//                block is zero
//  reordered     every block is there or not on its own; the file ends after the last one there,
//                missing ones before it read as zeros
//  any           one of these per file
// Names are not durable before sync() of the folder: a file that was created may be gone (even when
// its data was synced), one that was removed may be back. replace() is atomic: a cut inside leaves
// the old or the new contents. Legal but milder than the worst a file system may do: truncate, and
// create over an existing name, take effect at once; a journal that is full is written back.
//
// Every call that changes storage is one step: append, sync, truncate, replace, remove, create,
// folder sync. The power fails in step `cut_at` (counted from 1); the step itself is torn like any
// other. Afterwards every call fails until restore_power(), which closes all devices and presents
// what survived.
#pragma once

#include <span>

#include "platform/device_base.h"
#include "platform/fault_journal.h"

namespace xmc {

enum class Survival : u8 { dropped, kept, torn_blocks, torn_sectors, reordered, any };

// Counts start at 1; 0 is never.
struct FaultPlan {
  u64 seed = 1;
  u64 cut_at = 0;  // power fails in this step
  Survival survival = Survival::any;
  u64 fail_read_at = 0;            // EIO for this read request
  u64 fail_write_at = 0;           // EIO for this append or replace
  u64 fail_sync_at = 0;            // EIO for this sync of a device
  u64 flip_read_at = 0;            // one bit of this read request comes back wrong
  u64 full_after_bytes = ~u64{0};  // ENOSPC beyond this many bytes appended or replaced
};

// A call that a fault can meet. Those that have no purpose of their own are Purpose::checkpoint for
// the roots and Purpose::other else.
struct FaultEvent {
  enum class Kind : u8 { read, append, sync, truncate, create, remove, replace, sync_names };
  static constexpr u32 kKinds = 8;
  Kind kind = Kind::read;
  Purpose purpose = Purpose::other;
  char name[kDeviceNameBytes] = {};  // of the file; empty for the folder
  u64 offset = 0;
};

class FaultFolder;

class FaultDevice final : public DeviceBase {
 public:
  FaultDevice(DiskUse& use, const char* name, FaultFolder& folder, u32 file, Device& below,
              u64 size_bytes);
  u32 file() const { return file_; }

 private:
  Status do_read(std::span<const ReadRequest> batch, Purpose purpose) override;
  Status do_append(std::span<const u8> blocks, Purpose purpose) override;
  Status do_sync() override;
  Result<bool> do_discard(u64 offset, u64 bytes) override;
  Status do_truncate(u64 bytes) override;

  FaultFolder* folder_;
  Device* below_;
  u32 file_;
};

class FaultFolder final : public FolderBase {
 public:
  // The folder below and the memory must outlive this. The journal should hold what a test leaves
  // unsynced.
  FaultFolder(Folder& below, std::span<u8> journal_memory);

  // From now on; all counts start again.
  void arm(const FaultPlan& plan);
  // The power fails now, between two steps.
  void cut_power_now();
  void restore_power();
  bool powered() const { return powered_; }
  u64 steps() const { return steps_; }  // since arm()
  u64 reads() const { return reads_; }
  u64 writes() const { return writes_; }
  u64 syncs() const { return syncs_; }
  u64 bytes_taken() const { return space_used_; }
  // The first call since arm() that a fault of the plan has met.
  bool was_hit() const { return was_hit_; }
  const FaultEvent& hit() const { return hit_; }
  // Told of every call from now on, before its fault, if it has one: how a test finds out what
  // there is to be met.
  void watch(void* self, void (*see)(void* self, const FaultEvent& event)) {
    watcher_ = self;
    see_ = see;
  }

  Result<u64> free_bytes() override;
  Status sync() override;

 private:
  friend class FaultDevice;
  static constexpr u32 kFiles = 192;

  struct File {
    char name[kDeviceNameBytes] = {};
    Device* below = nullptr;  // while it is open
    bool used = false;
    bool fresh = false;    // created since the last sync of the folder
    bool removed = false;  // removed since then; the folder below still has it
  };

  bool begin_step(FaultEvent::Kind kind, const char* name, Purpose purpose,
                  u64 offset = 0);  // true: the power fails in this step
  void begin_read(const char* name, Purpose purpose, u64 offset);
  void meet(FaultEvent::Kind kind, const char* name, Purpose purpose, u64 offset);
  Status power_off() const;
  Status take_write(const char* name, u64 bytes);
  Status fail_if(bool hit, const char* what, const char* name);
  void note_hit();
  void flip_one(std::span<u8> bytes, u64 offset);
  bool coin(u64 a, u64 b) const;
  u64 dice(u64 a, u64 b) const;

  u32 find(const char* name) const;
  u32 track(const char* name);  // kNone when the table is full
  bool gone(const char* name) const;
  void commit_removal(u32 file);

  Status write_back(u32 file);
  Status write_back_all();
  Status journal_append(u32 file, std::span<const u8> blocks, u64 offset);
  Status cut_power();
  Status settle(u32 file);
  Status settle_data(u32 file, Device& below);

  Result<DeviceBase*> do_open(u32 slot, const char* name, Open how) override;
  void do_close(u32 slot) override;
  Status do_remove(const char* name) override;
  Status do_replace(const char* name, std::span<const u8> contents) override;
  Result<u64> do_load(const char* name, std::span<u8> into) override;

  Folder* below_;
  FaultJournal journal_;
  FaultPlan plan_;
  bool powered_ = true;
  u64 steps_ = 0;
  u64 reads_ = 0;
  u64 writes_ = 0;
  u64 syncs_ = 0;
  u64 space_used_ = 0;
  FaultEvent met_;  // the call under way
  FaultEvent hit_;
  bool was_hit_ = false;
  void* watcher_ = nullptr;
  void (*see_)(void* self, const FaultEvent& event) = nullptr;
  File files_[kFiles];
  DeviceSlots<FaultDevice> devices_;
  alignas(kBlockBytes) u8 block_[kBlockBytes] = {};
};

}  // namespace xmc
