// Bandwidth of the file device, through platform/ as the engines use it: sequential append,
// appends that are each made durable, sequential read, and random reads of one block in batches.
// Built and run by device.py.
//
//   device_bench FOLDER posix|uring|llfio MEBIBYTES
//
// Prints one `name value` per line: bytes and nanoseconds, on the wall and of the CPU. Ends with 3
// when the backend is not there and with 4 when the file system refuses direct I/O: a figure out of
// the page cache is none.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "platform/clock.h"
#include "platform/device_file.h"
#include "platform/memory.h"
#include "xmc/text.h"

namespace xmc {
namespace {

constexpr u32 kBatches[] = {1, 8, 32};
constexpr u32 kMostBatch = 32;
constexpr u32 kDurableAppends = 64;
constexpr u64 kRandomNs = u64{2} * 1000 * 1000 * 1000;  // of random reads per batch size
constexpr const char* kName = "device_bench.data";

[[noreturn]] void leave(int code, std::string_view why) {
  std::fprintf(stderr, "device_bench: %.*s\n", static_cast<int>(why.size()), why.data());
  std::exit(code);
}

void must(const Status& status) {
  if (!status.ok()) leave(1, status.message());
}

void say(const char* name, u64 value) {
  std::printf("%s %llu\n", name, static_cast<unsigned long long>(value));
}

// xorshift: data that no controller compresses away, and offsets.
u64 next_random() {
  static u64 state = 0x9e3779b97f4a7c15;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

void fill(std::span<u8> buffer) {
  for (u8& byte : buffer) byte = static_cast<u8>(next_random() >> 32);
}

// What the calls of `work` take: `name`_ns, `name`_cpu_ns, `name`_bytes.
template <class Work>
void timed(const char* name, u64 bytes, Work work) {
  const u64 start = monotonic_ns();
  const u64 cpu_start = cpu_ns();
  work();
  FixedText<32> text;
  say(text.format("%s_cpu_ns", name).c_str(), cpu_ns() - cpu_start);
  text.clear();
  say(text.format("%s_ns", name).c_str(), monotonic_ns() - start);
  text.clear();
  say(text.format("%s_bytes", name).c_str(), bytes);
}

void append_chunk(Device& device, std::span<u8> chunk) {
  chunk[0] = static_cast<u8>(next_random());
  must(device.append(chunk, Purpose::other));
}

void append(Device& device, std::span<u8> chunk, u64 bytes) {
  timed("append", bytes, [&] {
    while (device.size_bytes() < bytes) append_chunk(device, chunk);
    must(device.sync());
  });
}

// As checkpoints do it.
void append_durably(Device& device, std::span<u8> chunk) {
  timed("durable", kDurableAppends * u64{chunk.size()}, [&] {
    for (u32 i = 0; i < kDurableAppends; ++i) {
      append_chunk(device, chunk);
      must(device.sync());
    }
  });
}

void scan(Device& device, std::span<u8> chunk) {
  timed("scan", device.size_bytes(), [&] {
    for (u64 at = 0; at < device.size_bytes(); at += chunk.size()) {
      const ReadRequest request{at, chunk};
      must(device.read({&request, 1}, Purpose::other));
    }
  });
}

void random_reads(Device& device, std::span<u8> buffer, u32 batch) {
  const u32 block = device.geometry().block_bytes;
  const u64 blocks = device.size_bytes() / block;
  ReadRequest requests[kMostBatch];
  u64 count = 0;
  const u64 start = monotonic_ns();
  u64 end = start;
  while (end - start < kRandomNs) {
    for (u32 i = 0; i < batch; ++i) {
      requests[i] = {next_random() % blocks * block, buffer.subspan(u64{i} * block, block)};
    }
    must(device.read({requests, batch}, Purpose::other));
    count += batch;
    end = monotonic_ns();
  }
  std::printf("random%u_ns %llu\n", batch, static_cast<unsigned long long>(end - start));
  std::printf("random%u_reads %llu\n", batch, static_cast<unsigned long long>(count));
}

void measure(FileFolder& folder, u64 bytes) {
  const Result<Device*> opened = folder.open(kName, Folder::Open::create);
  must(opened.status());
  Device& device = *opened.value();
  const DeviceGeometry geometry = device.geometry();
  const Result<std::span<u8>> memory = map_region(geometry.preferred_bytes);
  must(memory.status());
  const std::span<u8> chunk = memory.value();
  fill(chunk);
  if (geometry.direct) {
    say("block", geometry.block_bytes);
    say("chunk", geometry.preferred_bytes);
    say("queue", geometry.queue_depth);
    append(device, chunk, bytes);
    scan(device, chunk);
    append_durably(device, chunk);
    for (const u32 batch : kBatches) random_reads(device, chunk, batch);
  }
  const bool direct = device.geometry().direct;
  folder.close(&device);
  must(folder.remove(kName));
  say("peak_rss", peak_rss_bytes());
  if (!direct) leave(4, folder.notice());
}

}  // namespace
}  // namespace xmc

int main(int count, char** arguments) {
  using namespace xmc;
  if (count != 4) leave(64, "usage: device_bench FOLDER posix|uring|llfio MEBIBYTES");
  const std::string_view name = arguments[2];
  const IoBackend which = name == "uring"   ? IoBackend::uring
                          : name == "llfio" ? IoBackend::llfio
                                            : IoBackend::posix;
  FileBackend* backend = file_backend(which);
  if (backend == nullptr) leave(3, "this backend is not compiled in, or the kernel forbids it");
  FileFolder folder(*backend);
  must(folder.start(arguments[1]));
  measure(folder, std::strtoull(arguments[3], nullptr, 10) << 20);
  return 0;
}
