// RamFolder: a folder in memory that the caller gives, for tests and as the backing of the
// simulated card. The memory is cut into chunks of one size; a file is a chain of them. Sequential
// access follows the chain, a random read walks it from the start: with at most 4096 chunks that is
// cheap enough for a stand-in.
//
// Discarded ranges are overwritten with 0xDD, so that a reader who still believes in them is found
// out.
#pragma once

#include <span>

#include "platform/device_base.h"

namespace xmc {

// The chunks and the directory. Sizes here are in bytes, not blocks: replace() stores small files
// as they are.
class RamStore {
 public:
  static constexpr u32 kFiles = 192;

  explicit RamStore(std::span<u8> memory);
  RamStore(const RamStore&) = delete;
  RamStore& operator=(const RamStore&) = delete;

  u32 find(const char* name) const;  // kNone when there is no such file
  // An empty file under a name that is not there yet; kNone when the directory is full.
  u32 create(const char* name);
  void remove(u32 file);
  void rename(u32 file, const char* name);
  u64 size_bytes(u32 file) const { return files_[file].size_bytes; }
  u64 free_bytes() const { return u64{free_chunks_} * chunk_bytes_; }

  void read(u32 file, u64 offset, std::span<u8> into);
  // False, and nothing changed, when memory ends.
  bool append(u32 file, std::span<const u8> bytes);
  void truncate(u32 file, u64 bytes);
  void overwrite(u32 file, u64 offset, u64 bytes, u8 value);

 private:
  struct File {
    char name[kDeviceNameBytes] = {};
    u64 size_bytes = 0;
    u32 first = kNone;
    u32 last = kNone;
    u32 chunk_count = 0;
    u32 cursor = kNone;  // chunk that was used last, and its position in the chain
    u32 cursor_position = 0;
    bool used = false;
  };

  u8* chunk_data(u32 chunk) { return data_ + u64{chunk} * chunk_bytes_; }
  u32 chunk_at(File& file, u32 position);
  void add_chunk(File& file);
  void release_chain(u32 first);
  // The piece of [offset, offset + bytes) that lies in one chunk.
  std::span<u8> piece(File& file, u64 offset, u64 bytes);

  u64 chunk_bytes_ = 0;
  u32 free_chunks_ = 0;
  u32 free_first_ = kNone;
  u32* next_ = nullptr;  // per chunk
  u8* data_ = nullptr;
  File files_[kFiles];
};

class RamDevice final : public DeviceBase {
 public:
  RamDevice(DiskUse& use, const char* name, RamStore& store, u32 file);

 private:
  Status do_read(std::span<const ReadRequest> batch, Purpose purpose) override;
  Status do_append(std::span<const u8> blocks, Purpose purpose) override;
  Status do_sync() override { return {}; }
  Result<bool> do_discard(u64 offset, u64 bytes) override;
  Status do_truncate(u64 bytes) override;

  RamStore* store_;
  u32 file_;
};

class RamFolder final : public FolderBase {
 public:
  explicit RamFolder(std::span<u8> memory) : store_(memory) {}

  Result<u64> free_bytes() override { return store_.free_bytes(); }
  Status sync() override { return {}; }

 private:
  Result<DeviceBase*> do_open(u32 slot, const char* name, Open how) override;
  void do_close(u32) override {}
  Status do_remove(const char* name) override;
  Status do_replace(const char* name, std::span<const u8> contents) override;
  Result<u64> do_load(const char* name, std::span<u8> into) override;

  RamStore store_;
  DeviceSlots<RamDevice> devices_;
};

}  // namespace xmc
