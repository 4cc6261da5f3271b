// A card in memory for one run: it fails by plan while a process works, and is damaged at rest
// between two of them.
#pragma once

#include <string>
#include <vector>

#include "platform/device_fault.h"
#include "platform/device_ram.h"
#include "trial.h"
#include "xmc/check.h"

namespace xmc_test {

class Card {
 public:
  Card() : disk_(kDiskBytes), journal_(kJournalBytes), below_(disk_.memory) {}

  FaultFolder& folder() { return folder_; }

  // The process is gone, and what it left unsynced is as `survival` says: kept, unless the power
  // went with it. Nothing fails from now on.
  void end_process(u64 seed, Survival survival) {
    if (folder_.powered()) {
      FaultPlan plan;
      plan.seed = seed;
      plan.survival = survival;
      folder_.arm(plan);
      folder_.cut_power_now();
    }
    folder_.restore_power();
    folder_.arm({});
  }

  // Of a file made of pages; empty if there is none.
  std::vector<u8> contents(const char* name) {
    const Result<Device*> device = below_.open(name, Folder::Open::existing);
    if (!device.ok()) return {};
    const auto bytes = static_cast<std::size_t>(device.value()->size_bytes());
    Region buffer(bytes + 1);
    const ReadRequest request = {0, buffer.memory.first(bytes)};
    const bool read = device.value()->read({&request, 1}, Purpose::other).ok();
    below_.close(device.value());
    if (!read) return {};
    return {buffer.memory.begin(), buffer.memory.begin() + static_cast<std::ptrdiff_t>(bytes)};
  }
  void put(const char* name, const std::vector<u8>& contents) {
    Region buffer(contents.size() + 1);
    std::copy(contents.begin(), contents.end(), buffer.memory.begin());
    Device* const device = below_.open(name, Folder::Open::create).value();
    XMC_CHECK(device->append(buffer.memory.first(contents.size()), Purpose::other).ok());
    below_.close(device);
  }
  bool has(const char* name) {
    u8 byte[64 << 10];
    return below_.load(name, byte).ok();
  }
  // Of a small file of any size, as the roots are.
  std::vector<u8> small_file(const char* name) {
    std::vector<u8> bytes(64 << 10);
    const Result<u64> got = below_.load(name, bytes);
    bytes.resize(got.ok() ? static_cast<std::size_t>(got.value()) : 0);
    return bytes;
  }
  void put_small(const char* name, const std::vector<u8>& contents) {
    XMC_CHECK(below_.replace(name, contents).ok());
  }

 private:
  static constexpr std::size_t kDiskBytes = 32 << 20;
  static constexpr std::size_t kJournalBytes = 8 << 20;

  Region disk_;
  Region journal_;
  RamFolder below_;
  FaultFolder folder_{below_, journal_.memory};
};

}  // namespace xmc_test
