// The retry loops of the POSIX backend under system calls that misbehave.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "platform/device_file.h"
#include "platform/device_posix.h"
#include "platform/files.h"
#include "support.h"

namespace xmc::test {
namespace posix_test {
namespace {

// What the next calls are to do. Every field counts down on use.
struct Script {
  u64 transfer_limit = ~u64{0};  // bytes that one call moves at most
  u32 interrupts = 0;            // calls that return EINTR first
  u32 idle = 0;                  // calls that move nothing
  bool refuse_direct_open = false;
  bool refuse_direct_transfer = false;
  bool direct = false;       // what the open file is
  u64 disk_bytes = ~u64{0};  // writes end with ENOSPC there
  int read_error = 0;
  int write_error = 0;
  int sync_error = 0;
  int punch_error = 0;
  bool full_until_close = false;  // another file has the space
  int allocate_error = 0;
  u64 calls = 0;
};
Script g_script;

bool interrupted() {
  g_script.calls += 1;
  if (g_script.interrupts == 0) return false;
  g_script.interrupts -= 1;
  return true;
}

bool idle() {
  if (g_script.idle == 0) return false;
  g_script.idle -= 1;
  return true;
}

int bad_open(const char* path, u32 flags) {
  if (interrupted()) return -EINTR;
  if (g_script.refuse_direct_open && (flags & kOpenDirect) != 0) return -EINVAL;
  g_script.direct = (flags & kOpenDirect) != 0;
  return kSystemCalls.open(path, flags & ~u32{kOpenDirect});
}

i64 bad_read(int fd, u8* into, u64 bytes, u64 offset) {
  if (interrupted()) return -EINTR;
  if (g_script.read_error != 0) return -g_script.read_error;
  if (g_script.direct && g_script.refuse_direct_transfer) return -EINVAL;
  if (g_script.direct && offset % kBlockBytes != 0) return -EINVAL;
  return kSystemCalls.read(fd, into, std::min(bytes, g_script.transfer_limit), offset);
}

i64 bad_write(int fd, const u8* from, u64 bytes, u64 offset) {
  if (interrupted()) return -EINTR;
  if (idle()) return 0;
  if (g_script.write_error != 0) return -g_script.write_error;
  if (g_script.direct && g_script.refuse_direct_transfer) return -EINVAL;
  if (g_script.direct && offset % kBlockBytes != 0) return -EINVAL;
  if (offset >= g_script.disk_bytes || g_script.full_until_close) return -ENOSPC;
  bytes = std::min({bytes, g_script.transfer_limit, g_script.disk_bytes - offset});
  return kSystemCalls.write(fd, from, bytes, offset);
}

int bad_sync(int fd) {
  if (interrupted()) return -EINTR;
  return g_script.sync_error != 0 ? -g_script.sync_error : kSystemCalls.sync(fd);
}

int bad_punch(int fd, u64 offset, u64 bytes) {
  return g_script.punch_error != 0 ? -g_script.punch_error : kSystemCalls.punch(fd, offset, bytes);
}

int bad_close(int fd) {
  g_script.full_until_close = false;
  return kSystemCalls.close(fd);
}

int bad_allocate(int, u64) { return -g_script.allocate_error; }

int bad_stop_direct(int) {
  g_script.direct = false;
  return 0;
}

const FileCalls kBadCalls = {bad_open,        bad_close,   kSystemCalls.size,     bad_read,
                             bad_write,       bad_sync,    kSystemCalls.truncate, bad_punch,
                             bad_stop_direct, bad_allocate};

// A folder on the scripted calls with one open device.
struct Bench {
  explicit Bench(const Script& script = {}) {
    g_script = script;
    REQUIRE(folder.start(temp.c_str()).ok());
    Result<Device*> opened = folder.open("data", Folder::Open::create);
    REQUIRE_MESSAGE(opened.ok(), opened.status().c_str());
    device = opened.value();
    fill_pattern(data.span(), 0, 1);
  }
  bool reads_back(u64 blocks) {
    Aligned buffer(blocks * kBlockBytes);
    const ReadRequest request = {0, buffer.span()};
    return device->read({&request, 1}, Purpose::other).ok() && has_pattern(buffer.span(), 0, 1);
  }

