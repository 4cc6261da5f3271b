#include "store/verify.h"

#include <algorithm>

#include "store/block.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/hash.h"
#include "xmc/text.h"

namespace xmc {

namespace {

constexpr u64 kUnit = 4096;

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
                      static_cast<unsigned long long>(bytes));
}

}  // namespace

Result<BlockReport> verify_blocks(Device& device, const Manifest::File& from,
                                  const Manifest::File& to, std::span<u8> buffer) {
  XMC_CHECK(buffer.size() >= kUnit);
  BlockReport report;
  u64 chain = from.chain;
  u64 guess = kUnit;  // most files have blocks of one size
  for (u64 at = from.bytes; at < to.bytes; ++report.blocks) {
    const u64 left = to.bytes - at;
    const u64 wanted = std::min({guess, left, u64{buffer.size()}});
    std::span<u8> block = buffer.first(static_cast<std::size_t>(wanted));
    if (left % kUnit != 0 || !read_at(device, at, block).ok()) {
      note_damage(report, at);
      report.lost = true;
      break;
    }
    BlockFrame frame;
    if (!read_frame(block, frame) || frame.block_bytes > left) {
      note_damage(report, at);
      report.lost = true;
      break;
    }
    if (frame.block_bytes > buffer.size()) return too_large(frame.block_bytes);
    if (frame.block_bytes > wanted) {
      block = buffer.first(frame.block_bytes);
      const std::span<u8> rest = block.subspan(static_cast<std::size_t>(wanted));
      // What cannot be read fails the checksum, because it is cleared before.
      fill_zero(rest);
      static_cast<void>(read_at(device, at + wanted, rest));
    }
    u64 checksum = 0;
    if (!check_block(block, frame, &checksum)) note_damage(report, at);
    chain = extend_chain(chain, checksum);
    guess = frame.block_bytes;
    at += frame.block_bytes;
  }
  report.chain_broken = report.damaged == 0 && chain != to.chain;
  return report;
}

u64 extend_plain_checksum(u64 sum, std::span<const u8> pieces) {
  XMC_CHECK(pieces.size() % kUnit == 0);
  for (; !pieces.empty(); pieces = pieces.subspan(kUnit)) {
    sum = hash_bytes(pieces.first(kUnit), sum);
  }
  return sum;
}

Result<u64> plain_checksum(Device& device, u64 bytes, std::span<u8> buffer,
                           const Manifest::File& from) {
  XMC_CHECK(buffer.size() >= kUnit && bytes % kUnit == 0 && from.bytes <= bytes);
  const u64 most = round_down(buffer.size(), kUnit);
  u64 sum = from.chain;
  for (u64 at = from.bytes; at < bytes;) {
    const std::span<u8> part = buffer.first(static_cast<std::size_t>(std::min(most, bytes - at)));
    XMC_TRY(read_at(device, at, part));
    at += part.size();
    sum = extend_plain_checksum(sum, part);
  }
  return sum;
}

namespace {

// `from` is what is known to be sound.
Status verify_file(Device& device, const char* name, const Manifest::File& from,
                   const Manifest::File& file, std::span<u8> buffer) {
  if (file.plain) {
    if (file.bytes % kUnit != 0 || from.bytes % kUnit != 0) return not_of_checkpoint(name);
    const Result<u64> sum = plain_checksum(device, file.bytes, buffer, from);
    if (!sum.ok()) return sum.status();
    return sum.value() == file.chain ? Status() : not_of_checkpoint(name);
  }
  const Result<BlockReport> report = verify_blocks(device, from, file, buffer);
  if (!report.ok()) return report.status();
  const BlockReport& found = report.value();
  if (found.damaged != 0) {
    return Status::fail(Code::corrupt, "the file '%s' is damaged at byte %llu", name,
                        static_cast<unsigned long long>(found.first_offset));
  }
  return found.chain_broken ? not_of_checkpoint(name) : Status();
}

}  // namespace

Status verify_files(Folder& folder, const Manifest& manifest, const Manifest* older,
                    std::span<u8> buffer) {
  Manifest::File file;
  for (u32 i = 0; manifest.file(i, file); ++i) {
    FixedText<64> name;
    name.add(file.name);
    Manifest::File from;
    Manifest::File before;
    for (u32 k = 0; older != nullptr && older->file(k, before); ++k) {
      if (before.name == file.name && before.plain == file.plain && before.bytes <= file.bytes) {
        from = before;
      }
    }
    const Result<Device*> device = folder.open(name.c_str(), Folder::Open::existing);
    if (!device.ok()) return device.status();
    const Status status = verify_file(*device.value(), name.c_str(), from, file, buffer);
    folder.close(device.value());
    XMC_TRY(status);
  }
  return {};
}

}  // namespace xmc
