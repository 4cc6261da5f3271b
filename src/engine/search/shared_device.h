// SharedDevice: a file of one thread beside others of the same folder. Devices of a folder count
// what they take together, and the outside looks at the counters of all of them, so that one thread
// at a time may call any (Parallel::lock). It waits for the transfer with the lock held: a card
// serves one request at a time anyway.
#pragma once

#include "xmc/device.h"
#include "xmc/parallel.h"

namespace xmc {

class SharedDevice final : public Device {
 public:
  // Null: there is one thread only.
  void start(Device* device, Parallel* parallel) {
    device_ = device;
    parallel_ = parallel;
  }
  bool is_started() const { return device_ != nullptr; }
  Device* device() const { return device_; }

  DeviceGeometry geometry() const override { return device_->geometry(); }
  u64 size_bytes() const override { return device_->size_bytes(); }
  BlockPlace place(u64 offset) const override { return device_->place(offset); }
  Status read(std::span<const ReadRequest> batch, Purpose purpose) override {
    const ParallelLock lock(parallel_);
    return device_->read(batch, purpose);
  }
  Status append(std::span<const u8> blocks, Purpose purpose) override {
    const ParallelLock lock(parallel_);
    return device_->append(blocks, purpose);
  }
  Status begin_read(const ReadRequest& request, Purpose purpose) override {
    const ParallelLock lock(parallel_);
    return device_->begin_read(request, purpose);
  }
  Status begin_reads(std::span<const ReadRequest> batch, Purpose purpose) override {
    const ParallelLock lock(parallel_);
    return device_->begin_reads(batch, purpose);
  }
  Status begin_append(std::span<const u8> blocks, Purpose purpose) override {
    const ParallelLock lock(parallel_);
    return device_->begin_append(blocks, purpose);
  }
  Status finish_read() override {
    const ParallelLock lock(parallel_);
    return device_->finish_read();
  }
  Status finish_append() override {
    const ParallelLock lock(parallel_);
    return device_->finish_append();
  }
  Status sync() override {
    const ParallelLock lock(parallel_);
    return device_->sync();
  }
  Status discard(u64 offset, u64 bytes) override {
    const ParallelLock lock(parallel_);
    return device_->discard(offset, bytes);
  }
  Status truncate(u64 bytes) override {
    const ParallelLock lock(parallel_);
    return device_->truncate(bytes);
  }
  const DeviceCounters& counters() const override { return device_->counters(); }

 private:
  Device* device_ = nullptr;
  Parallel* parallel_ = nullptr;
};

}  // namespace xmc
