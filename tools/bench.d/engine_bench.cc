// An engine on a simulated device: the real front end and bytecode machine, an engine of the
// registry, SimFolder over a store in memory, and a virtual clock (platform/clock.h). Built by the
// tests' CMakeLists.txt, run by device_table.py and cycles.py.
//
//   engine_bench MODEL ENGINE RAM_BYTES PROFILE [CPU_FACTOR [LIMIT_S [STORE_MIB [PHF [CACHE]]]]]
//
// Memory is cut as the tool cuts it: RAM_BYTES less code, stack and margin is the arena, and the
// model takes its part of that first. CPU_FACTOR: how much slower the CPU of the target is (6).
// LIMIT_S: virtual seconds after which the search is stopped (0: never). STORE_MIB: room of the
// device (2048), mapped here, resident as far as it is used. PHF: states are numbered by a perfect
// hash, in "ram" or on "flash" with so many bytes of CACHE. No checkpoints are made.
//
// Prints one JSON object. CPU time is that of this host; the total is CPU time times the factor
// plus the time that was waited for the device. What the store in memory takes to copy is part of
// the CPU time. Ends with 0 when all states were seen, 2 when not, 64, 65 or 74 after an error.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "cli/run/budget.h"
#include "cli/run/input/load_model.h"
#include "cli/run/input/model_input.h"
#include "engine/measure/device_probe.h"
#include "engine/registry.h"
#include "platform/clock.h"
#include "platform/device_ram.h"
#include "platform/device_sim.h"
#include "platform/memory.h"
#include "xmc/bytes.h"

