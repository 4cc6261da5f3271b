#include "engine/window_file.h"

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/hash.h"

namespace xmc {

namespace {

constexpr u64 kPageBytes = Windows::kPageBytes;
constexpr u64 kPageBits = kPageBytes * 8;

}  // namespace

Status WindowFile::create(Folder& folder, const char* name, const Windows& windows) {
  XMC_CHECK(windows.count > 0 && windows.count <= Windows::kMost);
  if (device_ != nullptr) folder_->close(device_);
  folder_ = &folder;
  name_ = name;
  device_ = nullptr;
  windows_ = windows;
  windows_appended_ = 0;
  const Result<Device*> device = folder.open(name, Folder::Open::create);
  if (!device.ok()) return device.status();
  device_ = device.value();
  return {};
}

Status WindowFile::remove() {
  if (device_ == nullptr) return {};
  folder_->close(device_);
  device_ = nullptr;
  return folder_->remove(name_);
}

Status WindowFile::append(std::span<const u8> window) {
  XMC_CHECK(window.size() == windows_.bytes);
  const u64 layer = layers();
  sum_[layer % 2][windows_appended_ % windows_.count] = hash_bytes(window);
  XMC_TRY(device_->append(window, Purpose::edges));
  ++windows_appended_;
  return {};
}

Status WindowFile::load(u64 layer, u64 window, WindowBits& bits, std::span<u8> memory) const {
  const u64 at = slot(layer, window);
  XMC_CHECK(at < windows_appended_ && layer + 2 > layers());
  bits.start(memory, windows_.first(window), windows_.size(window), false);
  const ReadRequest request{at * windows_.bytes, memory};
  XMC_TRY(device_->read({&request, 1}, Purpose::edges));
  return hash_bytes(memory) == sum_[layer % 2][at % windows_.count] ? Status() : damaged();
}

WindowFile::Place WindowFile::place(u64 layer, u64 state) const {
  const u64 window = state / windows_.each;
  const u64 bit = state - windows_.first(window);
  return {slot(layer, window) * (windows_.bytes / kPageBytes) + bit / kPageBits, bit % kPageBits};
}

Status WindowFile::read_page(u64 page, std::span<u8> memory) const {
  const ReadRequest request{page * kPageBytes, memory};
  return device_->read({&request, 1}, Purpose::edges);
}

Status WindowFile::damaged() const {
  return Status::fail(Code::corrupt, "the file '%s' is not as it was written", name_);
}

}  // namespace xmc
