// Power and heat, from folders as sysfs has them.
#include "platform/machine.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "support.h"

namespace machine_test {

namespace {

using namespace xmc;

// A folder of sysfs that goes away.
struct FakeSys {
  FakeSys() { REQUIRE(folder.ok()); }
  ~FakeSys() { std::filesystem::remove_all(root() + "/class"); }
  std::string root() const { return folder.c_str(); }
  void put(const std::string& file, const std::string& text) const {
    const std::filesystem::path path = root() + "/class/" + file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << "\n";
  }
  xmc::test::TempFolder folder;
};

TEST_CASE("a machine without sensors is cool and on mains") {
  const FakeSys sys;
  const MachineSensors sensors(sys.folder.c_str());
  CHECK_FALSE(sensors.on_battery());
  CHECK(sensors.hottest_celsius() < 0);
}

TEST_CASE("the hottest zone counts") {
  const FakeSys sys;
  const MachineSensors sensors(sys.folder.c_str());
  sys.put("thermal/thermal_zone0/temp", "41230");
  sys.put("thermal/thermal_zone7/temp", "85999");
  sys.put("thermal/thermal_zone9/temp", "no number");
  sys.put("thermal/cooling_device0/temp", "120000");
  CHECK(sensors.hottest_celsius() == 85);
}

TEST_CASE("mains, a battery, and supplies that are neither") {
  const FakeSys sys;
  const MachineSensors sensors(sys.folder.c_str());
  sys.put("power_supply/AC/type", "Mains");
  sys.put("power_supply/AC/online", "1");
  sys.put("power_supply/BAT0/type", "Battery");
  sys.put("power_supply/BAT0/status", "Discharging");
  CHECK_FALSE(sensors.on_battery());
  sys.put("power_supply/AC/online", "0");
  CHECK(sensors.on_battery());
  sys.put("power_supply/usb/type", "USB");
  sys.put("power_supply/usb/online", "1");
  CHECK_FALSE(sensors.on_battery());
  sys.put("power_supply/usb/online", "0");
  CHECK(sensors.on_battery());
}

TEST_CASE("a mouse with a battery is not the machine") {
  const FakeSys sys;
  const MachineSensors sensors(sys.folder.c_str());
  sys.put("power_supply/mouse/type", "Battery");
  sys.put("power_supply/mouse/scope", "Device");
  sys.put("power_supply/mouse/status", "Discharging");
  CHECK_FALSE(sensors.on_battery());
  sys.put("power_supply/BAT1/type", "Battery");
  sys.put("power_supply/BAT1/status", "Discharging");
  CHECK(sensors.on_battery());
}

}  // namespace

}  // namespace machine_test
