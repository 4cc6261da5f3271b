#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <set>
#include <string>
#include <vector>

#include "platform/files.h"
#include "platform/lock.h"
#include "support.h"

namespace xmc::test {
namespace files_test {
namespace {

std::string text_of(const std::string& path) {
  std::vector<u8> buffer(100'000);
  const Result<u64> bytes = read_file(path.c_str(), buffer);
  REQUIRE(bytes.ok());
  return std::string(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(bytes.value()));
}

void write_text(const std::string& path, std::string_view text) {
  OutputFile file;
  REQUIRE(file.open(path.c_str()).ok());
  file.write(text);
  REQUIRE(file.close().ok());
}

}  // namespace

TEST_CASE("a file is written in pieces and read as a whole") {
  TempFolder temp;
  const std::string path = temp.file("report");
  std::string expected;
  OutputFile file;
  REQUIRE(file.open(path.c_str()).ok());
  for (u32 i = 0; i < 3000; ++i) {
    const std::string piece = std::to_string(i) + ",";
    file.write(piece);
    expected += piece;
  }
  file.write(std::string(9000, 'z'));
  expected += std::string(9000, 'z');
  CHECK(file.bytes_written() == expected.size());
  REQUIRE(file.close().ok());
  CHECK(!file.is_open());
  CHECK(text_of(path) == expected);
  CHECK(file_bytes(path.c_str()).value() == expected.size());
  write_text(path, "short");  // empties the old one
  CHECK(text_of(path) == "short");
}

TEST_CASE("errors of an output file come out at the end") {
  OutputFile file;
  CHECK(file.open("/nonexistent/folder/file").code() == Code::io);
  CHECK(!file.is_open());
  REQUIRE(file.open("/dev/full").ok());
  file.write("this cannot be stored");
  const Status status = file.close();
  CHECK(status.code() == Code::disk_full);
  CHECK(status.os_error() == ENOSPC);
  CHECK(status.message().find("/dev/full") != std::string_view::npos);
}

TEST_CASE("a dash is standard output") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], 1);
    OutputFile file;
    bool ok = file.open_beside("-").ok();
    file.write("through");
    ok = file.close().ok() && ok;
    ok = ::fcntl(1, F_GETFD) >= 0 && ok;  // still open
    ::_exit(ok ? 0 : 1);
  }
  ::close(ends[1]);
  char buffer[32] = {};
  CHECK(::read(ends[0], buffer, sizeof buffer - 1) == 7);
  CHECK(std::string(buffer) == "through");
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  ::close(ends[0]);
}

TEST_CASE("reading a file that does not fit says both sizes") {
  TempFolder temp;
  const std::string path = temp.file("model");
  write_text(path, "0123456789");
  std::vector<u8> buffer(10);
  CHECK(read_file(path.c_str(), buffer).value() == 10);
  buffer.resize(9);
  const Result<u64> bytes = read_file(path.c_str(), buffer);
  CHECK(bytes.status().code() == Code::budget);
  CHECK(bytes.status().message().find("10 bytes") != std::string_view::npos);
  CHECK(read_file(temp.file("missing").c_str(), buffer).status().os_error() == ENOENT);
  CHECK(read_file(temp.c_str(), buffer).status().code() == Code::io);  // a folder
}

TEST_CASE("folders and names") {
  TempFolder temp;
  const std::string folder = temp.file("work");
  CHECK(!folder_exists(folder.c_str()));
  CHECK(make_folder(folder.c_str()).ok());
  CHECK(make_folder(folder.c_str()).ok());
  CHECK(folder_exists(folder.c_str()));
  CHECK(make_folder((folder + "/a/b").c_str()).code() == Code::io);
  write_text(folder + "/x", "1");
  CHECK(make_folder((folder + "/x").c_str()).code() == Code::io);  // a file of that name
  CHECK(!folder_exists((folder + "/x").c_str()));
  CHECK(file_exists((folder + "/x").c_str()));
  CHECK(rename_file((folder + "/x").c_str(), (folder + "/y").c_str()).ok());
  CHECK(!file_exists((folder + "/x").c_str()));
  CHECK(sync_folder(folder.c_str()).ok());
  CHECK(remove_folder(folder.c_str()).code() == Code::io);  // not empty
  CHECK(remove_file((folder + "/y").c_str()).ok());
  CHECK(remove_file((folder + "/y").c_str()).ok());
  CHECK(remove_folder(folder.c_str()).ok());
  CHECK(remove_folder(folder.c_str()).ok());
  CHECK(!sync_folder(folder.c_str()).ok());
}

