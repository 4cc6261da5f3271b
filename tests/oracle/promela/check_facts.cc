// Facts beside what really happens: every value in every state that the reference explorer finds
// has to lie inside what the analysis says.
//
//     check_facts [--limit N] [--max-procs N] [--define NAME[=VALUE]] FILE...
//
// One line for each model; status 1 when a fact is wrong. Where no bound for processes is proved,
// the number that the explorer finds is given as the bound.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "lower/promela/facts.h"
#include "tests/oracle/promela/explorer.h"
#include "tests/oracle/promela/loaded.h"

namespace {

using namespace xmc;
using namespace xmc::promela;
using promela_test::Machine;
using promela_test::State;

constexpr u32 kComplaints = 5;  // of one model

class Check {
 public:
  Check(const System& system, const Facts* facts) : s_(system), facts_(facts), machine_(system) {
    machine_.is_enabled = [](void*, State&, u32) { return true; };
  }

  static void visit(void* self, const State& state, u32 pid, u32 keeper) {
    static_cast<Check*>(self)->look(state, pid, keeper);
  }
  u32 most_alive = 0;
  u32 wrong = 0;
  u64 values = 0;

 private:
  void complain(const std::string& what) {
    if (wrong++ < kComplaints) std::printf("  %s\n", what.c_str());
  }
  void inside(ir::Interval fact, i32 value, const char* what, u32 a, u32 b, u32 c = 0) {
    ++values;
    if (fact.contains(value)) return;
    char text[200];
    std::snprintf(text, sizeof text, "%s %u %u %u: %d is not in %d..%d", what, a, b, c, value,
                  fact.lo, fact.hi);
    complain(text);
  }
  void look(const State& state, u32 pid, u32 keeper);
  void look_at_process(const State& state, u32 slot);
  void look_at_options(const State& state, u32 slot);
  void look_at_value(const State& state, u32 slot, PlaceId place, ExprId id);
  void look_at_channels(const State& state);

