#include "platform/machine.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "platform/files.h"
#include "xmc/text.h"

namespace xmc {

namespace {

constexpr int kNoSensor = -1000;
constexpr u32 kNicest = 19;
// linux/ioprio.h: this process, class idle.
constexpr int kWhoProcess = 1;
constexpr int kIdleClass = 3 << 13;

// The first line of a file of sysfs; empty if there is none.
std::string_view read_line(const FixedText<256>& path, char (&buffer)[64]) {
  const Result<u64> got = read_file(path.c_str(), {reinterpret_cast<u8*>(buffer), sizeof buffer});
  if (!got.ok()) return {};
  const std::string_view text(buffer, static_cast<std::size_t>(got.value()));
  return piece_of(text, 0, text.find('\n'));
}

// What is in the folders of a class whose names begin like this.
template <class Visit>
void each_of_class(const char* root, const char* kind, std::string_view prefix, Visit visit) {
  struct Walk {
    FixedText<256> folder;
    std::string_view prefix;
    Visit* visit;
  } walk{{}, prefix, &visit};
  walk.folder.add(root).add("/class/").add(kind);
  const auto each = [](void* self, const char* name) {
    Walk& w = *static_cast<Walk*>(self);
    if (!std::string_view(name).starts_with(w.prefix)) return true;
    FixedText<256> path;
    path.add(w.folder.view()).add('/').add(name).add('/');
    (*w.visit)(path.view());
    return true;
  };
  static_cast<void>(list_folder(walk.folder.c_str(), each, &walk));
}

}  // namespace

bool MachineSensors::on_battery() const {
  bool supplied = false;
  bool could_be = false;
  bool discharged = false;
  each_of_class(root_, "power_supply", "", [&](std::string_view folder) {
    char buffer[64];
    const auto line = [&](const char* name) {
      FixedText<256> path;
      path.add(folder).add(name);
      return read_line(path, buffer);
    };
    if (line("type") == "Battery") {
      // Of a mouse or a pen, which say so.
      discharged = discharged || (line("scope") != "Device" && line("status") == "Discharging");
      return;
    }
    const bool on = line("online") == "1";
    supplied = supplied || on;
    could_be = could_be || (!on && line("type") == "Mains");
  });
  return !supplied && (could_be || discharged);
}

int MachineSensors::hottest_celsius() const {
  int hottest = kNoSensor;
  each_of_class(root_, "thermal", "thermal_zone", [&](std::string_view folder) {
    char buffer[64];
    FixedText<256> path;
    path.add(folder).add("temp");
    const std::string_view text = read_line(path, buffer);
    int thousandths = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), thousandths);
    if (end.ec == std::errc()) hottest = std::max(hottest, thousandths / 1000);
  });
  return hottest;
}

u32 processor_count() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(1u, static_cast<u32>(CPU_COUNT(&set)));
}

void be_nice(u32 by) {
  static_cast<void>(::setpriority(PRIO_PROCESS, 0, static_cast<int>(by)));
  if (by < kNicest) return;
  static_cast<void>(::syscall(SYS_ioprio_set, kWhoProcess, 0, kIdleClass));
}

}  // namespace xmc
