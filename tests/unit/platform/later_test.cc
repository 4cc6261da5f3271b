// A folder that is made when the first file in it is written.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "platform/device_file.h"
#include "support.h"

using namespace xmc;

namespace later_test {

namespace fs = std::filesystem;

namespace {

struct Later {
  fs::path top = fs::temp_directory_path() / ("xmc-later-" + std::to_string(::getpid()));
  std::string place = top.string();
  u32 made = 0;
  bool fails = false;

  Later() { fs::create_directories(top); }
  ~Later() { fs::remove_all(top); }
  FolderMaker maker() {
    return {this, [](void* self, char* path) {
              Later& later = *static_cast<Later*>(self);
              if (later.fails) return Status::fail(Code::io, "no folder today");
              ++later.made;
              const std::string work = later.place + "/w";
              fs::create_directory(work);
              Text(path, kPathBytes).add(work);
              return Status();
            }};
  }
};

alignas(kPageBytes) u8 g_block[kPageBytes];

}  // namespace

TEST_CASE("nothing is made before a write, and then all that was opened") {
  FileBackend& backend = *file_backend(IoBackend::posix);
  Later later;
  FileFolder folder(backend);
  REQUIRE(folder.start_later(later.place.c_str(), later.maker()).ok());
  const Result<Device*> queue = folder.open("queue", Folder::Open::create);
  const Result<Device*> index = folder.open("index", Folder::Open::create);
  const Result<Device*> gone = folder.open("gone", Folder::Open::create);
  REQUIRE(queue.ok());
  REQUIRE(index.ok());
  REQUIRE(gone.ok());
  Device& device = *queue.value();
  CHECK(device.size_bytes() == 0);
  CHECK(device.sync().ok());
  CHECK(device.truncate(0).ok());
  CHECK(device.read({}, Purpose::queue).ok());
  u8 text[8];
  CHECK(folder.load("root.0", text).status().os_error() == ENOENT);
  CHECK(folder.open("old", Folder::Open::existing).status().os_error() == ENOENT);
  CHECK(folder.remove("old").ok());
  CHECK(folder.sync().ok());
  CHECK(folder.free_bytes().ok());
  folder.close(gone.value());
  CHECK(later.made == 0);
  CHECK(fs::is_empty(later.top));

  g_block[0] = 7;
  REQUIRE(device.begin_append(g_block, Purpose::queue).ok());
  REQUIRE(device.finish_append().ok());
  CHECK(later.made == 1);
  CHECK(fs::file_size(later.top / "w/queue") == kPageBytes);
  CHECK(fs::file_size(later.top / "w/index") == 0);
  CHECK_FALSE(fs::exists(later.top / "w/gone"));
  REQUIRE(index.value()->append(g_block, Purpose::index).ok());
  const ReadRequest request = {0, g_block};
  g_block[0] = 0;
  REQUIRE(device.read({&request, 1}, Purpose::queue).ok());
  CHECK(g_block[0] == 7);
  CHECK(folder.replace("root.0", {text, 1}).ok());
  CHECK(later.made == 1);
  folder.close(queue.value());
  folder.close(index.value());
  CHECK(folder.disk_use().now_bytes > 0);
}

TEST_CASE("where no folder can be made a write fails, and nothing else") {
  FileBackend& backend = *file_backend(IoBackend::posix);
  Later later;
  later.fails = true;
  FileFolder folder(backend);
  REQUIRE(folder.start_later(later.place.c_str(), later.maker()).ok());
  const Result<Device*> queue = folder.open("queue", Folder::Open::create);
  REQUIRE(queue.ok());
  const Status status = queue.value()->append(g_block, Purpose::queue);
  CHECK(status.code() == Code::io);
  CHECK(std::string(status.c_str()) == "no folder today");
  CHECK(queue.value()->size_bytes() == 0);
  CHECK(folder.replace("root.0", {g_block, 1}).code() == Code::io);
  later.fails = false;
  CHECK(folder.replace("root.0", {g_block, 1}).ok());
  CHECK(queue.value()->append(g_block, Purpose::queue).ok());
  folder.close(queue.value());
}

}  // namespace later_test
