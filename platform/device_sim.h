// SimFolder: a simulated card on top of another folder. The data goes to the folder below. Here the
// time is worked out that the card would have taken, and added to a clock that is not the real one.
//
// The model follows what flashbench shows of SD cards: storage in erase units of 4 MiB, five of
// them open.
//  - A batch of n reads takes ceil(n / queue depth) read latencies + bytes / read bandwidth.
//  - An append takes one write latency + bytes / write bandwidth.
//  - Every file has erase units of its own: byte o of a file lies in its unit o / unit_bytes. The
//    first write opens a unit. A unit that is written to its end closes by itself, at no cost.
//  - Some writes cost a rewrite of one unit (unit_bytes / write bandwidth), once per unit touched:
//    a write that opens a unit while the limit of open units is reached (the least recently written
//    one is closed), and a write that does not continue its unit, because it begins elsewhere than
//    the last write ended, or in the middle of a unit that is not open.
//  - sync takes one write latency. Small files (replace) are appended to one log unit that the file
//    system shares among them, with two syncs; load is one read. Discard and remove take no time
//    and close the units.
//  - Names of files take no time: open, close, remove, sync of the folder.
//  - The card does one thing after the other. What begin_read() and begin_append() start takes the
//    card's time from when the card is free, but not the caller's: finishing waits for the rest.
//    The data moves at the finish, so that a caller who touches the memory before is found out.
// Times are sums of whole nanoseconds, each quotient rounded up, so that tests can be exact.
#pragma once

#include "platform/card_profiles.h"
#include "platform/clock.h"
#include "platform/device_base.h"

namespace xmc {

struct CardCounters {
  u64 units_opened = 0;
  u64 unit_rewrites = 0;  // penalties paid
  u64 written_bytes = 0;  // what the flash had to take: host bytes and rewritten units
  u64 device_ns = 0;      // time that the card was busy
};

// The time and the open units of one card. A number that belongs to the name tells files apart.
class CardModel {
 public:
  CardModel(const CardProfile& profile, Clock& clock);

  // What the card is asked for begins when it is free, and is done at the time returned.
  u64 read(u64 requests, u64 bytes);
  u64 write(u64 file, u64 offset, u64 bytes);
  u64 sync();
  void wait_until(u64 ns);
  // Forgets the open units of a file that lie wholly in [begin, end). They are erased, and to be
  // written from their start.
  void drop(u64 file, u64 begin, u64 end);

  const CardProfile& profile() const { return profile_; }
  const CardCounters& counters() const { return counters_; }
  u64 now_ns() const { return clock_->now_ns(); }

 private:
  struct Unit {
    u64 file = 0;
    u64 number = 0;  // in the file
    u64 next = 0;    // offset in the file where an append has to go
    u64 used_at = 0;
  };

  bool write_unit(u64 file, u64 offset, u64 end);  // true: a rewrite is to be paid
  u64 occupy(u64 ns);

  CardProfile profile_;
  Clock* clock_;
  CardCounters counters_;
  Unit open_[kOpenUnitsLimit];
  u32 open_count_ = 0;
  u64 tick_ = 0;
  u64 busy_until_ns_ = 0;
};

class SimDevice final : public DeviceBase {
 public:
  SimDevice(DiskUse& use, const char* name, CardModel& card, u64 file, Device& below);
  Device& below() { return *below_; }

 private:
  Status do_read(std::span<const ReadRequest> batch, Purpose purpose) override;
  Status do_append(std::span<const u8> blocks, Purpose purpose) override;
  Status do_sync() override;
  Result<bool> do_discard(u64 offset, u64 bytes) override;
  Status do_truncate(u64 bytes) override;
  bool do_begin_read(std::span<const ReadRequest> batch, Purpose purpose, Status& result) override;
  bool do_begin_append(std::span<const u8> blocks, Purpose purpose, Status& result) override;
  void do_finish_read() override;
  void do_finish_append() override;
  u64 now_ns() const override { return card_->now_ns(); }

  struct Pending {
    u64 done_ns = 0;
    Purpose purpose = Purpose::other;
    Status* result = nullptr;
  };

  CardModel* card_;
  Device* below_;
  u64 file_;
  Pending pending_read_;
  std::span<const ReadRequest> read_batch_;
  Pending pending_append_;
  std::span<const u8> append_blocks_;
};

class SimFolder final : public FolderBase {
 public:
  // The folder below and the clock must outlive this.
  SimFolder(Folder& below, const CardProfile& profile, Clock& clock)
      : below_(&below), card_(profile, clock) {}

  Result<u64> free_bytes() override { return below_->free_bytes(); }
  Status sync() override { return below_->sync(); }
  const CardCounters& card_counters() const { return card_.counters(); }

 private:
  Result<DeviceBase*> do_open(u32 slot, const char* name, Open how) override;
  void do_close(u32 slot) override;
  Status do_remove(const char* name) override;
  Status do_replace(const char* name, std::span<const u8> contents) override;
  Result<u64> do_load(const char* name, std::span<u8> into) override;
  u64 now_ns() const override { return card_.now_ns(); }

  Folder* below_;
  CardModel card_;
  u64 log_bytes_ = 0;  // length of the log of small files
  DeviceSlots<SimDevice> devices_;
};

}  // namespace xmc
