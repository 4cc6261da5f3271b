#include "cli/run/forecast/device_costs.h"

#include "child.h"
#include "platform/device_fault.h"
#include "platform/device_ram.h"

using namespace xmc;

namespace device_costs_test {

using child::Done;
using child::Place;
namespace fs = std::filesystem;

namespace {

struct Rig {
  explicit Rig(u64 arena_bytes = u64{4} << 20)
      : arena_memory(arena_bytes), arena(std::span<u8>(arena_memory)) {}
  DeviceCost cost() {
    g_notes.clear();
    char buffer[256];
    Output notes(
        buffer,
        [](void*, std::string_view bytes) {
          g_notes += bytes;
          return Status();
        },
        nullptr);
    const DeviceCost found = device_cost_of(nullptr, fault, arena, &notes);
    CHECK(notes.flush().ok());
    return found;
  }
  bool has(const char* name) {
    u8 contents[kCostTextBytes];
    return fault.load(name, contents).ok();
  }

  static inline std::string g_notes;
  std::vector<u8> memory = std::vector<u8>(24 << 20);
  RamFolder ram{memory};
  std::vector<u8> journal = std::vector<u8>(4 << 20);
  FaultFolder fault{ram, journal};
  std::vector<u8> arena_memory;
  Arena arena;
};

}  // namespace

TEST_CASE("the device is measured once, and then remembered") {
  Rig rig;
  const u64 free_before = rig.arena.free_bytes();
  CHECK(rig.cost().measured);
  CHECK(rig.g_notes == "");
  CHECK(rig.arena.free_bytes() == free_before);
  CHECK(rig.has(kProbeFile));
  CHECK_FALSE(rig.fault.open(kProbeDataFile, Folder::Open::existing).ok());
  // What is in the file counts, not the device.
  DeviceCost other;
  other.random_read_ns = 123'456'789;
  FixedText<kCostTextBytes> text;
  write_cost(other, text);
  const auto replace = [&](std::string_view contents) {
    const u8* const bytes = reinterpret_cast<const u8*>(contents.data());
    REQUIRE(rig.fault.replace(kProbeFile, {bytes, contents.size()}).ok());
  };
  replace(text.view());
  rig.fault.arm({});
  CHECK(rig.cost().random_read_ns == 123'456'789);
  CHECK(rig.fault.steps() == 0);  // nothing was written
  // A file that is damaged or of another version is written anew.
  replace("xmc-lite probe 99\n");
  CHECK(rig.cost().random_read_ns < 123'456'789);
  CHECK(rig.cost().measured);
  CHECK(rig.g_notes == "");
}

TEST_CASE("a device that cannot be measured does not stop a run") {
  Rig rig;
  FaultPlan plan;
  plan.full_after_bytes = 100'000;
  rig.fault.arm(plan);
  CHECK_FALSE(rig.cost().measured);
  CHECK(rig.g_notes.find("taken for an SD card of class A1: ") != std::string::npos);
  CHECK_FALSE(rig.has(kProbeFile));

  Rig tiny(48 << 10);
  CHECK_FALSE(tiny.cost().measured);
  CHECK(tiny.g_notes.find("too little memory") != std::string::npos);
  CHECK_FALSE(device_cost_of(nullptr, tiny.fault, tiny.arena, nullptr).measured);

  Rig small(100 << 10);  // a smaller buffer will do
  CHECK(small.cost().measured);
}

TEST_CASE("xmc-lite probe") {
  const Place folder;
  Done done = folder.run({"probe", ".", "--json", "o.json"});
  REQUIRE(done.exit == 0);
  CHECK(done.out.starts_with("device    . on "));
  CHECK(done.out.find("random read, 4 KiB") != std::string::npos);
  CHECK_FALSE(fs::exists(folder / "probe.tmp"));
  CHECK_FALSE(fs::exists(folder / "probe"));
  const nlohmann::json probe = child::read_json(folder / "o.json")["probe"];
  for (const char* key : {"scan_ns_per_byte", "scan_offset_ns", "random_read_ns",
                          "write_ns_per_byte", "write_offset_ns"}) {
    CAPTURE(key);
    REQUIRE(probe[key].is_number());
    CHECK(probe[key] >= 0);
  }
  CHECK(probe["random_read_ns"] > 0);
  CHECK(probe["folder"] == ".");
  CHECK(probe["direct"].is_boolean());
  CHECK(probe["measured_now"] == true);

  done = folder.run({"probe", ".", "--json", "-"});
  CHECK(done.exit == 0);
  CHECK(nlohmann::json::parse(done.out, nullptr, false).is_object());

  folder.write("probe.tmp", "mine");
  CHECK(folder.run({"probe", "."}).exit == 0);  // it is not needed
  done = folder.run({"probe", ".", "--anew"});
  CHECK(done.exit == 64);
  CHECK(done.err.find("probe.tmp is there already") != std::string::npos);
  CHECK(child::read_whole(folder / "probe.tmp") == "mine");
  CHECK(folder.run({"probe", "missing"}).exit == 64);
  CHECK(folder.run({"probe"}).exit == 64);
  CHECK(folder.run({"probe", "a", "--full"}).exit == 64);
}

TEST_CASE("a file system is measured once, with 2 MiB written at most") {
  constexpr u64 kMost = u64{2} << 20;
  const Place folder;
  const std::string model = folder.models + "peterson3.dve";
  const auto probe = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--json", "o.json"});
    REQUIRE(folder.run(words).exit == 0);
    const nlohmann::json result = child::read_json(folder / "o.json");
    return words[0] == "plan" ? result["device"] : result["probe"];
  };
  const auto written_by_dddd = [&](const char* work) {
    const Done done =
        folder.run({"--engine", "dddd", "--work", work, "--json", "o.json", "-q", model});
    REQUIRE(done.exit == 0);
    const nlohmann::json stats = child::read_json(folder / "o.json")["stats"];
    return stats["bytes_by_purpose"]["other"]["written"].get<u64>();
  };
  // Whoever is first measures, and the others know.
  for (const int first : {0, 1, 2}) {
    CAPTURE(first);
    fs::remove_all(folder.cache());
    u64 written = 0;
    if (first == 0) written = probe({"probe", "."})["bytes_written"].get<u64>();
    if (first == 1) written = probe({"plan", model})["bytes_written"].get<u64>();
    if (first == 2) written = written_by_dddd("w");
    CHECK(written > 0);
    CHECK(written <= kMost);
    nlohmann::json again = probe({"probe", "."});
    CHECK(again["measured_now"] == false);
    CHECK(again["bytes_written"] == 0);
    CHECK(again["random_read_ns"] > 0);
    again = probe({"plan", model});
    CHECK(again["measured_now"] == false);
    CHECK(again["measured"] == true);
    CHECK(again["bytes_written"] == 0);
    const u64 by_dddd = written_by_dddd("w2");
    CHECK(by_dddd < 65536);  // what it writes beside
    if (first == 2) CHECK(written - by_dddd > 65536);
  }
  CHECK(probe({"probe", ".", "--anew"})["bytes_written"] > 0);
  const Done done = folder.run({"probe", "."});
  CHECK(done.out.ends_with("measured before; --anew measures again\n"));
  // A damaged record is measured anew.
  for (const auto& entry : fs::directory_iterator(folder.cache() + "/xmc-lite"))
    std::ofstream(entry.path()) << "xmc-lite probe 99\n";
  CHECK(probe({"probe", "."})["measured_now"] == true);
  // A cache that cannot be made is no trouble.
  fs::remove_all(folder.cache());
  std::ofstream(folder.cache()) << "a file";
  CHECK(probe({"probe", "."})["measured_now"] == true);
  CHECK(probe({"probe", "."})["measured_now"] == true);
}

}  // namespace device_costs_test
