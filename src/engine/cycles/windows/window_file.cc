#include "engine/cycles/windows/window_file.h"

#include "store/checkpoint/verify.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/hash.h"

namespace xmc {

namespace {

constexpr u64 kPageBits = kPageBytes * 8;

}  // namespace

Status WindowFile::open(Folder& folder, const FileName& name, const Windows& windows,
                        Folder::Open how) {
  XMC_CHECK(windows.count > 0 && windows.count <= Windows::kMost);
  if (device_ != nullptr) folder_->close(device_);
  folder_ = &folder;
  name_ = name;
  device_ = nullptr;
  windows_ = windows;
  windows_appended_ = plain_sum_ = 0;
  XMC_LET(device_, folder.open(name.c_str(), how));
  return {};
}

Status WindowFile::create(Folder& folder, const FileName& name, const Windows& windows) {
  named_ = false;
  return open(folder, name, windows, Folder::Open::create);
}

Status WindowFile::reopen(Folder& folder, const FileName& name, const Windows& windows,
                          const WindowCheckpoint::File& file, std::span<u8> memory) {
  named_ = true;
  XMC_TRY(open(folder, name, windows, Folder::Open::existing));
  if (file.mark.bytes != file.windows * windows.bytes || device_->size_bytes() < file.mark.bytes) {
    return damaged();
  }
  if (device_->size_bytes() > file.mark.bytes) XMC_TRY(device_->truncate(file.mark.bytes));
  for (; windows_appended_ < file.windows; ++windows_appended_) {
    const ReadRequest request{windows_appended_ * windows_.bytes, memory};
    XMC_TRY(device_->read({&request, 1}, Purpose::checkpoint));
    note_sums(memory);
  }
  return plain_sum_ == file.mark.chain ? Status() : damaged();
}

void WindowFile::note_sums(std::span<const u8> window) {
  sum_[layers() % 2][windows_of_layer()] = hash_bytes(window);
  plain_sum_ = extend_plain_checksum(plain_sum_, window);
}

Status WindowFile::save_checkpoint(WindowCheckpoint::File& file) {
  file.windows = windows_appended_;
  file.mark = {windows_appended_ * windows_.bytes, plain_sum_};
  named_ = true;
  return device_->sync();
}

Status WindowFile::close() {
  if (device_ == nullptr) return {};
  folder_->close(device_);
  device_ = nullptr;
  return named_ ? Status() : folder_->remove(name_.c_str());
}

Status WindowFile::append(std::span<const u8> window) {
  XMC_CHECK(window.size() == windows_.bytes);
  note_sums(window);
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
  return Status::fail(Code::corrupt, "the file '%s' is not as it was written", name_.c_str());
}

}  // namespace xmc