  const System& s_;
  const Facts* facts_;
  Machine machine_;
};

void Check::look_at_value(const State& state, u32 slot, PlaceId place, ExprId id) {
  State copy = state;
  i32 value = 0;
  if (!machine_.evaluate_in(copy, slot, id, value)) return;
  inside(facts_->value(slot, place, id), value, "value of slot, place, offset", slot, place,
         s_.expressions[id].place.begin);
  if (!s_.expressions[id].is_channel) return;
  const Numbers numbers = facts_->channel(slot, place, id);
  const u32 number =
      value < 0 || static_cast<u32>(value) > facts_->channels() ? 0 : static_cast<u32>(value);
  if (!numbers.contains(number)) {
    complain("channel " + std::to_string(number) + " of slot " + std::to_string(slot));
  }
}

void Check::look_at_process(const State& state, u32 slot) {
  const promela_test::Process& process = state.processes[slot];
  if (!facts_->can_be(slot, process.type) || !facts_->can_be_at(slot, process.place)) {
    return complain("slot " + std::to_string(slot) + " is at " + std::to_string(process.place) +
                    " of " + std::string(s_.proctypes[process.type].name));
  }
  for (u32 i = 0; i < process.locals.size(); ++i) {
    const i32 value = process.locals[i];
    inside(facts_->local(slot, process.type, i), value, "local of slot, leaf", slot, i);
    inside(facts_->local_at(slot, process.place, i), value, "local of slot, leaf, place", slot, i,
           process.place);
  }
  inside(facts_->priorities(), process.priority, "priority of slot", slot, 0);
}

void Check::look_at_options(const State& state, u32 slot) {
  const promela_test::Process& process = state.processes[slot];
  const Place& place = s_.places[process.place];
  for (u32 i = 0; i < place.option_count; ++i) {
    const Action& action = s_.actions[s_.options[place.first_option + i].action];
    if (action.value != kNone && action.kind != ActionKind::set_priority) {
      look_at_value(state, slot, process.place, action.value);
      look_at_value(state, slot, kNone, action.value);
    }
    const bool is_channel = action.kind == ActionKind::send || action.kind == ActionKind::receive;
    if (is_channel) look_at_value(state, slot, process.place, action.channel);
    for (u32 j = 0; action.kind == ActionKind::send && j < action.count; ++j) {
      look_at_value(state, slot, process.place, s_.arguments[action.first + j]);
    }
  }
}

void Check::look_at_channels(const State& state) {
  if (state.channels.size() > facts_->channels()) complain("more channels");
  for (u32 i = 0; i < state.channels.size(); ++i) {
    const promela_test::Channel& channel = state.channels[i];
    if (!facts_->can_have_form(i + 1, channel.form)) {
      complain("form of channel " + std::to_string(i + 1));
    }
    for (const std::vector<i32>& message : channel.messages) {
      for (u32 j = 0; j < message.size(); ++j) {
        inside(facts_->message(i + 1, j), message[j], "message of channel, field", i + 1, j);
      }
    }
  }
}

void Check::look(const State& state, u32 pid, u32 keeper) {
  most_alive = std::max(most_alive, static_cast<u32>(state.processes.size()));
  if (facts_ == nullptr) return;
  if (state.processes.size() > facts_->slots()) return complain("more processes");
  for (u32 i = 0; i < state.globals.size(); ++i) {
    inside(facts_->global(i), state.globals[i], "global leaf", i, 0);
  }
  for (u32 i = 0; i < state.processes.size(); ++i) {
    look_at_process(state, i);
    // Inside a chain nobody else tries anything.
    if (pid == kNone || i == keeper) look_at_options(state, i);
  }
  look_at_channels(state);
  if (pid == kNone || pid < state.processes.size()) return;
  bool can = false;
  for (u32 i = 0; i < s_.proctypes.size(); ++i) can = can || facts_->can_die(pid, i);
  if (!can) complain("slot " + std::to_string(pid) + " died");
}

struct Options {
  u64 limit = 20000;
  u32 max_processes = 0;
  std::vector<Definition> definitions;
};

// Types that are possible in a slot, on average; and bits of all that are stored, by the facts.
void print_facts(const System& system, const Facts& facts) {
  u32 pairs = 0;
  for (u32 slot = 0; slot < facts.slots(); ++slot) {
    for (u32 i = 0; i < system.proctypes.size(); ++i) pairs += facts.can_be(slot, i);
  }
  u64 bits = 0;
  u64 declared = 0;
  const auto add = [&](ir::Interval v, const Leaf& leaf) {
    bits += static_cast<u64>(std::bit_width(static_cast<u64>(i64{v.hi} - v.lo)));
    declared += leaf.kind == LeafKind::integer     ? 32
                : leaf.kind == LeafKind::short_int ? 16
                                                   : leaf.width;
  };
  for (u32 i = 0; i < system.global_leaves.size(); ++i) {
    add(facts.global(i), system.global_leaves[i]);
  }
  for (u32 slot = 0; slot < facts.slots(); ++slot) {
    for (u32 t = 0; t < system.proctypes.size(); ++t) {
      const Proctype& type = system.proctypes[t];
      for (u32 i = 0; facts.can_be(slot, t) && i < type.leaf_count; ++i) {
        add(facts.local(slot, t, i), system.local_leaves[type.first_leaf + i]);
      }
    }
  }
  std::printf(" slots %u types %u channels %u bits %llu of %llu", facts.slots(), pairs,
              facts.channels(), static_cast<unsigned long long>(bits),
              static_cast<unsigned long long>(declared));
}

bool check(const char* name, const Options& options) {
  const promela_test::Loaded model(name, options.definitions);
  const char* shown = std::strrchr(name, '/');
  std::printf("%s:", shown == nullptr ? name : shown + 1);
  if (!model.ok()) {
    std::printf(" refused\n");
    return true;
  }
  std::vector<u8> region(std::size_t{64} << 20);
  Arena arena(region);
  const System& system = model.system;
  promela_test::Question question;
  question.limit = options.limit;
  question.visit = Check::visit;
  FactsRequest request{kNone, options.max_processes};
  const auto begin = std::chrono::steady_clock::now();
  Facts facts = find_facts(system, request, arena);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (!facts.is_bounded()) {
    Check count(system, nullptr);
    question.visitor = &count;
    promela_test::explore(system, question);
    // Expressions are evaluated in the last states, too.
    request.max_processes = count.most_alive + 1;
    std::printf(" NOT BOUNDED");
    facts = find_facts(system, request, arena);
  }
  Check all(system, &facts);
  question.visitor = &all;
  const promela_test::Found found = promela_test::explore(system, question);
  std::printf(" states %llu%s alive %u;", static_cast<unsigned long long>(found.states),
              found.complete ? "" : "+", all.most_alive);
  print_facts(system, facts);
  std::printf("; ms %.1f KiB %llu%s\n", seconds.count() * 1000,
              static_cast<unsigned long long>(arena.peak_bytes() >> 10),
              all.wrong > 0 ? " WRONG" : "");
  return all.wrong == 0 && all.values > 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  bool ok = true;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--limit" && i + 1 < argc) {
      options.limit = std::strtoull(argv[++i], nullptr, 10);
    } else if (argument == "--max-procs" && i + 1 < argc) {
      options.max_processes = static_cast<u32>(std::atoi(argv[++i]));
    } else {
      ok = check(argv[i], options) && ok;
    }
  }
  return ok ? 0 : 1;
}
