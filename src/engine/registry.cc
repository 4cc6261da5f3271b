#include "engine/registry.h"

#include <algorithm>
#include <iterator>
#include <new>

#include "engine/automatic/auto_engine.h"
#include "engine/cycles/cycle_engine.h"
#include "engine/cycles/live_engine.h"
#include "engine/delayed/dddd.h"
#include "engine/delayed/hddd.h"
#include "engine/diagram/diagram_engine.h"
#include "engine/nested/ioemc.h"
#include "engine/part/part.h"
#include "engine/ram/ram.h"
#include "engine/recent/cached.h"
#include "engine/recent/disk.h"
#include "engine/recent/local.h"
#include "engine/recent/mono.h"
#include "engine/recent/serial.h"
#include "engine/symbolic/symbolic_engine.h"
#include "xmc/text.h"

namespace xmc {

namespace {

// A process runs one engine: they share their memory, which is part of every --ram.
union Storage {
  constexpr Storage() {}
  char none = 0;
  RamEngine ram;
  LiveEngine<MonoEngine> mono;
  LiveEngine<LocalEngine> local;
  PartEngine part;
  LiveEngine<CachedEngine> cached;
  LiveEngine<DiskEngine> disk;
  LiveEngine<SerialEngine> serial;
  LiveEngine<HdddEngine> hddd;
  LiveEngine<DdddEngine> dddd;
  LiveEngine<DiagramEngine> diagram;
  LiveEngine<DiagramEngine, &kLiveTraits> live;
  DiagramEngine one_by_one;
  CycleEngine cycles;
  IoemcEngine ioemc;
  SymbolicEngine symbolic;
  AutoEngine automatic;
};

// `auto` takes it where the other does not fit, when the end of the storage may be in use already.
static_assert(sizeof(IoemcEngine) <= sizeof(CycleEngine));

constinit Storage storage;
constinit std::size_t storage_used = 0;  // its first bytes, by all engines until now

template <class E, auto... kArguments>
Engine* make() {
  storage_used = std::max(storage_used, sizeof(E));
  return ::new (static_cast<void*>(&storage)) E(kArguments...);
}

template <CycleMethod kMethod>
constexpr EngineInfo cycles() {
  return {&traits_of(kMethod), make<CycleEngine, kMethod>};
}

Engine* make_live() { return make<LiveEngine<DiagramEngine, &kLiveTraits>, true>(); }

// In the order of the manual.
constexpr EngineInfo kEngines[] = {
    {&RamEngine::kTraits, make<RamEngine>},
    {&MonoVisited::kTraits, make<LiveEngine<MonoEngine>>},
    {&LocalVisited::kTraits, make<LiveEngine<LocalEngine>>},
    {&PartEngine::kTraits, make<PartEngine>},
    {&CachedVisited::kTraits, make<LiveEngine<CachedEngine>>},
    {&DiskVisited::kTraits, make<LiveEngine<DiskEngine>>},
    {&SerialVisited::kTraits, make<LiveEngine<SerialEngine>>},
    {&HdddVisited::kTraits, make<LiveEngine<HdddEngine>>},
    {&DdddVisited::kTraits, make<LiveEngine<DdddEngine>>},
    {&kDiagramTraits, make<LiveEngine<DiagramEngine>>},
    cycles<CycleMethod::double_dfs>(),
    cycles<CycleMethod::shortest>(),
    cycles<CycleMethod::deepening>(),
    cycles<CycleMethod::trim>(),
    cycles<CycleMethod::owcty>(),
    cycles<CycleMethod::map>(),
    {&kLiveTraits, make_live},
    {&IoemcEngine::kTraits, make<IoemcEngine>},
    {&SymbolicEngine::kTraits, make<SymbolicEngine>},
    {&kExplicitTraits, make<DiagramEngine, true>},
    {&AutoEngine::kTraits, make<AutoEngine>},
};
constexpr std::size_t kAuto = std::size(kEngines) - 1;

}  // namespace

std::span<const EngineInfo> engines() { return std::span(kEngines).first(kAuto); }

std::span<const EngineInfo> all_engines() { return kEngines; }

u64 engine_bytes() { return sizeof(Storage); }

u64 unused_engine_bytes() { return sizeof(Storage) - storage_used; }

Result<Engine*> find_engine(std::string_view name) {
  FixedText<256> present;
  present.add(kEngines[kAuto].traits->name);
  for (const EngineInfo& info : kEngines) {
    if (name == info.traits->name) return info.make();
    if (&info != &kEngines[kAuto]) present.add(", ").add(info.traits->name);
  }
  return Status::fail(Code::usage, "there is no engine '%.*s'; available: %s",
                      static_cast<int>(name.size() < 40 ? name.size() : 40), name.data(),
                      present.c_str());
}

namespace {

// The names of those that have this trait.
void add_able(bool EngineTraits::*trait, FixedText<128>& able) {
  for (const EngineInfo& info : engines()) {
    if (info.traits->*trait) able.add(able.size() == 0 ? "" : ", ").add(info.traits->name);
  }
}

Status refuse(const Engine& engine, const char* option, bool EngineTraits::*takes) {
  FixedText<128> able;
  add_able(takes, able);
  return Status::fail(Code::usage, "engine '%s' does not take --%s; engines that do: %s",
                      engine.name(), option, able.c_str());
}

}  // namespace

Status check_engine_takes(const Engine& engine, bool table, bool signature) {
  const EngineTraits& traits = engine.traits();
  if (table && !traits.takes_table) return refuse(engine, "table", &EngineTraits::takes_table);
  if (!signature || traits.takes_signature) return {};
  return refuse(engine, "signature", &EngineTraits::takes_signature);
}

Status check_engine_liveness(const Engine& engine, const Model& model) {
  if (model.live_count == 0 || engine.traits().checks_liveness) return {};
  FixedText<128> able;
  add_able(&EngineTraits::checks_liveness, able);
  return Status::fail(Code::unsupported,
                      "engine '%s' does not check the liveness properties of the model; use "
                      "--engine auto, or one of %s",
                      engine.name(), able.c_str());
}

EngineChoice choose_engine(const Model& model, bool files, bool sets) {
  if (!files) return {make<RamEngine>(), "no files can be kept, so all states stay in memory"};
  if (model.buchi) {
    return {make<CycleEngine, CycleMethod::shortest, true>(),
            "a shortest accepting cycle is looked for in the edges between the states, on flash; "
            "if all states fit a table, or as a diagram with counts and edges are many, a nested "
            "search there comes first, to prove that there is none"};
  }
  if (model.live_count != 0) {
    return {make_live(),
            "what has to stay reachable is looked for backwards over the edges between the states, "
            "on flash"};
  }
  if (!sets) {
    return {make<DiagramEngine, true>(),
            "states are in a table, then in a decision diagram with the queue in a file, then in "
            "sorted runs on flash: each when the one before is full"};
  }
  return {make<AutoEngine>(),
          "the first states are in a table; then sets of states are stepped as sets, if the model "
          "is regular; else states are in a table, a decision diagram, and sorted runs on flash: "
          "each when the one before is full"};
}

}  // namespace xmc
