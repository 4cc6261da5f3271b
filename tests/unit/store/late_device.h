// A device that keeps what it read to itself until it is waited for.
#pragma once

#include <doctest/doctest.h>

#include <vector>

#include "xmc/device.h"

namespace xmc {

class LateDevice final : public Device {
 public:
  explicit LateDevice(Device& device) : device_(device) {}
  DeviceGeometry geometry() const override { return device_.geometry(); }
  BlockPlace place(u64 offset) const override { return device_.place(offset); }
  u64 size_bytes() const override { return device_.size_bytes(); }
  Status read(std::span<const ReadRequest> batch, Purpose purpose) override {
    REQUIRE(under_way_.empty());
    return device_.read(batch, purpose);
  }
  Status append(std::span<const u8> blocks, Purpose purpose) override {
    return device_.append(blocks, purpose);
  }
  Status begin_read(const ReadRequest& request, Purpose purpose) override {
    return begin_reads({&request, 1}, purpose);
  }
  Status begin_reads(std::span<const ReadRequest> batch, Purpose) override {
    REQUIRE(under_way_.empty());
    under_way_.assign(batch.begin(), batch.end());
    // Nobody looks at this memory before it is there.
    for (const ReadRequest& request : under_way_) {
      for (u8& byte : request.into) byte = 0xA5;
    }
    ++begun;
    return {};
  }
  Status begin_append(std::span<const u8> blocks, Purpose purpose) override {
    return device_.begin_append(blocks, purpose);
  }
  Status finish_read() override {
    if (under_way_.empty()) return {};
    const std::vector<ReadRequest> batch = std::move(under_way_);
    under_way_.clear();
    if (begun == fail_at) return Status::fail(Code::io, "no more");
    return device_.read(batch, Purpose::states);
  }
  Status finish_append() override { return device_.finish_append(); }
  Status sync() override { return device_.sync(); }
  Status discard(u64 offset, u64 bytes) override { return device_.discard(offset, bytes); }
  Status truncate(u64 bytes) override { return device_.truncate(bytes); }
  const DeviceCounters& counters() const override { return device_.counters(); }

  u64 begun = 0;
  u64 fail_at = 0;

 private:
  Device& device_;
  std::vector<ReadRequest> under_way_;
};

}  // namespace xmc
