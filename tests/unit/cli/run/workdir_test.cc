#include "cli/run/work/workdir.h"

#include <sys/stat.h>

#include "child.h"

using namespace xmc;

namespace workdir_test {

using child::Done;
using child::Place;
namespace fs = std::filesystem;

namespace {

constexpr const char* kMarkerText = "xmc-lite work directory 1\n";

}  // namespace

TEST_CASE("the folder of a name") {
  char out[kPathBytes];
  const char* const cases[][2] = {{"run", "."},         {"run/", "."}, {"a/run", "a"},
                                  {"a/b/run//", "a/b"}, {"/run", "/"}, {"../run", ".."}};
  for (const auto& one : cases) {
    CAPTURE(one[0]);
    CHECK(parent_folder(one[0], out).ok());
    CHECK(std::string(out) == one[1]);
  }
}

TEST_CASE("looking at a directory changes nothing") {
  const Place folder;
  const std::string path = folder / "w";
  WorkDir work;
  WorkDir::Kind kind = WorkDir::Kind::foreign;
  CHECK(work.look_at(path.c_str(), kind).ok());
  CHECK(kind == WorkDir::Kind::absent);
  CHECK_FALSE(fs::exists(path));
  CHECK_FALSE(work.is_open());
  WorkDir holder;
  REQUIRE(holder.open(path.c_str()).ok());
  const Status status = work.look_at(path.c_str(), kind);
  CHECK(status.code() == Code::io);
  CHECK(work.in_use());
  CHECK(std::string(status.message()).find("held by pid") != std::string::npos);
  CHECK(fs::exists(folder / "w/lock"));
}

TEST_CASE("a new directory is made, locked, and removed with our files") {
  const Place folder;
  const std::string path = folder / "w";
  WorkDir work;
  REQUIRE(work.open(path.c_str()).ok());
  CHECK(work.is_open());
  REQUIRE(work.write_file(WorkDir::kMarker, kMarkerText).ok());
  CHECK(child::read_whole(folder.path / "w" / WorkDir::kMarker) == kMarkerText);
  {
    WorkDir second;
    const Status status = second.open(path.c_str());
    CHECK(status.code() == Code::io);
    CHECK(second.in_use());
    CHECK(second.open_existing(path.c_str()).code() == Code::io);
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

TEST_CASE("names like ours do not make a folder ours") {
  const Place folder;
  fs::create_directory(folder / "u");
  const std::string path = folder / "u";
  const std::string model = folder.models + "peterson3.dve";
  for (const char* name : {"edges", "queue", "root.0", "ended", "model.text", "runs.3", "lock"}) {
    CAPTURE(name);
    const fs::path file = folder.path / "u" / name;
    std::ofstream(file) << "data";
    const Done done = folder.run({"--work", "u", "--engine", "mono", model});
    CHECK(done.exit == 64);
    CHECK(done.err.find("u has files in it and is not a work directory") != std::string::npos);
    for (const char* command : {"clean", "resume", "status", "fsck"}) {
      CHECK(folder.run({command, "u"}).exit == 64);
    }
    CHECK(child::read_whole(file) == "data");
    fs::remove(file);
  }
  // A file that has the name of the marker, and nothing else of it.
  folder.write("u/xmc-lite.run", "how I run it");
  folder.write("u/queue", "data");
  CHECK(folder.run({"--work", "u", model}).exit == 64);
  CHECK(folder.run({"clean", "u"}).exit == 64);
  CHECK(child::read_whole(folder / "u/queue") == "data");
}

TEST_CASE("what is no regular file stays") {
  const Place folder;
  fs::create_directory(folder / "w");
  folder.write("w/xmc-lite.run", kMarkerText);
  folder.write("precious", "data");
  fs::create_symlink("../precious", folder / "w/queue");
  REQUIRE(mkfifo((folder / "w/edges").c_str(), 0600) == 0);
  CHECK(folder.run({"clean", "w"}).exit == 0);
  CHECK(fs::is_symlink(folder / "w/queue"));
  CHECK(fs::is_fifo(folder / "w/edges"));
  CHECK_FALSE(fs::exists(folder / "w/xmc-lite.run"));
  CHECK(child::read_whole(folder / "precious") == "data");
}

TEST_CASE("a run that ended between its lock and its marker leaves a folder for the next one") {
  const Place folder;
  const std::string model = folder.models + "peterson3.dve";
  // Killed right behind the marker's first byte, the lock's last one, and its first one.
  const std::pair<const char*, const char*> left[] = {
      {"xmc-lite.run", ""}, {"lock", "4711 xmc-lite\n"}, {"lock", ""}};
  for (const auto& [name, text] : left) {
    CAPTURE(name);
    fs::create_directory(folder / "peterson3.xmc");
    folder.write((std::string("peterson3.xmc/") + name).c_str(), text);
    CHECK(folder.run({"--engine", "mono", "--work", "peterson3.xmc", model}).exit == 0);
    CHECK_FALSE(fs::exists(folder / "peterson3.xmc"));
  }
  fs::create_directory(folder / "w");
  folder.write("w/lock", "4711 xmc-lite\n");
  CHECK(folder.run({"clean", "w"}).exit == 0);
  CHECK_FALSE(fs::exists(folder / "w"));
}

TEST_CASE("what a run left without a checkpoint is taken over, a checkpoint is not") {
  const Place folder;
  const std::string path = folder / "w";
  WorkDir first;
  REQUIRE(first.open(path.c_str()).ok());
  REQUIRE(first.write_file(WorkDir::kMarker, kMarkerText).ok());
  REQUIRE(first.write_file(WorkDir::kTrace, "x").ok());
  first.leave();
  WorkDir second;
  REQUIRE(second.open(path.c_str()).ok());
  CHECK_FALSE(fs::exists(folder / "w/trace.steps"));
  REQUIRE(second.write_file(WorkDir::kMarker, kMarkerText).ok());
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

TEST_CASE("our files are known by their names") {
  for (const char* name : {"xmc-lite.run", "model.text", "trace.steps", "ended", "lock", "root.0",
                           "root.1", "root.1.new", "queue", "visited", "visited.0", "runs",
                           "runs.12", "candidates.3", "probe", "runs.3.new"}) {
    CAPTURE(name);
    CHECK(WorkDir::is_ours(name));
  }
  for (const char* name : {"", "root", "root.2", "queue.", "queue.1", "runs.", "runs.x", "runs.1x",
                           "runs1", "my.runs", "model", ".new", "trace.steps.txt", "locks"}) {
    CAPTURE(name);
    CHECK_FALSE(WorkDir::is_ours(name));
  }
}

TEST_CASE("a run with a verdict is taken over with all its files, and clean removes them") {
  const Place folder;
  const std::string path = folder / "w";
  fs::create_directory(path);
  const auto fill = [&] {
    for (const char* name : {"w/xmc-lite.run", "w/model.text", "w/root.0", "w/root.1.new",
                             "w/queue", "w/runs.7", "w/visited"}) {
      folder.write(name, "x");
    }
    folder.write("w/xmc-lite.run", kMarkerText);
  };
  fill();
  folder.write("w/ended", "verdict undecided\nreason signal\nexit 75\n");
  WorkDir work;
  CHECK(work.open(path.c_str()).code() == Code::usage);
  CHECK(fs::exists(folder / "w/runs.7"));
  folder.write("w/ended", "verdict holds\nreason none\nexit 0\n");
  REQUIRE(work.open(path.c_str()).ok());
  CHECK(std::distance(fs::directory_iterator(path), fs::directory_iterator()) == 1);  // the lock
  work.leave();
  fill();
  CHECK(folder.run({"clean", "w"}).exit == 0);
  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("a run and its plan say when the work is in memory that --ram does not count") {
  CHECK(drawback_of("vfat") != nullptr);
  CHECK(drawback_of("ext4") == nullptr);
  CHECK(drawback_of("unknown") == nullptr);
  REQUIRE(drawback_of("tmpfs") != nullptr);
  if (std::string(file_system_name("/dev/shm")) != "tmpfs") return;
  if (access("/dev/shm", W_OK) != 0) return;  // not ours to write to
  const Place folder;
  const Place shared("/dev/shm");
  const std::string work = shared.path.string();
  const std::string model = folder.models + "counters.dve";
  const std::string note = "note      " + work + " is on tmpfs: " + drawback_of("tmpfs") + "\n";
  for (const char* command : {"check", "plan"}) {
    const child::Done done = folder.run({command, "--work", work, "--engine", "disk", model});
    CHECK(done.err.find(note) != std::string::npos);
  }
}

}  // namespace workdir_test
