#include "engine/measure/sample.h"

#include <algorithm>

#include "engine/ram/bfs.h"
#include "store/files/key_block.h"
#include "store/keys/hash_class.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

constexpr u32 kBlockBytes = 64 << 10;
constexpr u32 kPartitions = 16;
constexpr u64 kPeerStates = 40'000;  // room for the sample that owners are chosen by

StateTable::Shape shape_of(const Model& model) {
  return {model.state_words, std::max(model.state_bytes, 1u), model.buchi};
}

struct Clock {
  u64 (*now_ns)() = nullptr;
  u64 end_ns = 0;

  static StopReason poll(void* self, const Progress&) {
    auto* const clock = static_cast<Clock*>(self);
    return clock->now_ns() < clock->end_ns ? StopReason::none : StopReason::time_limit;
  }
};

// What the states of the table take as blocks of keys, in as many partitions.
double coded_bytes(const StateTable& table, u32 words, std::span<u8> block, u32 partitions) {
  KeyBlockWriter writer;
  Word key[limits::kKeyWords] = {};
  u64 bytes = 0;
  for (u32 partition = 0; partition < partitions; ++partition) {
    writer.start(block, words);
    for (StateIndex i = 0; i < table.size(); ++i) {
      table.load(i, key);
      if (hash_class(key, words, partitions) != partition) continue;
      if (writer.append(key, 0, 0)) continue;
      bytes += writer.contents().size();
      writer.reset();
      XMC_CHECK(writer.append(key, 0, 0));
    }
    bytes += writer.contents().size() - KeyBlockHeader::kBytes;
  }
  return static_cast<double>(bytes) / static_cast<double>(table.size());
}

// Room for `states`, as far as there is any; 0 when it would not hold a search.
u64 table_bytes(const StateTable::Shape& shape, u64 states, u64 room) {
  const u64 least = StateTable::minimum_bytes(shape);
  const u64 wanted = least + states * (u64{shape.state_bytes} + 8);
  return room < least + kLineBytes ? 0 : round_down(std::min(wanted, room), kLineBytes);
}

void search(RamSearch& ram, Clock& clock, Sample& sample) {
  const RunControl control = {&clock, &Clock::poll};
  SearchOutcome outcome;
  SearchStats& stats = outcome.stats;
  stats.states = stats.transitions = stats.deadlocks = stats.expansions = stats.error_steps = 0;
  stats.accepting = stats.levels = 0;
  ram.search->control = &control;
  ram.search->outcome = &outcome;
  // Nobody asks for the path to a violation.
  ram.hand_over.happened = true;
  const u64 begin = clock.now_ns();
  const Status status = run_bfs(ram);
  XMC_CHECK(status.ok());
  sample.elapsed_ns = clock.now_ns() - begin;
  sample.states = stats.states;
  sample.expansions = stats.expansions;
  sample.transitions = stats.transitions;
  sample.levels = stats.levels;
  sample.stop = outcome.stop;
  sample.complete = outcome.complete;
  sample.violation = outcome.violation;
}

// Of one state in some, which the search has expanded before.
double cycle_steps(RamSearch& ram, u64 expanded) {
  Search& search = *ram.search;
  constexpr u64 kLookedAt = 4096;
  const Model& model = search.model;
  const u64 stride = expanded / kLookedAt + 1;
  u64 states = 0;
  u64 steps = 0;
  for (u64 i = 0; i < expanded; i += stride) {
    ++states;
    ram.table.load(static_cast<StateIndex>(i), search.state);
    const u32 component = model.cycle_class_of(search.state);
    if (component == 0) continue;
    const Expansion expansion =
        model.expand(model.self, search.state, {search.buffer, nullptr, search.buffer_states});
    for (u32 k = 0; k < expansion.count; ++k) {
      if (model.cycle_class_of(search.buffer_at(k)) == component) ++steps;
    }
  }
  return states == 0 ? 0 : static_cast<double>(steps) / static_cast<double>(states);
}

}  // namespace

Sample take_sample(const Model& model, const SearchOptions& options, Arena& arena,
                   const SampleLimits& limits, PeerSamples* peers) {
  XMC_CHECK(options.now_ns != nullptr);
  Sample sample;
  const StateTable::Shape shape = shape_of(model);
  const u64 buffer_states = Search::buffer_states_for(model);
  const u64 buffer_bytes = buffer_states * model.state_words * sizeof(Word);
  const u64 peer_bytes = peers == nullptr ? 0 : kPeerStates * (model.state_bytes + 16);
  const u64 fixed = buffer_bytes + kBlockBytes + 2 * kPageBytes + 3 * kLineBytes + peer_bytes;
  const u64 room = arena.free_bytes() > fixed ? arena.free_bytes() - fixed : 0;
  const u64 bytes = table_bytes(shape, limits.states, room);
  if (bytes == 0) return sample;

  const u64 mark = arena.scratch_mark();
  Search run;
  RamSearch ram;
  ram.search = &run;
  run.model = model;
  run.options = options;
  run.options.full = true;
  run.buffer_states = static_cast<u32>(buffer_states);
  run.buffer = static_cast<Word*>(arena.scratch("sample", buffer_bytes, kLineBytes));
  u8* const block = static_cast<u8*>(arena.scratch("sample", kBlockBytes, kPageBytes));
  u8* const region = static_cast<u8*>(arena.scratch("sample", bytes, kLineBytes));
  ram.table.init({region, static_cast<std::size_t>(bytes)}, shape);
  ram.table.set_state_limit(std::min(limits.states, options.state_limit));
  Clock clock = {options.now_ns, options.now_ns() + limits.time_ns};
  search(ram, clock, sample);
  if (peers != nullptr) {
    u8* const memory = static_cast<u8*>(arena.scratch("sample", peer_bytes, kLineBytes));
    const std::span<u8> spare(memory, static_cast<std::size_t>(peer_bytes));
    fill_zero(spare);
    sample_peers(ram, sample.expansions, spare, *peers);
  }
  if (model.buchi) sample.cycle_steps = cycle_steps(ram, sample.expansions);
  constexpr u64 kMany = 1'000'000;
  sample.in_table = static_cast<double>(ram.table.bytes_for(kMany)) / kMany;
  const std::span<u8> memory(block, kBlockBytes);
  sample.in_order = coded_bytes(ram.table, model.state_words, memory, 1);
  sample.in_partitions = coded_bytes(ram.table, model.state_words, memory, kPartitions);
  arena.scratch_release(mark);
  return sample;
}

}  // namespace xmc
