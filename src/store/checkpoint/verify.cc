#include "store/checkpoint/verify.h"

#include <algorithm>

#include "store/files/block.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/hash.h"
#include "xmc/text.h"

namespace xmc {

namespace {

Status read_at(Device& device, u64 offset, std::span<u8> into) {
  const ReadRequest request = {offset, into};
  return device.read({&request, 1}, Purpose::other);
}

void note_damage(BlockReport& report, u64 offset) {
  if (report.damaged == 0) {
    report.first_damaged = report.blocks;
    report.first_offset = offset;
  }
  ++report.damaged;
}

Status too_large(u64 bytes) {
  return Status::fail(Code::budget, "a block of %llu bytes needs more memory; give a larger --ram",
                      wide(bytes));
}

// The part of a file that is in memory: as much as a buffer holds is read at a time, because blocks
// may be as small as a page. After a failed read nothing is there.
class Window {
 public:
  Window(Device& device, std::span<u8> buffer, u64 file_bytes)
      : device_(device),
        buffer_(buffer.first(static_cast<std::size_t>(round_down(buffer.size(), kPageBytes)))),
        file_bytes_(file_bytes) {}

  bool holds(u64 at, u64 bytes) const { return at >= first_ && at + bytes <= first_ + bytes_; }
  std::span<const u8> from(u64 at) const {
    return buffer_.subspan(static_cast<std::size_t>(at - first_),
                           static_cast<std::size_t>(first_ + bytes_ - at));
  }
  void load(u64 at) {
    first_ = at;
    bytes_ = round_down(std::min<u64>(buffer_.size(), file_bytes_ - at), kPageBytes);
    // A bad page is that of a block, not of all that are read with it.
    while (bytes_ > 0 &&
           !read_at(device_, at, buffer_.first(static_cast<std::size_t>(bytes_))).ok()) {
      bytes_ = round_down(bytes_ / 2, kPageBytes);
    }
  }

 private:
  Device& device_;
  std::span<u8> buffer_;
  u64 file_bytes_;
  u64 first_ = 0;
  u64 bytes_ = 0;
};

}  // namespace

Result<BlockReport> verify_blocks(Device& device, const Manifest::File& file, std::span<u8> buffer,
                                  const GoOn& go_on) {
  XMC_CHECK(buffer.size() >= kPageBytes);
  BlockReport report;
  u64 chain = 0;
  Window window(device, buffer, file.bytes);
  for (u64 at = 0; at < file.bytes; ++report.blocks) {
    BlockFrame frame;
    if (!window.holds(at, kPageBytes)) {
      XMC_TRY(go_on(at, file.bytes));
      window.load(at);
    }
    if (file.bytes % kPageBytes != 0 || !window.holds(at, kPageBytes) ||
        !read_frame(window.from(at), frame) || frame.block_bytes > file.bytes - at) {
      note_damage(report, at);
      report.lost = true;
      break;
    }
    if (frame.block_bytes > buffer.size()) return too_large(frame.block_bytes);
    if (!window.holds(at, frame.block_bytes)) window.load(at);
    u64 checksum = 0;
    // What cannot be read is not there.
    if (!window.holds(at, frame.block_bytes) ||
        !check_block(window.from(at), frame, device.place(at), &checksum)) {
      note_damage(report, at);
    }
    chain = extend_chain(chain, checksum);
    at += frame.block_bytes;
  }
  report.chain_broken = report.damaged == 0 && chain != file.chain;
  return report;
}

u64 extend_plain_checksum(u64 sum, std::span<const u8> pieces) {
  XMC_CHECK(pieces.size() % kPageBytes == 0);
  for (; !pieces.empty(); pieces = pieces.subspan(kPageBytes)) {
    sum = hash_bytes(pieces.first(kPageBytes), sum);
  }
  return sum;
}

Result<u64> plain_checksum(Device& device, u64 bytes, std::span<u8> buffer,
                           const Manifest::File& from, const GoOn& go_on) {
  XMC_CHECK(buffer.size() >= kPageBytes && bytes % kPageBytes == 0 && from.bytes <= bytes);
  const u64 most = round_down(buffer.size(), kPageBytes);
  u64 sum = from.chain;
  for (u64 at = from.bytes; at < bytes;) {
    XMC_TRY(go_on(at, bytes));
    const std::span<u8> part = buffer.first(static_cast<std::size_t>(std::min(most, bytes - at)));
    XMC_TRY(read_at(device, at, part));
    at += part.size();
    sum = extend_plain_checksum(sum, part);
  }
  return sum;
}

namespace {

Status verify_file(Device& device, const char* name, const Manifest::File& file,
                   std::span<u8> buffer, const GoOn& go_on) {
  if (file.plain) {
    if (file.bytes % kPageBytes != 0) return not_of_checkpoint(name);
    XMC_LET(const u64 sum, plain_checksum(device, file.bytes, buffer, {}, go_on));
    return sum == file.chain ? Status() : not_of_checkpoint(name);
  }
  XMC_LET(const BlockReport report, verify_blocks(device, file, buffer, go_on));
  const BlockReport& found = report;
  if (found.damaged != 0) {
    return Status::fail(Code::corrupt, "the file '%s' is damaged at byte %llu", name,
                        wide(found.first_offset));
  }
  return found.chain_broken ? not_of_checkpoint(name) : Status();
}

}  // namespace

Status verify_files(Folder& folder, const Manifest& manifest, std::span<u8> buffer,
                    const GoOn& go_on) {
  Manifest::File file;
  u64 all = 0;
  for (u32 i = 0; manifest.file(i, file); ++i) all += file.bytes;
  const LongWork::Scope scope(go_on.work, "verifying");
  u64 before = 0;
  for (u32 i = 0; manifest.file(i, file); ++i) {
    const LongWork::Part part(go_on.work, before, before + file.bytes, all);
    before += file.bytes;
    FixedText<64> name;
    name.add(file.name);
    XMC_LET(Device* const device, folder.open(name.c_str(), Folder::Open::existing));
    const Status status = verify_file(*device, name.c_str(), file, buffer, go_on);
    folder.close(device);
    XMC_TRY(status);
  }
  return {};
}

}  // namespace xmc