  TempFolder temp;
  PosixBackend backend{kBadCalls};
  FileFolder folder{backend, true, kBadCalls};
  Device* device = nullptr;
  Aligned data{16 * kBlockBytes};
};

}  // namespace

TEST_CASE("short transfers are completed") {
  // 5000 is no multiple of the block: a direct transfer has to go back to the last whole block.
  for (const u64 limit : {u64{4096}, u64{5000}, u64{12288}}) {
    for (const bool refuse : {false, true}) {
      Script script;
      script.transfer_limit = limit;
      script.refuse_direct_open = refuse;
      Bench bench(script);
      CHECK(bench.device->geometry().direct == !refuse);
      REQUIRE(bench.device->append(bench.data.span(), Purpose::other).ok());
      CHECK(g_script.calls > 4);
      CHECK(bench.reads_back(16));
    }
  }
}

TEST_CASE("a buffered transfer of odd length is completed byte by byte") {
  Script script;
  script.refuse_direct_open = true;
  script.transfer_limit = 777;
  Bench bench(script);
  REQUIRE(bench.device->append(bench.data.span(), Purpose::other).ok());
  CHECK(bench.reads_back(16));
}

TEST_CASE("interrupts are retried in every call") {
  Script script;
  script.interrupts = 3;
  Bench bench(script);
  g_script.interrupts = 5;
  REQUIRE(bench.device->append(bench.data.span(), Purpose::other).ok());
  g_script.interrupts = 2;
  CHECK(bench.device->sync().ok());
  g_script.interrupts = 4;
  CHECK(bench.reads_back(16));
  CHECK(g_script.interrupts == 0);
}

TEST_CASE("a call that never moves anything is an error, not a loop") {
  Bench bench;
  g_script.idle = 3;
  CHECK(bench.device->append(bench.data.blocks(0, 1), Purpose::other).ok());
  g_script.idle = 1000;
  const Status status = bench.device->append(bench.data.blocks(0, 1), Purpose::other);
  CHECK(status.code() == Code::io);
  CHECK(bench.device->size_bytes() == kBlockBytes);
  // Direct transfers below a block are no progress either.
  g_script.idle = 0;
  g_script.transfer_limit = 512;
  CHECK(bench.device->append(bench.data.blocks(0, 1), Purpose::other).code() == Code::io);
}

TEST_CASE("a file system without direct I/O is used through the page cache, with a notice") {
  Script script;
  script.refuse_direct_open = true;
  Bench bench(script);
  CHECK(!bench.device->geometry().direct);
  CHECK(bench.folder.notice().find("page cache") != std::string_view::npos);
  REQUIRE(bench.device->append(bench.data.span(), Purpose::other).ok());
  CHECK(bench.reads_back(16));
}

TEST_CASE("EINVAL at the first direct transfer falls back as well") {
  Bench bench;
  CHECK(bench.device->geometry().direct);
  CHECK(bench.folder.notice().empty());
  g_script.refuse_direct_transfer = true;
  REQUIRE(bench.device->append(bench.data.span(), Purpose::other).ok());
  CHECK(!bench.device->geometry().direct);
  CHECK(bench.reads_back(16));
  bench.folder.close(bench.device);
  CHECK(bench.folder.notice().find("page cache") != std::string_view::npos);
}

TEST_CASE("a full disk leaves the file as it was") {
  Bench bench;
  REQUIRE(bench.device->append(bench.data.blocks(0, 4), Purpose::other).ok());
  g_script.disk_bytes = 6 * kBlockBytes;
  const Status status = bench.device->append(bench.data.blocks(4, 8), Purpose::other);
  CHECK(status.code() == Code::disk_full);
  CHECK(status.os_error() == ENOSPC);
  CHECK(status.message().find("data") != std::string_view::npos);
  CHECK(bench.device->size_bytes() == 4 * kBlockBytes);
  CHECK(bench.device->counters().total().bytes_written == 4 * kBlockBytes);
  CHECK(file_bytes(bench.temp.file("data").c_str()).value() ==
        4 * kBlockBytes);  // space given back
  g_script.disk_bytes = ~u64{0};
  REQUIRE(bench.device->append(bench.data.blocks(4, 8), Purpose::other).ok());
  CHECK(bench.reads_back(12));
}

TEST_CASE("errors of read and write are told with their errno") {
  Bench bench;
  REQUIRE(bench.device->append(bench.data.span(), Purpose::other).ok());
  g_script.read_error = EIO;
  Aligned buffer(kBlockBytes);
  const ReadRequest request = {0, buffer.span()};
  const Status read = bench.device->read({&request, 1}, Purpose::other);
  CHECK(read.code() == Code::io);
  CHECK(read.os_error() == EIO);
  g_script.read_error = 0;
  g_script.write_error = EIO;
  CHECK(bench.device->append(bench.data.blocks(0, 1), Purpose::other).code() == Code::io);
  g_script.write_error = EDQUOT;
  CHECK(bench.device->append(bench.data.blocks(0, 1), Purpose::other).code() == Code::disk_full);
  g_script.write_error = 0;
  CHECK(bench.device->size_bytes() == 16 * kBlockBytes);
  CHECK(bench.reads_back(16));
}

TEST_CASE("a write that finds the disk full is done with the space that was held for it") {
  for (const u32 way : {0, 1, 2, 3}) {
    CAPTURE(way);
    Bench bench;
    bench.folder.hold_space(1 << 20);
    CHECK(bench.folder.held_bytes() == 0);
    REQUIRE(bench.device->append(bench.data.blocks(0, 4), Purpose::other).ok());
    CHECK(bench.folder.held_bytes() == 1 << 20);
    CHECK(!file_exists(bench.temp.file(HeldSpace::kName).c_str()));
    CHECK(!bench.folder.ran_full());
    g_script.full_until_close = true;
    const std::span<u8> more = bench.data.blocks(4, 4);
    if (way == 0) REQUIRE(bench.device->append(more, Purpose::other).ok());
    if (way == 1) {
      REQUIRE(bench.device->begin_append(more, Purpose::other).ok());
      REQUIRE(bench.device->finish_append().ok());
    }
    if (way == 2) {
      // It is closed as well: nothing else frees the space before.
      CHECK(bench.folder.replace("root", bench.data.blocks(0, 1)).ok());
    }
    if (way == 3) {
      g_script.full_until_close = false;
      g_script.disk_bytes = 4 * kBlockBytes;
      CHECK(bench.device->append(more, Purpose::other).code() == Code::disk_full);
    }
    CHECK(bench.folder.ran_full());
    CHECK(bench.folder.held_bytes() == 0);
    if (way < 2) CHECK(bench.reads_back(8));
  }
}

TEST_CASE("where no space can be held a full disk is an error as ever") {
  Script script;
  script.allocate_error = EOPNOTSUPP;
  Bench bench(script);
  bench.folder.hold_space(1 << 20);
  REQUIRE(bench.device->append(bench.data.blocks(0, 4), Purpose::other).ok());
  CHECK(bench.folder.held_bytes() == 0);
  g_script.disk_bytes = 4 * kBlockBytes;
  CHECK(bench.device->append(bench.data.blocks(4, 4), Purpose::other).code() == Code::disk_full);
  CHECK(!bench.folder.ran_full());
}

TEST_CASE("after a failed sync nothing more is written") {
  Bench bench;
  REQUIRE(bench.device->append(bench.data.span(), Purpose::other).ok());
  g_script.sync_error = EIO;
  CHECK(bench.device->sync().code() == Code::io);
  g_script.sync_error = 0;
  CHECK(!bench.device->sync().ok());  // the kernel would say ok about pages it has dropped
  CHECK(!bench.device->append(bench.data.blocks(0, 1), Purpose::other).ok());
  CHECK(bench.device->counters().syncs == 0);
  CHECK(bench.reads_back(16));
}

TEST_CASE("a file system that keeps discarded space is no error") {
  Bench bench;
  REQUIRE(bench.device->append(bench.data.span(), Purpose::other).ok());
  const u64 used = bench.folder.disk_use().now_bytes;
  g_script.punch_error = EOPNOTSUPP;
  CHECK(bench.device->discard(0, 4 * kBlockBytes).ok());
  CHECK(bench.folder.disk_use().now_bytes == used);
  g_script.punch_error = 0;
  CHECK(bench.device->discard(0, 4 * kBlockBytes).ok());
  CHECK(bench.folder.disk_use().now_bytes <= used);
  g_script.punch_error = EIO;
  CHECK(bench.device->discard(0, 4 * kBlockBytes).code() == Code::io);
}

TEST_CASE("replace leaves the old contents when it fails") {
  Bench bench;
  const std::vector<u8> old_root(10, 1);
  const std::vector<u8> new_root(20, 2);
  REQUIRE(bench.folder.replace("root", old_root).ok());
  std::vector<u8> loaded(20);
  for (u32 fault = 0; fault < 3; ++fault) {
    if (fault == 0) g_script.write_error = EIO;
    if (fault == 1) g_script.sync_error = EIO;
    if (fault == 2) g_script.disk_bytes = 7;
    CHECK(!bench.folder.replace("root", new_root).ok());
    g_script = Script();
    const Result<u64> bytes = bench.folder.load("root", loaded);
    REQUIRE(bytes.ok());
    CHECK(bytes.value() == 10);
    CHECK(all_are(std::span<const u8>(loaded).first(10), 1));
    CHECK(!file_exists(bench.temp.file("root.new").c_str()));
  }
  g_script.transfer_limit = 3;
  REQUIRE(bench.folder.replace("root", new_root).ok());
  CHECK(bench.folder.load("root", loaded).value() == 20);
  CHECK(all_are(loaded, 2));
}

TEST_CASE("a torn tail is no data, and a file that shrank is damage") {
  Bench bench;
  REQUIRE(bench.device->append(bench.data.span(), Purpose::other).ok());
  bench.folder.close(bench.device);
  const std::string path = bench.temp.file("data");
  REQUIRE(::truncate(path.c_str(), 3 * 4096 + 100) == 0);
  for (const IoBackend which : {IoBackend::posix, IoBackend::uring, IoBackend::llfio}) {
    FileBackend* backend = file_backend(which);
    if (backend == nullptr) continue;
    FileFolder folder(*backend);
    REQUIRE(folder.start(bench.temp.c_str()).ok());
    const Result<Device*> opened = folder.open("data", Folder::Open::existing);
    REQUIRE(opened.ok());
    CHECK(opened.value()->size_bytes() == 3 * 4096);
    // Somebody cuts the file while we have it open: short completions end as damage, not as
    // success.
    REQUIRE(::truncate(path.c_str(), 4096) == 0);
    Aligned buffer(3 * kBlockBytes);
    const ReadRequest batch[] = {{0, buffer.blocks(0, 1)}, {4096, buffer.blocks(1, 2)}};
    CHECK(opened.value()->read(batch, Purpose::other).code() == Code::corrupt);
    folder.close(opened.value());
    REQUIRE(::truncate(path.c_str(), 3 * 4096 + 100) == 0);
  }
}

TEST_CASE("the bytes on the disk are known, and their peak") {
  TempFolder temp;
  FileFolder folder(*file_backend(IoBackend::posix));
  REQUIRE(folder.start(temp.c_str()).ok());
  CHECK(folder.disk_use().now_bytes == 0);
  Aligned data(64 * kBlockBytes);
  Device* device = folder.open("data", Folder::Open::create).value();
  REQUIRE(device->append(data.span(), Purpose::other).ok());
  REQUIRE(device->sync().ok());
  CHECK(folder.disk_use().now_bytes == 64 * kBlockBytes);
  CHECK(device->truncate(16 * kBlockBytes).ok());
  CHECK(folder.disk_use().now_bytes == 16 * kBlockBytes);
  CHECK(folder.disk_use().peak_bytes == 64 * kBlockBytes);
  folder.close(device);
  FileFolder second(*file_backend(IoBackend::posix));
  REQUIRE(second.start(temp.c_str()).ok());
  CHECK(second.disk_use().now_bytes >= 16 * kBlockBytes);
  CHECK(second.remove("data").ok());
  CHECK(second.disk_use().now_bytes == 0);
  CHECK(!second.start("/nonexistent/folder").ok());
}

}  // namespace posix_test
}  // namespace xmc::test