TEST_CASE("a folder is listed completely, or until the visitor has enough") {
  TempFolder temp;
  std::set<std::string> expected;
  for (u32 i = 0; i < 500; ++i) {  // more than one buffer of the kernel
    const std::string name = "entry-with-a-long-name-" + std::to_string(i);
    write_text(temp.file(name.c_str()), "");
    expected.insert(name);
  }
  std::set<std::string> seen;
  const Status status = list_folder(
      temp.c_str(),
      [](void* self, const char* name) {
        static_cast<std::set<std::string>*>(self)->insert(name);
        return true;
      },
      &seen);
  CHECK(status.ok());
  CHECK(seen == expected);
  u32 visits = 0;
  CHECK(list_folder(
            temp.c_str(), [](void* self, const char*) { return ++*static_cast<u32*>(self) < 3; },
            &visits)
            .ok());
  CHECK(visits == 3);
  CHECK(!list_folder(
             "/nonexistent", [](void*, const char*) { return true; }, nullptr)
             .ok());
}

TEST_CASE("paths that are too long are refused") {
  char out[kPathBytes];
  CHECK(join_path(out, "a", "b").ok());
  CHECK(std::string(out) == "a/b");
  CHECK(join_path(out, "a/", "b").ok());
  CHECK(std::string(out) == "a/b");
  CHECK(join_path(out, std::string(4090, 'x').c_str(), "1234").ok());
  CHECK(join_path(out, std::string(4090, 'x').c_str(), "12345").code() == Code::usage);
}

TEST_CASE("file systems have names and space") {
  TempFolder temp;
  CHECK(free_space(temp.c_str()).value() > 0);
  CHECK(!free_space("/nonexistent").ok());
  CHECK(std::string(file_system_name("/nonexistent")) == "unknown");
  CHECK(std::string(file_system_name(temp.c_str())) != "");
  struct stat shared = {};
  if (::stat("/dev/shm", &shared) == 0) CHECK(std::string(file_system_name("/dev/shm")) == "tmpfs");
}

TEST_CASE("a work directory has one holder, who is named") {
  TempFolder temp;
  FolderLock lock;
  REQUIRE(lock.acquire(temp.c_str()).ok());
  CHECK(lock.held());
  CHECK(text_of(temp.file("lock")) == std::to_string(::getpid()) + " xmc-lite\n");
  CHECK(FolderLock::is_ours(temp.c_str()));
  const std::string expected = "held by pid " + std::to_string(::getpid());
  CHECK(status_of_child([&] {
          FolderLock second;
          const Status status = second.acquire(temp.c_str());
          if (status.ok()) ::_exit(1);
          if (status.code() != Code::usage) ::_exit(2);
          if (status.message().find(expected) == std::string_view::npos) ::_exit(3);
        }) == 0);
  lock.release();
  CHECK(!lock.held());
  CHECK(!file_exists(temp.file("lock").c_str()));
  lock.release();
  REQUIRE(lock.acquire(temp.c_str()).ok());
  CHECK(FolderLock().acquire("/nonexistent").code() == Code::io);
}

TEST_CASE("a lock of a dead process does not count") {
  TempFolder temp;
  CHECK(status_of_child([&] {
          static FolderLock lock;  // never released: the process ends as if it had crashed
          if (!lock.acquire(temp.c_str()).ok()) ::_exit(1);
          ::_exit(0);
        }) == 0);
  CHECK(file_exists(temp.file("lock").c_str()));
  FolderLock lock;
  CHECK(lock.acquire(temp.c_str()).ok());
}

}  // namespace files_test
}  // namespace xmc::test
