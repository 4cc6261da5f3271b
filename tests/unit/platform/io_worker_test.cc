// The I/O thread: transfers really go on beside the caller, errors come back at the right call, and
// without the thread everything still works.
#include <doctest/doctest.h>

#include <atomic>
#include <cerrno>
#include <string>

#include "platform/clock.h"
#include "platform/device_file.h"
#include "platform/device_posix.h"
#include "platform/io_worker.h"
#include "support.h"

namespace xmc::test {
namespace io_worker_test {
namespace {

// System calls that wait at a gate, and fail when they are told to.
std::atomic<bool> g_gate_open{true};
std::atomic<u32> g_at_gate{0};
std::atomic<int> g_write_error{0};
std::atomic<int> g_read_error{0};

void pass_gate() {
  g_at_gate += 1;
  while (!g_gate_open) ::usleep(100);
  g_at_gate -= 1;
}

i64 gated_read(int fd, u8* into, u64 bytes, u64 offset) {
  pass_gate();
  if (g_read_error != 0) return -g_read_error;
  return kSystemCalls.read(fd, into, bytes, offset);
}

i64 gated_write(int fd, const u8* from, u64 bytes, u64 offset) {
  pass_gate();
  // Half of it arrives before the error, as on a disk that fills up.
  if (g_write_error != 0) {
    static_cast<void>(kSystemCalls.write(fd, from, bytes / 2, offset));
    return -g_write_error;
  }
  return kSystemCalls.write(fd, from, bytes, offset);
}

FileCalls gated_calls() {
  FileCalls calls = kSystemCalls;
  calls.read = gated_read;
  calls.write = gated_write;
  return calls;
}

int refuse_thread(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) { return EAGAIN; }

struct Bench {
  explicit Bench(IoWorker& worker = io_worker()) : folder(backend, true, kSystemCalls, worker) {
    g_gate_open = true;
    g_write_error = g_read_error = 0;
    REQUIRE(folder.start(temp.c_str()).ok());
    device = folder.open("data", Folder::Open::create).value();
    fill_pattern(data.span(), 0, 1);
    REQUIRE(device->append(data.blocks(0, 4), Purpose::states).ok());
  }
  ~Bench() { g_gate_open = true; }
  bool holds(u64 blocks) {
    Aligned buffer(blocks * kBlockBytes);
    const ReadRequest request = {0, buffer.span()};
    return device->read({&request, 1}, Purpose::other).ok() && has_pattern(buffer.span(), 0, 1);
  }

