// Every backend that is compiled in, as folders that clean up: what the conformance suites run on.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "platform/card_profiles.h"
#include "platform/device_fault.h"
#include "platform/device_file.h"
#include "platform/device_ram.h"
#include "platform/device_sim.h"
#include "platform/file_backend.h"
#include "support.h"
#include "xmc/bytes.h"

namespace xmc::test {

inline constexpr u64 kRamBytes = u64{24} << 20;

// A folder with everything that it stands on.
struct Rig {
  virtual ~Rig() = default;
  virtual FolderBase& folder() = 0;
};

struct FileRig : Rig {
  FileRig(FileBackend& backend, bool direct) : files(backend, direct) {
    REQUIRE(files.start(temp.c_str()).ok());
  }
  FolderBase& folder() override { return files; }
  TempFolder temp;
  FileFolder files;
};

struct RamRig : Rig {
  FolderBase& folder() override { return ram; }
  Aligned memory{kRamBytes};
  RamFolder ram{memory.span()};
};

struct FaultRig : RamRig {
  FolderBase& folder() override { return fault; }
  Aligned journal{1 << 20};
  FaultFolder fault{ram, journal.span()};
};

struct SimRig : RamRig {
  FolderBase& folder() override { return sim; }
  Clock clock{Clock::Kind::virtual_time};
  SimFolder sim{ram, *find_card_profile("a1"), clock};
};

using MakeRig = std::unique_ptr<Rig> (*)();

struct Backend {
  const char* name;
  MakeRig make;
};

// LLFIO, or what stands in for it (tests/llfio_stand_in) under the same backend.
#ifdef XMC_LLFIO_STAND_IN
inline constexpr const char* kLlfioDirect = "llfio stand-in direct";
inline constexpr const char* kLlfioBuffered = "llfio stand-in buffered";
#else
inline constexpr const char* kLlfioDirect = "llfio direct";
inline constexpr const char* kLlfioBuffered = "llfio buffered";
#endif

template <bool Direct>
std::unique_ptr<Rig> make_llfio_rig() {
  return std::make_unique<FileRig>(*llfio_backend(), Direct);
}

template <IoBackend Which, bool Direct>
std::unique_ptr<Rig> make_file_rig() {
  FileBackend* backend = file_backend(Which);
  if (backend == nullptr) return nullptr;
  return std::make_unique<FileRig>(*backend, Direct);
}

inline const std::vector<Backend> kBackends = {
    {"posix direct", &make_file_rig<IoBackend::posix, true>},
    {"posix buffered", &make_file_rig<IoBackend::posix, false>},
    {"uring direct", &make_file_rig<IoBackend::uring, true>},
    {"uring buffered", &make_file_rig<IoBackend::uring, false>},
    {kLlfioDirect, &make_llfio_rig<true>},
    {kLlfioBuffered, &make_llfio_rig<false>},
    {"ram", [] { return std::unique_ptr<Rig>(new RamRig); }},
    {"fault without faults", [] { return std::unique_ptr<Rig>(new FaultRig); }},
    {"simulated card", [] { return std::unique_ptr<Rig>(new SimRig); }},
};

// Runs the body on a fresh folder of every backend that works here.
template <class Body>
void on_every_backend(Body body) {
  for (const Backend& backend : kBackends) {
    const std::unique_ptr<Rig> rig = backend.make();
    if (rig == nullptr) continue;
    CAPTURE(std::string(backend.name));
    body(rig->folder());
  }
}

inline Device* open_or_fail(Folder& folder, const char* name, Folder::Open how) {
  Result<Device*> device = folder.open(name, how);
  REQUIRE_MESSAGE(device.ok(), device.status().c_str());
  return device.value();
}

inline void append_pattern(Device& device, u64 blocks, u64 tag) {
  Aligned buffer(blocks * kBlockBytes);
  fill_pattern(buffer.span(), device.size_bytes(), tag);
  const Status status = device.append(buffer.span(), Purpose::states);
  REQUIRE_MESSAGE(status.ok(), status.c_str());
}

inline bool holds_pattern(Device& device, u64 first, u64 blocks, u64 tag) {
  Aligned buffer(blocks * kBlockBytes);
  const ReadRequest request = {first * kBlockBytes, buffer.span()};
  const Status status = device.read({&request, 1}, Purpose::states);
  return status.ok() && has_pattern(buffer.span(), first * kBlockBytes, tag);
}

}  // namespace xmc::test
