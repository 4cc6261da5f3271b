// One suite for every backend that is compiled in: what device.h promises holds for all of them.
#include <doctest/doctest.h>

#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include "rigs.h"

namespace xmc::test {
namespace conformance_test {

TEST_CASE("the suite says which backends it runs on") {
  u32 working = 0;
  for (const Backend& backend : kBackends) {
    const bool works = backend.make() != nullptr;
    working += works ? 1 : 0;
    const std::string line =
        std::string(backend.name) + (works ? "" : ": not compiled in or not allowed here");
    MESSAGE(line);
  }
  CHECK(working >= 5);
  CHECK(file_backend(IoBackend::automatic) != nullptr);
  CHECK(std::string(file_backend(IoBackend::posix)->name()) == "posix");
}

TEST_CASE("what was appended is read back at once") {
  on_every_backend([](FolderBase& folder) {
    Device* device = open_or_fail(folder, "data", Folder::Open::create);
    CHECK(device->size_bytes() == 0);
    CHECK(device->geometry().block_bytes == 4096);
    CHECK(device->geometry().queue_depth >= 1);
    append_pattern(*device, 3, 7);
    CHECK(device->size_bytes() == 3 * 4096);
    append_pattern(*device, 5, 7);
    CHECK(device->size_bytes() == 8 * 4096);
    CHECK(holds_pattern(*device, 0, 8, 7));
    CHECK(holds_pattern(*device, 2, 2, 7));
    folder.close(device);
  });
}

TEST_CASE("large appends and reads arrive whole") {
  on_every_backend([](FolderBase& folder) {
    Device* device = open_or_fail(folder, "data", Folder::Open::create);
    for (u64 i = 0; i < 3; ++i) append_pattern(*device, 1024, 9);
    CHECK(device->size_bytes() == u64{12} << 20);
    CHECK(holds_pattern(*device, 0, 3072, 9));
    CHECK(holds_pattern(*device, 3071, 1, 9));
    folder.close(device);
  });
}

TEST_CASE("a batch is served whatever its order and size") {
  on_every_backend([](FolderBase& folder) {
    Device* device = open_or_fail(folder, "data", Folder::Open::create);
    append_pattern(*device, 256, 3);
    constexpr u64 kRequests = 100;  // more than any queue is deep
    Aligned buffer(kRequests * kBlockBytes);
    std::vector<ReadRequest> batch;
    for (u64 i = 0; i < kRequests; ++i)
      batch.push_back({(i * 37 % 256) * kBlockBytes, buffer.blocks(i, 1)});
    REQUIRE(device->read(batch, Purpose::index).ok());
    for (const ReadRequest& request : batch) CHECK(has_pattern(request.into, request.offset, 3));
    CHECK(device->counters().by_purpose[static_cast<u32>(Purpose::index)].read_calls == kRequests);
    CHECK(device->read({}, Purpose::index).ok());
    folder.close(device);
  });
}

TEST_CASE("reads beyond the end are an error, and so are cuts") {
  on_every_backend([](FolderBase& folder) {
    Device* device = open_or_fail(folder, "data", Folder::Open::create);
    append_pattern(*device, 2, 1);
    Aligned buffer(2 * kBlockBytes);
    const ReadRequest past = {kBlockBytes, buffer.span()};
    CHECK(device->read({&past, 1}, Purpose::states).code() == Code::corrupt);
    const ReadRequest far_away = {~u64{0} - 4095, buffer.blocks(0, 1)};
    CHECK(device->read({&far_away, 1}, Purpose::states).code() == Code::corrupt);
    CHECK(device->truncate(3 * kBlockBytes).code() == Code::corrupt);
    CHECK(device->counters().total().read_calls == 0);
    folder.close(device);
  });
}

TEST_CASE("a file keeps its contents over close and open, and create empties it") {
  on_every_backend([](FolderBase& folder) {
    Device* device = open_or_fail(folder, "data", Folder::Open::create);
    append_pattern(*device, 4, 5);
    CHECK(device->sync().ok());
    CHECK(folder.sync().ok());
    folder.close(device);
    device = open_or_fail(folder, "data", Folder::Open::existing);
    CHECK(device->size_bytes() == 4 * 4096);
    CHECK(holds_pattern(*device, 0, 4, 5));
    append_pattern(*device, 1, 5);
    CHECK(holds_pattern(*device, 0, 5, 5));
    folder.close(device);
    device = open_or_fail(folder, "data", Folder::Open::create);
    CHECK(device->size_bytes() == 0);
    folder.close(device);
  });
}

TEST_CASE("a file that is not there is not opened") {
  on_every_backend([](FolderBase& folder) {
    const Result<Device*> missing = folder.open("missing", Folder::Open::existing);
    CHECK(!missing.ok());
    CHECK(missing.status().code() == Code::io);
    CHECK(missing.status().os_error() == ENOENT);
    Aligned buffer(kBlockBytes);
    CHECK(!folder.load("missing", buffer.span()).ok());
    CHECK(folder.remove("missing").ok());
  });
}

TEST_CASE("truncate cuts, and appends go on from there") {
  on_every_backend([](FolderBase& folder) {
    Device* device = open_or_fail(folder, "data", Folder::Open::create);
    append_pattern(*device, 40, 1);
    CHECK(device->sync().ok());
    CHECK(device->truncate(17 * kBlockBytes).ok());
    CHECK(device->size_bytes() == 17 * kBlockBytes);
    append_pattern(*device, 3, 2);
    CHECK(holds_pattern(*device, 0, 17, 1));
    CHECK(holds_pattern(*device, 17, 3, 2));
    CHECK(device->truncate(0).ok());
    append_pattern(*device, 1, 4);
    CHECK(holds_pattern(*device, 0, 1, 4));
    folder.close(device);
  });
}

TEST_CASE("discard leaves the rest of the file alone") {
  on_every_backend([](FolderBase& folder) {
    Device* device = open_or_fail(folder, "data", Folder::Open::create);
    append_pattern(*device, 64, 6);
    CHECK(device->sync().ok());
    CHECK(device->discard(8 * kBlockBytes, 16 * kBlockBytes).ok());
    CHECK(device->size_bytes() == 64 * kBlockBytes);
    CHECK(holds_pattern(*device, 0, 8, 6));
    CHECK(holds_pattern(*device, 24, 40, 6));
    CHECK(device->counters().discarded_bytes == 16 * kBlockBytes);
    folder.close(device);
  });
}

TEST_CASE("bytes, calls and random reads are counted by purpose") {
  on_every_backend([](FolderBase& folder) {
    Device* device = open_or_fail(folder, "data", Folder::Open::create);
    Aligned buffer(8 * kBlockBytes);
    REQUIRE(device->append(buffer.span(), Purpose::queue).ok());
    REQUIRE(device->append(buffer.blocks(0, 2), Purpose::edges).ok());
    const ReadRequest batch[] = {{0, buffer.blocks(0, 2)},  // starts where nothing was read yet
                                 {2 * kBlockBytes, buffer.blocks(2, 1)},  // goes on
                                 {5 * kBlockBytes, buffer.blocks(3, 1)},  // jumps
                                 {6 * kBlockBytes, buffer.blocks(4, 1)}};
    REQUIRE(device->read(batch, Purpose::queue).ok());
    const ReadRequest again = {6 * kBlockBytes, buffer.blocks(0, 1)};
    REQUIRE(device->read({&again, 1}, Purpose::index).ok());
    REQUIRE(device->sync().ok());

    const auto check = [](const DeviceCounters& counters) {
      const DeviceCounters::Flow& queue = counters.by_purpose[static_cast<u32>(Purpose::queue)];
      CHECK(queue.bytes_written == 8 * kBlockBytes);
      CHECK(queue.write_calls == 1);
      CHECK(queue.bytes_read == 5 * kBlockBytes);
      CHECK(queue.read_calls == 4);
      CHECK(queue.random_reads == 1);
      CHECK(counters.by_purpose[static_cast<u32>(Purpose::edges)].bytes_written == 2 * kBlockBytes);
      CHECK(counters.by_purpose[static_cast<u32>(Purpose::index)].random_reads == 1);
      CHECK(counters.total().bytes_written == 10 * kBlockBytes);
      CHECK(counters.total().bytes_read == 6 * kBlockBytes);
      CHECK(counters.total().random_reads == 2);
      CHECK(counters.syncs == 1);
    };
    check(device->counters());
    check(folder.counters());
    folder.close(device);
    check(folder.counters());  // what a closed device did is not forgotten
    CHECK(folder.open_count() == 0);
  });
}

TEST_CASE("replace and load keep small files of any length") {
  on_every_backend([](FolderBase& folder) {
    std::vector<u8> contents(5000);
    for (std::size_t i = 0; i < contents.size(); ++i) contents[i] = static_cast<u8>(i * 31);
    REQUIRE(folder.replace("root", contents).ok());
    std::vector<u8> loaded(8000);
    Result<u64> bytes = folder.load("root", loaded);
    REQUIRE(bytes.ok());
    CHECK(bytes.value() == 5000);
    loaded.resize(5000);
    CHECK(loaded == contents);

    const std::vector<u8> shorter(100, 42);
    REQUIRE(folder.replace("root", shorter).ok());
    loaded.assign(100, 0);
    bytes = folder.load("root", loaded);
    REQUIRE(bytes.ok());
    CHECK(bytes.value() == 100);
    CHECK(loaded == shorter);

    std::vector<u8> small(99);
    CHECK(folder.load("root", small).status().code() == Code::budget);
    CHECK(folder.counters().by_purpose[static_cast<u32>(Purpose::checkpoint)].bytes_written ==
          5100);
    CHECK(folder.remove("root").ok());
    CHECK(!folder.load("root", loaded).ok());
  });
}

TEST_CASE("files do not see each other, and removing one leaves the others") {
  on_every_backend([](FolderBase& folder) {
    Device* a = open_or_fail(folder, "a", Folder::Open::create);
    Device* b = open_or_fail(folder, "b", Folder::Open::create);
    for (u64 i = 0; i < 20; ++i) {
      append_pattern(*a, 1 + i % 3, 100);
      append_pattern(*b, 1 + i % 2, 200);
    }
    CHECK(holds_pattern(*a, 0, a->size_bytes() / kBlockBytes, 100));
    CHECK(holds_pattern(*b, 0, b->size_bytes() / kBlockBytes, 200));
    folder.close(a);
    CHECK(folder.remove("a").ok());
    CHECK(!folder.open("a", Folder::Open::existing).ok());
    CHECK(holds_pattern(*b, 0, b->size_bytes() / kBlockBytes, 200));
    folder.close(b);
  });
}

TEST_CASE("the number of open files is limited, and slots come back") {
  on_every_backend([](FolderBase& folder) {
    std::vector<Device*> open;
    for (u32 i = 0; i < kOpenDevices; ++i) {
      open.push_back(open_or_fail(folder, ("f" + std::to_string(i)).c_str(), Folder::Open::create));
    }
    CHECK(folder.open("one-more", Folder::Open::create).status().code() == Code::internal);
    folder.close(open[5]);
    open[5] = open_or_fail(folder, "one-more", Folder::Open::create);
    append_pattern(*open[5], 1, 1);
    CHECK(holds_pattern(*open[5], 0, 1, 1));
    for (Device* device : open) folder.close(device);
    CHECK(folder.open_count() == 0);
  });
}

TEST_CASE("free space is told") {
  on_every_backend([](FolderBase& folder) {
    const Result<u64> bytes = folder.free_bytes();
    REQUIRE(bytes.ok());
    CHECK(bytes.value() > 0);
  });
}

TEST_CASE("misaligned calls end the process on every backend") {
  on_every_backend([](FolderBase& folder) {
    Device* device = open_or_fail(folder, "data", Folder::Open::create);
    append_pattern(*device, 4, 1);
    Aligned buffer(3 * kBlockBytes);
    const auto read_status = [&](u64 offset, std::span<u8> into) {
      return status_of_child([&] {
        const ReadRequest request = {offset, into};
        static_cast<void>(device->read({&request, 1}, Purpose::states));
      });
    };
    CHECK(read_status(0, buffer.blocks(0, 1)) == 0);
    CHECK(read_status(512, buffer.blocks(0, 1)) == 70);
    CHECK(read_status(0, buffer.span().first(512)) == 70);
    CHECK(read_status(0, buffer.span().subspan(512, kBlockBytes)) == 70);
    CHECK(status_of_child([&] {
            static_cast<void>(device->append(buffer.span().first(100), Purpose::states));
          }) == 70);
    CHECK(status_of_child(
              [&] { static_cast<void>(folder.open("data", Folder::Open::existing)); }) == 70);
    CHECK(status_of_child(
              [&] { static_cast<void>(folder.open("../data", Folder::Open::existing)); }) == 70);
    folder.close(device);
  });
}

}  // namespace conformance_test
}  // namespace xmc::test
