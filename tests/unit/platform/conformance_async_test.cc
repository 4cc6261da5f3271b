// What device.h promises of begin and finish, on every backend: in the background or not, the
// caller sees the same.
#include <doctest/doctest.h>

#include "rigs.h"

namespace xmc::test {
namespace conformance_async_test {
namespace {

// The bytes of n blocks as they have to be at the end of the device.
void fill_next(Device& device, std::span<u8> out, u64 tag) {
  fill_pattern(out, device.size_bytes(), tag);
}

}  // namespace

TEST_CASE("double buffering writes and reads back what was meant") {
  on_every_backend([](FolderBase& folder) {
    Device* device = open_or_fail(folder, "data", Folder::Open::create);
    Aligned buffer(16 * kBlockBytes);
    for (u64 i = 0; i < 20; ++i) {
      const std::span<u8> half = buffer.blocks(i % 2 * 8, 1 + i % 8);
      fill_next(*device, half, 5);
      const u64 before = device->size_bytes();
      REQUIRE(device->finish_append().ok());
      REQUIRE(device->begin_append(half, Purpose::queue).ok());
      CHECK(device->size_bytes() == before + half.size());
    }
    REQUIRE(device->finish_append().ok());
    const u64 blocks = device->size_bytes() / kBlockBytes;
    CHECK(holds_pattern(*device, 0, blocks, 5));

    u64 at = 0;
    REQUIRE(device->begin_read({0, buffer.blocks(0, 1)}, Purpose::queue).ok());
    for (; at < blocks; ++at) {
      REQUIRE(device->finish_read().ok());
      if (at + 1 < blocks) {
        const ReadRequest next = {(at + 1) * kBlockBytes, buffer.blocks((at + 1) % 2, 1)};
        REQUIRE(device->begin_read(next, Purpose::queue).ok());
      }
      CHECK(has_pattern(buffer.blocks(at % 2, 1), at * kBlockBytes, 5));
    }
    CHECK(device->finish_read().ok());
    folder.close(device);
  });
}

TEST_CASE("finishing nothing is fine, and so is nothing to transfer") {
  on_every_backend([](FolderBase& folder) {
    Device* device = open_or_fail(folder, "data", Folder::Open::create);
    CHECK(device->finish_read().ok());
    CHECK(device->finish_append().ok());
    CHECK(device->begin_append({}, Purpose::states).ok());
    CHECK(device->begin_read({0, {}}, Purpose::states).ok());
    CHECK(device->begin_read({kBlockBytes, {}}, Purpose::states).code() == Code::corrupt);
    CHECK(device->finish_append().ok());
    CHECK(device->finish_read().ok());
    CHECK(device->counters().total().write_calls == 0);
    CHECK(device->counters().total().read_calls == 0);
    folder.close(device);
  });
}

TEST_CASE("a read and an append are under way at once") {
  on_every_backend([](FolderBase& folder) {
    Device* device = open_or_fail(folder, "data", Folder::Open::create);
    append_pattern(*device, 8, 2);
    Aligned in(8 * kBlockBytes);
    Aligned out(4 * kBlockBytes);
    for (u64 i = 0; i < 10; ++i) {
      fill_next(*device, out.span(), 2);
      REQUIRE(device->begin_read({i * kBlockBytes, in.span()}, Purpose::states).ok());
      REQUIRE(device->begin_append(out.span(), Purpose::states).ok());
      REQUIRE(device->finish_read().ok());
      CHECK(has_pattern(in.span(), i * kBlockBytes, 2));
      REQUIRE(device->finish_append().ok());
    }
    CHECK(holds_pattern(*device, 0, 48, 2));
    folder.close(device);
  });
}

// Both batches at once: backends that keep a queue need one for each.
TEST_CASE("a batch is read in the background while another file is read") {
  on_every_backend([](FolderBase& folder) {
    Device* one = open_or_fail(folder, "one", Folder::Open::create);
    Device* two = open_or_fail(folder, "two", Folder::Open::create);
    append_pattern(*one, 200, 7);
    append_pattern(*two, 200, 8);
    constexpr u64 kRequests = 40;  // more than a queue takes
    Aligned behind(kRequests * kBlockBytes);
    Aligned before(kRequests * kBlockBytes);
    ReadRequest ahead[kRequests];
    ReadRequest now[kRequests];
    for (u64 round = 0; round < 30; ++round) {
      const u64 count = 1 + (round * 7) % kRequests;
      for (u64 i = 0; i < count; ++i) {
        ahead[i] = {(i * 5 + round) % 200 * kBlockBytes, behind.blocks(i, 1)};
        now[i] = {(199 - i * 3) * kBlockBytes, before.blocks(i, 1)};
      }
      fill_zero(behind.span());
      const std::size_t some = static_cast<std::size_t>(count);
      REQUIRE(one->begin_reads({ahead, some}, Purpose::states).ok());
      REQUIRE(two->read({now, some}, Purpose::states).ok());
      REQUIRE(one->finish_read().ok());
      for (u64 i = 0; i < count; ++i) {
        REQUIRE(has_pattern(behind.blocks(i, 1), ahead[i].offset, 7));
        REQUIRE(has_pattern(before.blocks(i, 1), now[i].offset, 8));
      }
    }
    const u64 calls = one->counters().total().read_calls;
    CHECK(calls == two->counters().total().read_calls);
    ahead[1].offset = 200 * kBlockBytes;
    CHECK(one->begin_reads({ahead, 2}, Purpose::states).code() == Code::corrupt);
    CHECK(one->begin_reads({}, Purpose::states).ok());
    CHECK(one->finish_read().ok());
    CHECK(one->counters().total().read_calls == calls);
    folder.close(one);
    folder.close(two);
  });
}

TEST_CASE("a read of what is being appended waits for it") {
  on_every_backend([](FolderBase& folder) {
    Device* device = open_or_fail(folder, "data", Folder::Open::create);
    append_pattern(*device, 4, 3);
    Aligned out(64 * kBlockBytes);
    Aligned in(65 * kBlockBytes);
    fill_next(*device, out.span(), 3);
    REQUIRE(device->begin_append(out.span(), Purpose::states).ok());
    REQUIRE(device->begin_read({3 * kBlockBytes, in.span()}, Purpose::states).ok());
    REQUIRE(device->finish_read().ok());
    CHECK(has_pattern(in.span(), 3 * kBlockBytes, 3));
    CHECK(device->finish_append().ok());

    fill_next(*device, out.span(), 3);
    REQUIRE(device->begin_append(out.span(), Purpose::states).ok());
    CHECK(holds_pattern(*device, 67, 65, 3));  // read() does so, too

    // So does a batch, whichever of it reaches into the append.
    const ReadRequest batch[] = {{u64{1} * kBlockBytes, in.blocks(0, 1)},
                                 {u64{195} * kBlockBytes, in.blocks(1, 1)}};
    fill_next(*device, out.span(), 3);
    REQUIRE(device->begin_append(out.span(), Purpose::states).ok());
    REQUIRE(device->begin_reads(batch, Purpose::states).ok());
    REQUIRE(device->finish_read().ok());
    for (const ReadRequest& request : batch) CHECK(has_pattern(request.into, request.offset, 3));
    CHECK(device->finish_append().ok());
    folder.close(device);
  });
}

TEST_CASE("every other call finishes what is under way first") {
  on_every_backend([](FolderBase& folder) {
    Device* device = open_or_fail(folder, "data", Folder::Open::create);
    append_pattern(*device, 2, 1);
    Aligned in(2 * kBlockBytes);
    Aligned out(32 * kBlockBytes);
    const auto begin_both = [&] {
      fill_zero(in.span());
      fill_next(*device, out.span(), 1);
      REQUIRE(device->begin_read({0, in.span()}, Purpose::states).ok());
      REQUIRE(device->begin_append(out.span(), Purpose::states).ok());
    };
    const auto read_is_there = [&] {
      CHECK(device->finish_read().ok());
      CHECK(has_pattern(in.span(), 0, 1));
    };
    begin_both();
    CHECK(device->sync().ok());
    read_is_there();
    begin_both();
    append_pattern(*device, 1, 1);
    read_is_there();
    CHECK(holds_pattern(*device, 0, 67, 1));
    begin_both();
    CHECK(device->truncate(60 * kBlockBytes).ok());
    read_is_there();
    CHECK(device->size_bytes() == 60 * kBlockBytes);
    begin_both();
    CHECK(device->discard(40 * kBlockBytes, 52 * kBlockBytes).ok());
    read_is_there();
    CHECK(device->truncate(40 * kBlockBytes).ok());
    begin_both();
    CHECK(device->begin_append(out.blocks(0, 0), Purpose::states).ok());
    read_is_there();
    begin_both();
    folder.close(device);
    device = open_or_fail(folder, "data", Folder::Open::existing);
    CHECK(device->size_bytes() == 104 * kBlockBytes);
    CHECK(holds_pattern(*device, 0, 104, 1));
    folder.close(device);
  });
}

TEST_CASE("begun transfers are counted when they begin") {
  on_every_backend([](FolderBase& folder) {
    Device* device = open_or_fail(folder, "data", Folder::Open::create);
    Aligned buffer(8 * kBlockBytes);
    REQUIRE(device->begin_append(buffer.span(), Purpose::edges).ok());
    const auto edges = [&] {
      return device->counters().by_purpose[static_cast<u32>(Purpose::edges)];
    };
    CHECK(edges().bytes_written == 8 * kBlockBytes);
    CHECK(edges().write_calls == 1);
    REQUIRE(device->finish_append().ok());
    REQUIRE(device->begin_read({0, buffer.blocks(0, 2)}, Purpose::edges).ok());
    CHECK(edges().bytes_read == 2 * kBlockBytes);
    REQUIRE(device->begin_read({4 * kBlockBytes, buffer.blocks(2, 1)}, Purpose::edges).ok());
    CHECK(edges().read_calls == 2);
    CHECK(edges().random_reads == 1);
    REQUIRE(device->finish_read().ok());
    CHECK(folder.counters().total().bytes_written == 8 * kBlockBytes);
    CHECK(folder.disk_use().now_bytes >= 8 * kBlockBytes);
    folder.close(device);
  });
}

TEST_CASE("a begun read beyond the end is refused, misaligned ones end the process") {
  on_every_backend([](FolderBase& folder) {
    Device* device = open_or_fail(folder, "data", Folder::Open::create);
    append_pattern(*device, 2, 1);
    Aligned buffer(2 * kBlockBytes);
    const ReadRequest past = {kBlockBytes, buffer.span()};
    CHECK(device->begin_read(past, Purpose::states).code() == Code::corrupt);
    CHECK(device->finish_read().ok());
    CHECK(device->counters().total().read_calls == 0);
    CHECK(status_of_child([&] {
            static_cast<void>(device->begin_read({512, buffer.blocks(0, 1)}, Purpose::states));
          }) == 70);
    CHECK(status_of_child([&] {
            static_cast<void>(device->begin_append(buffer.span().first(100), Purpose::states));
          }) == 70);
    folder.close(device);
  });
}

TEST_CASE("many devices have transfers under way") {
  on_every_backend([](FolderBase& folder) {
    std::vector<Device*> devices;
    std::vector<std::unique_ptr<Aligned>> out;
    std::vector<std::unique_ptr<Aligned>> in;
    for (u32 i = 0; i < kOpenDevices; ++i) {
      devices.push_back(
          open_or_fail(folder, ("f" + std::to_string(i)).c_str(), Folder::Open::create));
      append_pattern(*devices[i], 4, i);
      out.push_back(std::make_unique<Aligned>(4 * kBlockBytes));
      in.push_back(std::make_unique<Aligned>(4 * kBlockBytes));
      fill_next(*devices[i], out[i]->span(), i);
    }
    for (u32 i = 0; i < kOpenDevices; ++i) {
      REQUIRE(devices[i]->begin_append(out[i]->span(), Purpose::states).ok());
      REQUIRE(devices[i]->begin_read({0, in[i]->span()}, Purpose::states).ok());
    }
    for (u32 i = kOpenDevices; i-- > 0;) {
      CHECK(devices[i]->finish_read().ok());
      CHECK(has_pattern(in[i]->span(), 0, i));
      CHECK(devices[i]->finish_append().ok());
      CHECK(holds_pattern(*devices[i], 0, 8, i));
      folder.close(devices[i]);
    }
  });
}

}  // namespace conformance_async_test
}  // namespace xmc::test
