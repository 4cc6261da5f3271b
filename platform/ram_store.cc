// RamStore (device_ram.h): files in memory as chains of chunks, because files grow in turns and
// none has a largest size. A random read walks its chain, at most 4096 chunks.
#include <algorithm>
#include <string_view>

#include "platform/device_ram.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {
namespace {

constexpr u64 kLeastChunk = 4096;
constexpr u64 kMostChunks = 4096;

void set_name(char* to, const char* name) {
  const std::string_view text(name);
  XMC_CHECK(text.size() < kDeviceNameBytes);
  const std::span<char> field(to, kDeviceNameBytes);
  fill_zero(field);
  copy(field, std::span<const char>(text.data(), text.size()));
}

}  // namespace

RamStore::RamStore(std::span<u8> memory) {
  const std::uintptr_t start = reinterpret_cast<std::uintptr_t>(memory.data());
  const std::size_t skip = static_cast<std::size_t>(round_up(start, alignof(u32)) - start);
  XMC_CHECK(memory.size() >= skip + sizeof(u32) + kLeastChunk);
  memory = memory.subspan(skip);
  chunk_bytes_ =
      std::max(kLeastChunk, round_up(divide_up(memory.size(), kMostChunks), kLeastChunk));
  const u64 count = memory.size() / (chunk_bytes_ + sizeof(u32));
  XMC_CHECK(count > 0);
  next_ = reinterpret_cast<u32*>(memory.data());
  data_ = memory.data() + count * sizeof(u32);
  free_chunks_ = static_cast<u32>(count);
  free_first_ = 0;
  for (u32 i = 0; i < free_chunks_; ++i) next_[i] = i + 1 < free_chunks_ ? i + 1 : kNone;
}

u32 RamStore::find(const char* name) const {
  for (u32 i = 0; i < kFiles; ++i) {
    if (files_[i].used && std::string_view(files_[i].name) == name) return i;
  }
  return kNone;
}

u32 RamStore::create(const char* name) {
  XMC_CHECK(find(name) == kNone);
  u32 file = 0;
  while (file < kFiles && files_[file].used) ++file;
  if (file == kFiles) return kNone;
  files_[file] = File();
  files_[file].used = true;
  set_name(files_[file].name, name);
  return file;
}

void RamStore::remove(u32 file) {
  XMC_CHECK(files_[file].used);
  truncate(file, 0);
  files_[file].used = false;
}

void RamStore::rename(u32 file, const char* name) {
  XMC_CHECK(files_[file].used);
  XMC_CHECK(find(name) == kNone);
  set_name(files_[file].name, name);
}

u32 RamStore::chunk_at(File& file, u32 position) {
  XMC_CHECK(position < file.chunk_count);
  if (file.cursor == kNone || position < file.cursor_position) {
    file.cursor = file.first;
    file.cursor_position = 0;
  }
  while (file.cursor_position < position) {
    file.cursor = next_[file.cursor];
    file.cursor_position += 1;
  }
  return file.cursor;
}

std::span<u8> RamStore::piece(File& file, u64 offset, u64 bytes) {
  const u32 chunk = chunk_at(file, static_cast<u32>(offset / chunk_bytes_));
  const u64 inside = offset % chunk_bytes_;
  return {chunk_data(chunk) + inside,
          static_cast<std::size_t>(std::min(bytes, chunk_bytes_ - inside))};
}

void RamStore::add_chunk(File& file) {
  XMC_CHECK(free_first_ != kNone);
  const u32 chunk = free_first_;
  free_first_ = next_[chunk];
  free_chunks_ -= 1;
  next_[chunk] = kNone;
  if (file.last == kNone) {
    file.first = chunk;
  } else {
    next_[file.last] = chunk;
  }
  file.last = chunk;
  file.chunk_count += 1;
}

void RamStore::release_chain(u32 first) {
  while (first != kNone) {
    const u32 after = next_[first];
    next_[first] = free_first_;
    free_first_ = first;
    free_chunks_ += 1;
    first = after;
  }
}

void RamStore::read(u32 file, u64 offset, std::span<u8> into) {
  File& from = files_[file];
  XMC_CHECK(offset + into.size() <= from.size_bytes);
  while (!into.empty()) {
    const std::span<u8> part = piece(from, offset, into.size());
    copy(into, std::span<const u8>(part));
    into = into.subspan(part.size());
    offset += part.size();
  }
}

bool RamStore::append(u32 file, std::span<const u8> bytes) {
  File& to = files_[file];
  u64 offset = to.size_bytes;
  const u64 chunks = divide_up(offset + bytes.size(), chunk_bytes_);
  if (chunks > u64{to.chunk_count} + free_chunks_) return false;
  while (to.chunk_count < chunks) add_chunk(to);
  to.size_bytes += bytes.size();
  while (!bytes.empty()) {
    const std::span<u8> part = piece(to, offset, bytes.size());
    copy(part, bytes.first(part.size()));
    bytes = bytes.subspan(part.size());
    offset += part.size();
  }
  return true;
}

void RamStore::truncate(u32 file, u64 bytes) {
  File& cut = files_[file];
  XMC_CHECK(bytes <= cut.size_bytes);
  const u32 keep = static_cast<u32>(divide_up(bytes, chunk_bytes_));
  if (keep == 0) {
    release_chain(cut.first);
    cut.first = kNone;
    cut.last = kNone;
  } else if (keep < cut.chunk_count) {
    cut.last = chunk_at(cut, keep - 1);
    release_chain(next_[cut.last]);
    next_[cut.last] = kNone;
  }
  cut.chunk_count = keep;
  cut.size_bytes = bytes;
  cut.cursor = kNone;
}

void RamStore::overwrite(u32 file, u64 offset, u64 bytes, u8 value) {
  File& to = files_[file];
  XMC_CHECK(offset + bytes <= to.size_bytes);
  while (bytes > 0) {
    const std::span<u8> part = piece(to, offset, bytes);
    std::fill(part.begin(), part.end(), value);
    bytes -= part.size();
    offset += part.size();
  }
}

}  // namespace xmc
