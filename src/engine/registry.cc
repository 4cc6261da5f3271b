#include "engine/registry.h"

#include <algorithm>
#include <new>

#include "engine/cycles/cycle_engine.h"
#include "engine/delayed/dddd.h"
#include "engine/delayed/hddd.h"
#include "engine/diagram/diagram_engine.h"
#include "engine/part/part.h"
#include "engine/ram/ram.h"
#include "engine/recent/cached.h"
#include "engine/recent/disk.h"
#include "engine/recent/local.h"
#include "engine/recent/mono.h"
#include "engine/recent/serial.h"
#include "xmc/text.h"

namespace xmc {

namespace {

// A process runs one engine: they share their memory, which is part of every --ram.
union Storage {
  constexpr Storage() {}
  char none = 0;
  RamEngine ram;
  MonoEngine mono;
  LocalEngine local;
  PartEngine part;
  CachedEngine cached;
  DiskEngine disk;
  SerialEngine serial;
  HdddEngine hddd;
  DdddEngine dddd;
  DiagramEngine diagram;
  CycleEngine cycles;
};

constinit Storage storage;
constinit std::size_t storage_used = 0;  // its first bytes, by all engines until now

template <class E, auto... kArguments>
Engine* make() {
  storage_used = std::max(storage_used, sizeof(E));
  return ::new (static_cast<void*>(&storage)) E(kArguments...);
}

constexpr EngineInfo kEngines[] = {
    {"ram", "all states in memory; nested depth-first for Büchi products", make<RamEngine>},
    {"mono", "recent states in memory, older ones in one file", make<MonoEngine>, true, true},
    {"local", "like mono, but reads only part of the file", make<LocalEngine>, true, true},
    {"part", "partitions of the states, one of them in memory", make<PartEngine>},
    {"cached", "a cache of states in memory, the queue in a file", make<CachedEngine>, false, true},
    {"disk", "recent states in memory, all of them in a file", make<DiskEngine>, false, true},
    {"serial", "cached first, then disk", make<SerialEngine>, false, true},
    {"hddd", "delayed duplicate detection by hashed files", make<HdddEngine>},
    {"dddd", "delayed duplicate detection, when it pays", make<DdddEngine>},
    {"diagram", "the states as a decision diagram in memory, the queue in a file",
     make<DiagramEngine>},
    {"double-dfs", "accepting cycles by two searches with a bit per state",
     make<CycleEngine, CycleMethod::double_dfs>},
    {"min-cex", "a shortest lasso, from an edge file", make<CycleEngine, CycleMethod::shortest>},
    {"iddfs", "on the fly, double-dfs on a growing part",
     make<CycleEngine, CycleMethod::deepening>},
    {"trim", "accepting cycles by trimming an edge file", make<CycleEngine, CycleMethod::trim>},
};

Engine* make_auto() { return make<DiagramEngine, true>(); }

}  // namespace

std::span<const EngineInfo> engines() { return kEngines; }

u64 engine_bytes() { return sizeof(Storage); }

u64 unused_engine_bytes() { return sizeof(Storage) - storage_used; }

Result<Engine*> find_engine(std::string_view name) {
  if (name == "auto") return make_auto();
  FixedText<128> present;
  present.add("auto");
  const EngineInfo* found = nullptr;
  for (const EngineInfo& info : kEngines) {
    present.add(", ").add(info.name);
    if (name == info.name) found = &info;
  }
  if (found == nullptr) {
    return Status::fail(Code::usage, "there is no engine '%.*s'; available: %s",
                        static_cast<int>(name.size() < 40 ? name.size() : 40), name.data(),
                        present.c_str());
  }
  return found->make();
}

namespace {

Status refuse(const Engine& engine, const char* option, bool EngineInfo::*takes) {
  FixedText<128> able;
  for (const EngineInfo& info : kEngines) {
    if (info.*takes) able.add(able.size() == 0 ? "" : ", ").add(info.name);
  }
  return Status::fail(Code::usage, "engine '%s' does not take --%s; engines that do: %s",
                      engine.name(), option, able.c_str());
}

}  // namespace

Status check_engine_takes(const Engine& engine, bool table, bool signature) {
  if (table && !engine.takes_table()) return refuse(engine, "table", &EngineInfo::takes_table);
  if (!signature || engine.takes_signature()) return {};
  return refuse(engine, "signature", &EngineInfo::takes_signature);
}

EngineChoice choose_engine(const Model& model, bool files) {
  if (!files) return {make<RamEngine>(), "no files can be kept, so all states stay in memory"};
  if (model.buchi) {
    return {make<CycleEngine, CycleMethod::shortest>(),
            "a shortest accepting cycle is looked for in the edges between the states, on flash"};
  }
  return {make_auto(),
          "states are in a table, then in a decision diagram with the queue in a file, then in "
          "sorted runs on flash: each when the one before is full"};
}

}  // namespace xmc
