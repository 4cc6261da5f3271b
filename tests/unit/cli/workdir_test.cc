#include "cli/workdir.h"

#include "child.h"

using namespace xmc;
using child::Place;
namespace fs = std::filesystem;

TEST_CASE("default name") {
  char path[64];
  CHECK(default_work_path("dir/peterson.4.dve", path).ok());
  CHECK(std::string(path) == "peterson.4.xmc");
  CHECK(default_work_path("odd", path).ok());
  CHECK(std::string(path) == "odd.xmc");
  CHECK(default_work_path(".dve", path).ok());
  CHECK(std::string(path) == ".dve.xmc");
  CHECK(default_work_path(std::string(100, 'x'), path).code() == Code::usage);
}

TEST_CASE("a new directory is made, locked, and removed with our files") {
  const Place folder;
  const std::string path = folder / "w";
  WorkDir work;
  REQUIRE(work.open(path.c_str()).ok());
  CHECK(work.is_open());
  REQUIRE(work.write_file(WorkDir::kMarker, "x").ok());
  CHECK(child::read_whole(folder.path / "w" / WorkDir::kMarker) == "x");
  {
    WorkDir second;
    const Status status = second.open(path.c_str());
    CHECK(status.code() == Code::usage);
    CHECK(std::string(status.message()).find("held by pid") != std::string::npos);
    CHECK(std::string(status.message()).find("--work") != std::string::npos);
  }
  bool foreign_left = true;
  CHECK(work.remove(foreign_left).ok());
  CHECK_FALSE(foreign_left);
  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("files of others are never touched") {
  const Place folder;
  fs::create_directory(folder / "w");
  folder.write("w/precious", "data");
  const std::string path = folder / "w";
  WorkDir work;
  CHECK(work.open(path.c_str()).code() == Code::usage);
  CHECK(work.open_existing(path.c_str()).code() == Code::usage);
  folder.write("w/xmc-lite.run", "");
  REQUIRE(work.open(path.c_str()).ok());
  bool foreign_left = false;
  CHECK(work.remove(foreign_left).ok());
  CHECK(foreign_left);
  CHECK(child::read_whole(folder / "w/precious") == "data");
  CHECK_FALSE(fs::exists(folder / "w/xmc-lite.run"));
  CHECK_FALSE(fs::exists(folder / "w/lock"));
  folder.write("file", "");
  const std::string file = folder / "file";
  CHECK(work.open(file.c_str()).code() == Code::usage);
}

TEST_CASE("what a run left without a checkpoint is taken over, a checkpoint is not") {
  const Place folder;
  const std::string path = folder / "w";
  WorkDir first;
  REQUIRE(first.open(path.c_str()).ok());
  REQUIRE(first.write_file(WorkDir::kMarker, "x").ok());
  REQUIRE(first.write_file(WorkDir::kTrace, "x").ok());
  first.leave();
  WorkDir second;
  REQUIRE(second.open(path.c_str()).ok());
  CHECK_FALSE(fs::exists(folder / "w/trace.steps"));
  REQUIRE(second.write_file(WorkDir::kCheckpoints[1], "x").ok());
  second.leave();
  WorkDir third;
  const Status status = third.open(path.c_str());
  CHECK(status.code() == Code::usage);
  CHECK(std::string(status.message()).find("xmc-lite resume") != std::string::npos);
  CHECK(std::string(status.message()).find("xmc-lite clean") != std::string::npos);
  CHECK_FALSE(third.is_open());
  REQUIRE(third.open_existing(path.c_str()).ok());
  bool foreign_left = false;
  CHECK(third.remove(foreign_left).ok());
  CHECK_FALSE(fs::exists(path));
}
