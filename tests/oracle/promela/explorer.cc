#include "tests/oracle/promela/explorer.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "tests/oracle/promela/cycles.h"

namespace xmc::promela_test {

using namespace promela;

namespace {

// A step that was taken, and who keeps control behind it.
struct Move {
  State state;
  u32 keeper = kNone;
  u32 pid = kNone;
  bool is_false = false;   // an assertion in it
  bool is_untold = false;  // the trace does not allow it
};

class Explorer {
 public:
  Explorer(const System& system, const Question& question)
      : system_(system), question_(question), machine_(system) {
    machine_.is_enabled = ask_enabled;
    machine_.enabled_self = this;
    for (u32 i = 0; i < system.expressions.size(); ++i) {
      has_timeout_ = has_timeout_ || system.expressions[i].op == Op::timeout;
      asks_progress_ = asks_progress_ || system.expressions[i].op == Op::no_progress;
    }
  }

  Found run();

 private:
  static bool ask_enabled(void* self, State& state, u32 pid) {
    Explorer asked(static_cast<Explorer*>(self)->system_, {});
    std::vector<Move> out;
    asked.add_process_moves(state, pid, false, out);
    return !out.empty();
  }
  const Place& place(const Process& process) const { return system_.places[process.place]; }
  const Option& option(const Place& at, u32 i) const {
    return system_.options[at.first_option + i];
  }

  void add_process_moves(const State& state, u32 pid, bool timeout, std::vector<Move>& out);
  bool add_rendezvous(const State& state, u32 pid, const Action& action, u32 channel,
                      const std::vector<i32>& message, std::vector<Move>& out);
  std::vector<Move> moves(const State& state, u32 only);
  bool yields(const State& state, u32 pid);
  void keep_highest(const State& state, std::vector<Move>& out) const;
  void chain(const Move& move, std::set<std::string>& path, std::vector<State>& out);
  std::vector<State> expand(const State& state);
  std::vector<Process> claim_moves(const State& state, bool timeout);
  std::vector<State> expand_product(const State& state);
  bool is_invalid_end(const State& state) const;
  bool is_accepting(const State& state) const;
  void note_error(const std::string& what);
  void note_assertion() {
    if (found_.assertion_steps == kNone) found_.assertion_steps = depth_ + 1;
  }
  void add(const State& state, u32 depth);

