#include "engine/registry.h"

#include "engine/cached.h"
#include "engine/dddd.h"
#include "engine/diagram_engine.h"
#include "engine/disk.h"
#include "engine/hddd.h"
#include "engine/local.h"
#include "engine/mono.h"
#include "engine/part.h"
#include "engine/ram.h"
#include "engine/serial.h"
#include "xmc/text.h"

namespace xmc {

namespace {

constinit RamEngine ram_engine;
constinit MonoEngine mono_engine;
constinit LocalEngine local_engine;
constinit PartEngine part_engine;
constinit CachedEngine cached_engine;
constinit DiskEngine disk_engine;
constinit SerialEngine serial_engine;
constinit HdddEngine hddd_engine;
constinit DdddEngine dddd_engine;
constinit DiagramEngine diagram_engine;
constinit DiagramEngine auto_engine(true);

const EngineInfo kEngines[] = {
    {"ram", "all states in memory, breadth-first; nested depth-first for Büchi products",
     &ram_engine},
    {"mono", "recent states in memory, older ones in one file", &mono_engine},
    {"local", "like mono, but reads only part of the file", &local_engine},
    {"part", "partitions of the states, one of them in memory", &part_engine},
    {"cached", "a cache of states in memory, the queue in a file", &cached_engine},
    {"disk", "recent states in memory, all of them in a file", &disk_engine},
    {"serial", "cached first, then disk", &serial_engine},
    {"hddd", "delayed duplicate detection by hashed files", &hddd_engine},
    {"dddd", "delayed duplicate detection, when it pays", &dddd_engine},
    {"diagram", "the states as a decision diagram in memory, the queue in a file", &diagram_engine},
    {"double-dfs", "two depth-first searches with a bit per state", nullptr},
    {"min-cex", "a shortest lasso, with a bit per state", nullptr},
    {"iddfs", "on the fly, double-dfs on a growing part", nullptr},
    {"trim", "accepting cycles by trimming an edge file", nullptr},
    {"ioemc", "nested depth-first search in files", nullptr},
    {"owcty", "accepting cycles by removing states without predecessors", nullptr},
    {"map", "accepting cycles by maximal accepting predecessors", nullptr},
};

}  // namespace

std::span<const EngineInfo> engines() { return kEngines; }

Result<Engine*> find_engine(std::string_view name) {
  if (name == "auto") return &auto_engine;
  FixedText<128> present;
  present.add("auto");
  const EngineInfo* found = nullptr;
  for (const EngineInfo& info : kEngines) {
    if (info.engine != nullptr) present.add(", ").add(info.name);
    if (name == info.name) found = &info;
  }
  if (found == nullptr) {
    return Status::fail(Code::usage, "there is no engine '%.*s'; available: %s",
                        static_cast<int>(name.size() < 40 ? name.size() : 40), name.data(),
                        present.c_str());
  }
  if (found->engine == nullptr) {
    return Status::fail(Code::unsupported, "engine '%s' is not part of this build; available: %s",
                        found->name, present.c_str());
  }
  return found->engine;
}

namespace {

using Takes = bool (Engine::*)() const;

Status refuse(const Engine& engine, const char* option, Takes takes) {
  FixedText<128> able;
  for (const EngineInfo& info : kEngines) {
    if (info.engine == nullptr || !(info.engine->*takes)()) continue;
    able.add(able.size() == 0 ? "" : ", ").add(info.name);
  }
  return Status::fail(Code::usage, "engine '%s' does not take --%s; engines that do: %s",
                      engine.name(), option, able.c_str());
}

}  // namespace

Status check_engine_takes(const Engine& engine, bool table, bool signature) {
  if (table && !engine.takes_table()) return refuse(engine, "table", &Engine::takes_table);
  if (!signature || engine.takes_signature()) return {};
  return refuse(engine, "signature", &Engine::takes_signature);
}

EngineChoice choose_engine(const Model& model, bool full, bool files) {
  if (model.buchi && !full) return {&ram_engine, "it looks for accepting cycles"};
  if (!files) return {&ram_engine, "no files can be kept, so all states stay in memory"};
  return {&auto_engine,
          "states are in a table, then in a decision diagram with the queue in a file, then in "
          "sorted runs on flash: each when the one before is full"};
}

}  // namespace xmc