namespace xmc {
namespace {

struct Job {
  const char* model = nullptr;
  std::string_view engine;
  u64 ram_bytes = 0;
  const CardProfile* profile = nullptr;
  double cpu_factor = 6;
  double limit_s = 0;
  u64 store_mib = 2048;
  std::string_view phf;
  u64 phf_cache = ~u64{0};
};

[[noreturn]] void leave(int code, std::string_view why) {
  std::fprintf(stderr, "engine_bench: %.*s\n", static_cast<int>(why.size()), why.data());
  std::exit(code);
}

void must(const Status& status, int code = 74) {
  if (!status.ok()) leave(status.code() == Code::budget ? 2 : code, status.message());
}

void on_exhaustion(const Arena&, const char* name, u64 bytes_wanted) {
  std::fprintf(stderr, "engine_bench: too little memory: %s wants %llu bytes\n", name,
               static_cast<unsigned long long>(bytes_wanted));
  std::exit(2);
}

void on_diagnostic(void*, std::string_view text) {
  std::fprintf(stderr, "%.*s", static_cast<int>(text.size()), text.data());
}

// SearchOptions::now_ns has no context.
Clock* g_clock = nullptr;
u64 virtual_ns() { return g_clock->now_ns(); }
u64 probe_ns(void*) { return virtual_ns(); }

// Engines poll once per batch of states, some of them rarely: the clock is asked each time.
StopReason poll_limit(void* self, const Progress&) {
  const u64 end_ns = *static_cast<const u64*>(self);
  return end_ns != 0 && virtual_ns() > end_ns ? StopReason::time_limit : StopReason::none;
}

const char* stop_name(StopReason stop) {
  switch (stop) {
    case StopReason::none:
      return "none";
    case StopReason::time_limit:
      return "time-limit";
    case StopReason::ram:
      return "ram";
    case StopReason::cycles:
      return "cycles-not-checked";
    case StopReason::collisions:
      return "collisions";
    default:
      return "other";
  }
}

DeviceCost probe(Folder& folder, Arena& arena) {
  u64 bytes = kProbeBufferBytes;
  while (bytes > kProbeBufferLeast && bytes + 4096 > arena.free_bytes()) bytes /= 2;
  const u64 mark = arena.scratch_mark();
  const std::span<u8> buffer(static_cast<u8*>(arena.scratch("device probe", bytes, 4096)),
                             static_cast<std::size_t>(bytes));
  const Result<DeviceCost> cost = probe_device(folder, {&probe_ns, nullptr}, buffer);
  arena.scratch_release(mark);
  return cost.ok() ? cost.value() : DeviceCost();
}

void load(const Job& job, Arena& arena, LoadedModel& out) {
  ModelInput input;
  must(read_model_file(job.model, arena, input), 64);
  LoadRequest request;
  request.file = input.file;
  request.text = input.text;
  request.language = language_by_suffix(input.file);
  request.errors = ErrorRule::beem;
  must(load_model(request, &on_diagnostic, nullptr, arena, out), 65);
  input.release(arena);
}

void say(const char* name, u64 value) {
  if (value == kNoFigure) {
    std::printf(" \"%s\":null,\n", name);
  } else {
    std::printf(" \"%s\":%llu,\n", name, static_cast<unsigned long long>(value));
  }
}

void say_s(const char* name, u64 ns) {
  std::printf(" \"%s\":%.6f,\n", name, static_cast<double>(ns) * 1e-9);
}

struct Figures {
  u64 fixed_bytes = 0;  // of --ram, beside the engine's share
  u64 cpu_time_ns = 0;
};

void print(const Job& job, const SearchOutcome& outcome, const Figures& figures,
           const SimFolder& sim) {
  std::printf("{\"engine\":\"%.*s\", \"profile\":\"%s\", \"cpu_factor\":%.3f,\n",
              static_cast<int>(job.engine.size()), job.engine.data(), job.profile->name,
              job.cpu_factor);
  const bool all_seen = outcome.complete || outcome.stop == StopReason::cycles;
  std::printf(" \"complete\":%s, \"reason\":\"%s\",\n", all_seen ? "true" : "false",
              stop_name(outcome.stop));
  say("ram_limit", job.ram_bytes);
  say("fixed_bytes", figures.fixed_bytes);
#define XMC_STAT(name, help) say(#name, outcome.stats.name);
#include "xmc/stats.def"
#undef XMC_STAT
  const DeviceCounters counters = sim.counters();
  const DeviceCounters::Flow flow = counters.total();
  say("bytes_read", flow.bytes_read);
  say("bytes_written", flow.bytes_written);
  say("read_calls", flow.read_calls);
  say("write_calls", flow.write_calls);
  say("random_reads", flow.random_reads);
  say("syncs", counters.syncs);
  say("disk_peak", sim.disk_use().peak_bytes);
  const CardCounters& card = sim.card_counters();
  say("flash_written", card.written_bytes);
  say("units_opened", card.units_opened);
  say("unit_rewrites", card.unit_rewrites);
  say_s("cpu_s", figures.cpu_time_ns);
  say_s("device_s", card.device_ns);
  say_s("waited_s", g_clock->device_ns());
  std::printf(" \"total_s\":%.6f}\n",
              static_cast<double>(figures.cpu_time_ns) * 1e-9 * job.cpu_factor +
                  static_cast<double>(g_clock->device_ns()) * 1e-9);
}

int bench(const Job& job) {
  const Result<Engine*> found = find_engine(job.engine);
  must(found.status(), 64);
  Engine& engine = *found.value();
  const u64 image = image_bytes() + kMarginBytes;
  if (job.ram_bytes < image + (u64{64} << 10)) leave(2, "less memory than code and stack take");
  const Result<std::span<u8>> region = map_region(round_down(job.ram_bytes - image, page_bytes()));
  must(region.status());
  const Result<std::span<u8>> store = map_region(job.store_mib << 20);
  must(store.status());
  Arena arena(region.value());
  arena.set_exhaustion_hook(&on_exhaustion);
  LoadedModel model;
  load(job, arena, model);

  Clock clock(Clock::Kind::virtual_time, static_cast<u32>(job.cpu_factor * 1000));
  g_clock = &clock;
  RamFolder ram(store.value());
  SimFolder sim(ram, *job.profile, clock);
  SearchOptions options;
  options.deadlock = DeadlockRule::ignore;
  options.errors_violate = false;
  options.full = true;
  options.now_ns = &virtual_ns;
  if (!job.phf.empty()) options.cycles.index = IndexKind::phf;
  options.cycles.phf_in_ram = job.phf == "ram";
  options.cycles.phf_cache = job.phf_cache;
  DeviceCost cost;
  if (engine.traits().keeps_files) options.folder = &sim;
  if (engine.traits().keeps_files && engine.traits().wants_probe) {
    cost = probe(sim, arena);
    options.device = &cost;
  }
  const u64 free = arena.free_bytes();
  const u64 least = engine.minimum_bytes(model.model, options);
  if (least > free) on_exhaustion(arena, "the search", least);
  must(engine.plan(model.model, options, arena));
  arena.seal();

  u64 limit_ns = static_cast<u64>(job.limit_s * 1e9);
  SearchOutcome outcome;
  Figures figures;
  figures.fixed_bytes = job.ram_bytes - free;
  const u64 start = cpu_ns();
  must(engine.run({&limit_ns, &poll_limit}, outcome));
  figures.cpu_time_ns = cpu_ns() - start;
  print(job, outcome, figures, sim);
  return outcome.complete || outcome.stop == StopReason::cycles ? 0 : 2;
}

}  // namespace
}  // namespace xmc

int main(int count, char** arguments) {
  using namespace xmc;
  if (count < 5 || count > 10) {
    leave(64,
          "usage: engine_bench MODEL ENGINE RAM_BYTES PROFILE [CPU_FACTOR [LIMIT_S [STORE_MIB [PHF "
          "[CACHE]]]]]");
  }
  Job job;
  job.model = arguments[1];
  job.engine = arguments[2];
  job.ram_bytes = std::strtoull(arguments[3], nullptr, 10);
  job.profile = find_card_profile(arguments[4]);
  if (job.profile == nullptr) leave(64, "no such device: a1, a2, sdhc, eee-ssd or sata");
  if (count > 5) job.cpu_factor = std::strtod(arguments[5], nullptr);
  if (count > 6) job.limit_s = std::strtod(arguments[6], nullptr);
  if (count > 7) job.store_mib = std::strtoull(arguments[7], nullptr, 10);
  if (count > 8) job.phf = arguments[8];
  if (count > 9) job.phf_cache = std::strtoull(arguments[9], nullptr, 10);
  if (count > 8 && job.phf != "ram" && job.phf != "flash") leave(64, "PHF is ram or flash");
  if (job.cpu_factor <= 0 || job.limit_s < 0 || job.store_mib == 0) leave(64, "a number is wrong");
  return bench(job);
}