  const System& system_;
  Question question_;
  Machine machine_;
  Found found_;
  bool has_timeout_ = false;
  bool asks_progress_ = false;
  bool erred_ = false;  // some step of the state being expanded fails
  u32 depth_ = 0;
  std::unordered_map<std::string, u32> known_;
  std::vector<State> states_;
  std::vector<u32> depths_;
  std::vector<std::vector<u32>> edges_;
  std::vector<bool> accepting_;
};

void Explorer::note_error(const std::string& what) {
  erred_ = true;
  if (found_.error_steps != kNone) return;
  found_.error_steps = depth_ + 1;
  found_.error = what;
}

bool Explorer::add_rendezvous(const State& state, u32 pid, const Action& action, u32 channel,
                              const std::vector<i32>& message, std::vector<Move>& out) {
  bool taken = false;
  for (u32 p = static_cast<u32>(state.processes.size()); p-- > 0;) {
    if (p == pid) continue;
    State before = state;
    if (!machine_.is_provided(before, p)) continue;
    const Place& at = place(state.processes[p]);
    u32 escape = 0;
    for (u32 i = 0; i < at.option_count; ++i) {
      const Option& one = option(at, i);
      if (escape != 0 && one.escape != escape) break;
      const Action& receive = system_.actions[one.action];
      if (!machine_.receives(before, p, receive, channel, message)) continue;
      Move move{state, kNone, pid};
      move.state.processes[pid].place = action.next;
      machine_.failed_assertion = machine_.failed_trace = false;
      Outcome outcome = machine_.execute(move.state, p, receive, false, &message);
      if (outcome == Outcome::taken && !machine_.tell_rendezvous(move.state, channel, message))
        outcome = Outcome::failed;
      move.is_false = machine_.failed_assertion;
      move.is_untold = machine_.failed_trace;
      taken = true;
      escape = one.escape;
      if (outcome != Outcome::taken) {
        note_error(machine_.error);
        continue;
      }
      move.keeper = receive.keeps_control ? p : kNone;
      out.push_back(move);
    }
  }
  return taken;
}

void Explorer::add_process_moves(const State& state, u32 pid, bool timeout,
                                 std::vector<Move>& out) {
  State before = state;
  if (!machine_.is_provided(before, pid)) return;
  const Place& at = place(state.processes[pid]);
  u32 escape = 0;
  bool done = false;
  for (u32 i = 0; i < at.option_count; ++i) {
    const Option& one = option(at, i);
    if (escape != 0 && one.escape != escape) break;
    const Action& action = system_.actions[one.action];
    if (action.kind == ActionKind::otherwise && done) continue;
    u32 channel = 0;
    std::vector<i32> message;
    if (machine_.is_rendezvous_send(before, pid, action, channel, message)) {
      if (!add_rendezvous(state, pid, action, channel, message, out)) continue;
    } else {
      Move move{state, action.keeps_control ? pid : kNone, pid};
      machine_.failed_assertion = machine_.failed_trace = false;
      const Outcome outcome = machine_.execute(move.state, pid, action, timeout);
      move.is_false = machine_.failed_assertion;
      move.is_untold = machine_.failed_trace;
      if (outcome == Outcome::failed) note_error(machine_.error);
      if (outcome != Outcome::taken) continue;
      out.push_back(move);
    }
    done = true;
    escape = one.escape;
  }
}

void Explorer::keep_highest(const State& state, std::vector<Move>& out) const {
  i32 highest = 0;
  for (const Move& move : out) highest = std::max(highest, state.processes[move.pid].priority);
  std::erase_if(out,
                [&](const Move& move) { return state.processes[move.pid].priority < highest; });
}

// Whether a process of a higher priority can move: not even who keeps control may go on then.
bool Explorer::yields(const State& state, u32 pid) {
  const Found kept = found_;
  const bool erred = erred_;
  std::vector<Move> others;
  for (u32 other = 0; other < state.processes.size(); ++other) {
    if (state.processes[other].priority > state.processes[pid].priority)
      add_process_moves(state, other, false, others);
  }
  found_ = kept;
  erred_ = erred;
  return !others.empty();
}

std::vector<Move> Explorer::moves(const State& state, u32 only) {
  std::vector<Move> out;
  if (system_.uses_priorities && only != kNone && yields(state, only)) return out;
  for (const bool timeout : {false, true}) {
    if (timeout && !has_timeout_) break;
    for (u32 pid = static_cast<u32>(state.processes.size()); pid-- > 0;) {
      if (only == kNone || only == pid) add_process_moves(state, pid, timeout, out);
    }
    if (system_.uses_priorities && only == kNone) keep_highest(state, out);
    if (!out.empty() || only != kNone) break;
  }
  for (const Move& move : out) {
    if (question_.visit == nullptr) break;
    question_.visit(question_.visitor, move.state, move.pid, move.keeper);
  }
  return out;
}

void Explorer::chain(const Move& move, std::set<std::string>& path, std::vector<State>& out) {
  if (move.is_false) note_assertion();
  if (move.is_untold && found_.trace_steps == kNone) found_.trace_steps = depth_ + 1;
  if (move.keeper == kNone) {
    out.push_back(move.state);
    return;
  }
  const std::string key = move.state.encode(system_) + static_cast<char>(move.keeper);
  if (!path.insert(key).second) return note_error("an atomic sequence does not end");
  const std::vector<Move> further = moves(move.state, move.keeper);
  if (further.empty()) out.push_back(move.state);
  for (const Move& next : further) chain(next, path, out);
  path.erase(key);
}

std::vector<State> Explorer::expand(const State& state) {
  std::vector<State> out;
  std::set<std::string> path;
  for (const Move& move : moves(state, kNone)) chain(move, path, out);
  return out;
}

// What the claim looks like behind each of its moves; its atomic sequences are one move.
std::vector<Process> Explorer::claim_moves(const State& state, bool timeout) {
  std::vector<Process> out;
  const Place& at = place(state.claim);
  bool done = false;
  for (u32 i = 0; i < at.option_count; ++i) {
    const Action& action = system_.actions[option(at, i).action];
    if (action.kind == ActionKind::otherwise && done) continue;
    State copy = state;
    machine_.failed_assertion = false;
    const Outcome outcome = machine_.execute(copy, Machine::kClaim, action, timeout);
    if (machine_.failed_assertion) note_assertion();
    if (outcome == Outcome::failed) note_error(machine_.error);
    if (outcome != Outcome::taken) continue;
    done = true;
    if (!action.keeps_control) {
      out.push_back(copy.claim);
      continue;
    }
    const std::vector<Process> further = claim_moves(copy, timeout);
    out.insert(out.end(), further.begin(), further.end());
  }
  return out;
}

std::vector<State> Explorer::expand_product(const State& state) {
  // Whether the system can move without timeouts is what the claim sees of `timeout`.
  std::vector<State> out;
  const bool has_timeout = has_timeout_;
  const Found kept = found_;
  has_timeout_ = false;
  const bool is_stuck = has_timeout && moves(state, kNone).empty();
  has_timeout_ = has_timeout;
  if (asks_progress_) machine_.stands_still = moves(state, kNone).empty();
  found_ = kept;
  const std::vector<Process> claims = claim_moves(state, is_stuck);
  machine_.stands_still = false;
  if (claims.empty()) return out;
  std::vector<State> steps = expand(state);
  if (steps.empty() && !erred_) {
    ++found_.stuck;
    steps.push_back(state);
  }
  for (const Process& claim : claims) {
    for (State next : steps) {
      next.claim = claim;
      out.push_back(next);
    }
  }
  return out;
}

bool Explorer::is_invalid_end(const State& state) const {
  for (const Process& process : state.processes) {
    if (!place(process).is_valid_end) return true;
  }
  if (state.trace == kNone || system_.is_forbidden || state.processes.empty()) return false;
  return !system_.places[state.trace].is_valid_end;
}

bool Explorer::is_accepting(const State& state) const {
  if (state.claim.type != kNone && place(state.claim).is_accepting) return true;
  if (!question_.system_accepts) return false;
  for (const Process& process : state.processes) {
    if (place(process).is_accepting) return true;
  }
  return false;
}

void Explorer::add(const State& state, u32 depth) {
  const auto [at, is_new] = known_.emplace(state.encode(system_), static_cast<u32>(states_.size()));
  if (question_.cycles && depth > 0) edges_.back().push_back(at->second);
  if (!is_new) return;
  if (question_.visit != nullptr) question_.visit(question_.visitor, state, kNone, kNone);
  states_.push_back(state);
  depths_.push_back(depth);
  accepting_.push_back(is_accepting(state));
  if (accepting_.back()) ++found_.accepting;
  if (depth + 1 > found_.levels) found_.levels = depth + 1;
  if (state.claim.type == kNone) return;
  const Place& at_claim = place(state.claim);
  if (at_claim.is_valid_end && found_.claim_steps == kNone) found_.claim_steps = depth;
}

Found Explorer::run() {
  add(machine_.initial(question_.claim), 0);
  for (u32 i = 0; i < states_.size(); ++i) {
    if (states_.size() > question_.limit) {
      found_.complete = false;
      break;
    }
    depth_ = depths_[i];
    erred_ = false;
    edges_.emplace_back();
    const State state = states_[i];
    const bool is_product = question_.claim != kNone;
    const std::vector<State> next = is_product ? expand_product(state) : expand(state);
    found_.transitions += next.size();
    for (const State& one : next) add(one, depth_ + 1);
    // Without a claim a search for accept labels goes on in the last state of a run, too.
    if (!is_product && question_.cycles && !question_.progress && next.empty() && !erred_) {
      ++found_.transitions;
      edges_.back().push_back(i);
    }
    if (!is_product && next.empty() && !erred_ && is_invalid_end(state)) {
      ++found_.deadlocks;
      if (found_.deadlock_steps == kNone) found_.deadlock_steps = depth_;
    }
  }
  found_.states = states_.size();
  edges_.resize(states_.size());  // at the limit some have none yet
  if (question_.progress) {
    std::vector<bool> stays(states_.size());
    for (u32 i = 0; i < states_.size(); ++i) stays[i] = !machine_.is_at_progress(states_[i]);
    found_.has_accepting_cycle = has_cycle_within(edges_, stays);
  } else if (question_.cycles) {
    found_.has_accepting_cycle = has_cycle_through(edges_, accepting_);
  }
  return found_;
}

}  // namespace

Found explore(const System& system, const Question& question) {
  return Explorer(system, question).run();
}

}  // namespace xmc::promela_test
