// OwnerFolder: the folder of a run as one of several owners in this process sees it: files of its
// own, by a prefix of their names, beside those of the others. A folder and what its devices count
// is for one thread at a time (shared_device.h).
#pragma once

#include "engine/search/shared_device.h"
#include "store/checkpoint/owner_lines.h"
#include "store/files/numbered_file.h"

namespace xmc {

class OwnerFolder final : public Folder {
 public:
  // Null: there is one thread only.
  void start(Folder& folder, Parallel* parallel, const OwnerPrefix& prefix);

  Result<Device*> open(const char* name, Open how) override;
  void close(Device* device) override;
  Status remove(const char* name) override;
  Status replace(const char* name, std::span<const u8> contents) override;
  Result<u64> load(const char* name, std::span<u8> into) override;
  Result<u64> free_bytes() override;
  u64 wait_ns() const override;
  Status sync() override;

 private:
  static constexpr u32 kDevices = 20;  // that an engine has open at once

  FileName name_of(const char* name) const;

  Folder* folder_ = nullptr;
  Parallel* parallel_ = nullptr;
  OwnerPrefix prefix_;
  SharedDevice devices_[kDevices];
  u64 closed_wait_ns_ = 0;
};

}  // namespace xmc