  TempFolder temp;
  FileCalls calls = gated_calls();
  PosixBackend backend{calls};
  FileFolder folder;
  Device* device = nullptr;
  Aligned data{64 * kBlockBytes};
};

void wait_for_gate() {
  for (u32 i = 0; i < 100'000 && g_at_gate == 0; ++i) ::usleep(100);
  REQUIRE(g_at_gate == 1);
}

}  // namespace

TEST_CASE("an append goes on while the caller does something else") {
  Bench bench;
  CHECK(bench.folder.notice().empty());
  g_gate_open = false;
  REQUIRE(bench.device->begin_append(bench.data.blocks(4, 8), Purpose::states).ok());
  CHECK(bench.device->size_bytes() == 12 * kBlockBytes);
  wait_for_gate();
  Aligned in(kBlockBytes);
  REQUIRE(bench.device->begin_read({0, in.span()}, Purpose::states).ok());
  const u64 waited_before = bench.device->counters().wait_ns;
  const u64 start_ns = monotonic_ns();
  ::usleep(20'000);
  g_gate_open = true;
  CHECK(bench.device->finish_append().ok());
  CHECK(bench.device->finish_read().ok());
  CHECK(has_pattern(in.span(), 0, 1));
  // The 20 ms that the caller spent elsewhere are not waiting.
  const u64 waited = bench.device->counters().wait_ns - waited_before;
  CHECK(waited + 20'000'000 <= monotonic_ns() - start_ns);
  CHECK(bench.holds(12));
}

TEST_CASE("an error of a begun append is the answer of the one who finishes it") {
  enum class Finisher { finish, sync, read, append, begin_append, begin_read, truncate, discard };
  for (const Finisher how :
       {Finisher::finish, Finisher::sync, Finisher::read, Finisher::append, Finisher::begin_append,
        Finisher::begin_read, Finisher::truncate, Finisher::discard}) {
    CAPTURE(static_cast<int>(how));
    Bench bench;
    Device& device = *bench.device;
    const u64 disk_before = bench.folder.disk_use().now_bytes;
    g_write_error = ENOSPC;
    REQUIRE(device.begin_append(bench.data.blocks(4, 8), Purpose::states).ok());
    CHECK(device.size_bytes() == 12 * kBlockBytes);
    Aligned in(kBlockBytes);
    const ReadRequest first = {0, in.span()};
    const ReadRequest new_one = {11 * kBlockBytes, in.span()};
    Status status;
    switch (how) {
      case Finisher::finish:
        status = device.finish_append();
        break;
      case Finisher::sync:
        status = device.sync();
        break;
      case Finisher::read:
        status = device.read({&first, 1}, Purpose::states);
        break;
      case Finisher::append:
        status = device.append(bench.data.blocks(0, 1), Purpose::states);
        break;
      case Finisher::begin_append:
        status = device.begin_append(bench.data.blocks(0, 1), Purpose::states);
        break;
      case Finisher::begin_read:
        status = device.begin_read(new_one, Purpose::states);
        break;
      case Finisher::truncate:
        status = device.truncate(0);
        break;
      case Finisher::discard:
        status = device.discard(0, kBlockBytes);
        break;
    }
    CHECK(status.code() == Code::disk_full);
    CHECK(status.os_error() == ENOSPC);
    CHECK(device.size_bytes() == 4 * kBlockBytes);
    CHECK(bench.folder.disk_use().now_bytes == disk_before);
    // Told once; from then on the device is read only.
    g_write_error = 0;
    CHECK(device.finish_append().ok());
    CHECK(device.append(bench.data.blocks(4, 1), Purpose::states).code() == Code::io);
    CHECK(device.begin_append(bench.data.blocks(4, 1), Purpose::states).code() == Code::io);
    const Status sync = device.sync();
    CHECK(sync.code() == Code::io);
    CHECK(std::string(sync.c_str()).find("an append of it failed") != std::string::npos);
    CHECK(bench.holds(4));
    bench.folder.close(&device);
    Device* again = bench.folder.open("data", Folder::Open::existing).value();
    CHECK(again->size_bytes() == 4 * kBlockBytes);  // what arrived of it is cut off
    CHECK(again->append(bench.data.blocks(4, 1), Purpose::states).ok());
  }
}

TEST_CASE("an error of a begun read waits for finish_read") {
  Bench bench;
  Device& device = *bench.device;
  Aligned in(kBlockBytes);
  g_read_error = EIO;
  REQUIRE(device.begin_read({0, in.span()}, Purpose::states).ok());
  REQUIRE(device.sync().ok());  // waits for the read, says nothing about it
  g_read_error = 0;
  CHECK(bench.holds(4));
  CHECK(device.finish_read().os_error() == EIO);
  CHECK(device.finish_read().ok());
  // One that was begun over it hands the error on.
  g_read_error = EIO;
  REQUIRE(device.begin_read({0, in.span()}, Purpose::states).ok());
  REQUIRE(device.sync().ok());
  g_read_error = 0;
  CHECK(device.begin_read({0, in.span()}, Purpose::states).os_error() == EIO);
  CHECK(device.begin_read({0, in.span()}, Purpose::states).ok());
  CHECK(device.finish_read().ok());
}

TEST_CASE("a folder that goes away waits for its transfers") {
  Aligned in(kBlockBytes);
  {
    Bench bench;
    g_gate_open = false;
    REQUIRE(bench.device->begin_read({0, in.span()}, Purpose::states).ok());
    wait_for_gate();
    g_gate_open = true;
  }
  CHECK(has_pattern(in.span(), 0, 1));
  CHECK(g_at_gate == 0);
}

TEST_CASE("without a thread transfers are done at once, and the folder says so") {
  IoWorker refused(&refuse_thread);
  const Status status = refused.start();
  CHECK(status.code() == Code::io);
  CHECK(status.os_error() == EAGAIN);
  CHECK(!refused.running());
  Bench bench(refused);
  const std::string notice(bench.folder.notice());
  CHECK(notice.find("cannot start a thread") != std::string::npos);
  CHECK(notice.find("waits for every transfer") != std::string::npos);
  REQUIRE(bench.device->begin_append(bench.data.blocks(4, 8), Purpose::states).ok());
  CHECK(bench.device->finish_append().ok());
  Aligned in(2 * kBlockBytes);
  REQUIRE(bench.device->begin_read({0, in.span()}, Purpose::states).ok());
  CHECK(has_pattern(in.span(), 0, 1));
  CHECK(bench.device->finish_read().ok());
  CHECK(bench.holds(12));
  g_write_error = EIO;
  REQUIRE(bench.device->begin_append(bench.data.blocks(12, 1), Purpose::states).ok());
  CHECK(bench.device->size_bytes() == 13 * kBlockBytes);
  CHECK(bench.device->finish_append().os_error() == EIO);
  CHECK(bench.device->size_bytes() == 12 * kBlockBytes);
}

TEST_CASE("jobs run in their order, each once") {
  REQUIRE(io_worker().start().ok());
  REQUIRE(io_worker().start().ok());  // the second time there is nothing to do
  static u32 g_order[8];
  static u32 g_count;
  g_count = 0;
  struct Numbered : IoJob {
    u32 number = 0;
  };
  Numbered jobs[8];
  for (u32 i = 0; i < 8; ++i) {
    jobs[i].number = i;
    jobs[i].run = [](IoJob& job) { g_order[g_count++] = static_cast<Numbered&>(job).number; };
    io_worker().submit(jobs[i]);
  }
  for (u32 i = 8; i-- > 0;) io_worker().wait(jobs[i]);
  CHECK(g_count == 8);
  for (u32 i = 0; i < 8; ++i) CHECK(g_order[i] == i);
  io_worker().wait(jobs[3]);  // done already
}

}  // namespace io_worker_test
}  // namespace xmc::test
