// The skeleton of an emitted checker. The emitter copies this file and replaces what stands between
// //[[name]] and //[[end]] by code made from a model; as it stands here, with a two-state toy in
// those places, it is compiled with the tool, so that the skeleton cannot rot. An emitted checker
// is this file linked with the whole tool: only the expansion is compiled.
#include <initializer_list>

#include "xmc/arith.h"
#include "xmc/model.h"
#include "xmc/native.h"
#include "xmc/types.h"

namespace {

using namespace xmc;

//[[constants]]
constexpr char kFile[] = "toy.dve";
constexpr char kLanguage[] = "dve";
constexpr char kText[] = "process P { state a, b; init a; trans a -> b {}; } system async;";
constexpr char kPropertyForm[] = "";
constexpr char kPropertyName[] = "";
constexpr char kProperty[] = "";
constexpr char kFairness[] = "none";
constexpr char kDialect[] = "";
constexpr char kReduce[] = "off";
constexpr bool kStepwise = true;
constexpr u64 kProgramHash = 0;
constexpr u32 kWords = 1;
constexpr bool kProduct = false;
constexpr u32 kPropertyMoves = 1;  // in a label
constexpr u32 kMostMoves = 1;      // enabled at once
constexpr u32 kStutterStep = 1;
constexpr bool kHasErrorState = false;
constexpr Word kErrorWords[kWords] = {0};
#define XMC_PROCESS static inline
//[[end]]

struct State {
  Word w[kWords];
};

// The raw value of a field, or of element i of a vector of fields.
template <u32 W, u32 Shift, u32 Width>
inline i32 field(const State& s) {
  return static_cast<i32>(static_cast<u32>(s.w[W] >> Shift) &
                          static_cast<u32>((u64{1} << Width) - 1));
}
template <u32 W, u32 Shift, u32 Width, u32 PerWord, u32 Size>
inline i32 element(const State& s, u32 i) {
  constexpr u32 kMask = static_cast<u32>((u64{1} << Width) - 1);
  if constexpr (Size <= PerWord) {
    return static_cast<i32>(static_cast<u32>(s.w[W] >> (Shift + i * Width)) & kMask);
  } else {
    return static_cast<i32>(
        static_cast<u32>(s.w[W + i / PerWord] >> (Shift + i % PerWord * Width)) & kMask);
  }
}

// Stores a raw value that fits; a value that does not has set `fail` before, and the state is
// dropped then.
template <u32 W, u32 Shift, u32 Width>
inline void put(State& n, i32 raw) {
  constexpr u64 kMask = ((u64{1} << Width) - 1) << Shift;
  n.w[W] = (n.w[W] & ~kMask) | (u64{static_cast<u32>(raw)} << Shift);
}
template <u32 W, u32 Shift, u32 Width, u32 PerWord, u32 Size>
inline void put_element(State& n, u32 i, i32 raw) {
  constexpr u64 kMask = (u64{1} << Width) - 1;
  const u32 word = Size <= PerWord ? W : W + i / PerWord;
  const u32 shift = Shift + (Size <= PerWord ? i : i % PerWord) * Width;
  n.w[word] = (n.w[word] & ~(kMask << shift)) | (u64{static_cast<u32>(raw)} << shift);
}

[[maybe_unused]] inline u32 index_of(i32 i) { return static_cast<u32>(i); }
[[maybe_unused]] inline u32 checked_index(i32 i, u32 size, bool& fail) {
  if (static_cast<u32>(i) < size) return static_cast<u32>(i);
  fail = true;
  return 0;
}
[[maybe_unused]] inline i32 checked_divisor(i32 v, bool& fail) {
  if (v != 0) return v;
  fail = true;
  return 1;
}
[[maybe_unused]] inline i32 checked_value(i32 v, i32 lo, i32 hi, bool& fail) {
  if (v < lo || v > hi) fail = true;
  return v;
}

// Collects the successors of one state.
struct Sink {
  const SuccessorBuffer& out;
  ErrorRule rule;
  Expansion result;
  bool any_step = false;
  bool committed = false;
  u32 move_count = 0;
  u32 moves[kMostMoves];
  bool move_failed[kMostMoves];

  Sink(const SuccessorBuffer& buffer, ErrorRule errors) : out(buffer), rule(errors) {}

  void write(const State& n, u32 label) {
    Word* to = out.states + static_cast<std::size_t>(result.count) * kWords;
    for (u32 i = 0; i < kWords; ++i) to[i] = n.w[i];
    if (out.labels != nullptr) out.labels[result.count] = label;
    ++result.count;
  }
  void write_error(u32 label) {
    if (rule == ErrorRule::report) {
      if (result.errors++ == 0) result.error_label = label;
      return;
    }
    State n;
    for (u32 i = 0; i < kWords; ++i) n.w[i] = kErrorWords[i];
    write(n, label);
  }
  // Whether this enabled step is to be taken.
  bool wants(u32) { return true; }
  void add_move(u32 move, bool failed) {
    moves[move_count] = move;
    move_failed[move_count++] = failed;
  }
  // The system's part of a step is done; in a product every enabled move of the property is added
  // to it.
  void step(const State& n, u32 number);
  void failed_step(u32 number);
};

// What a model provides: expressions, moves of the property, one function per process.
[[maybe_unused]] bool move_property(u32 move, State& n);

void Sink::step(const State& n, u32 number) {
  any_step = true;
  if constexpr (!kProduct) {
    write(n, number);
  } else {
    for (u32 i = 0; i < move_count; ++i) {
      const u32 label = number * kPropertyMoves + moves[i];
      State m = n;
      if (!move_failed[i] && move_property(moves[i], m)) {
        write(m, label);
      } else {
        write_error(label);
      }
    }
  }
}

[[maybe_unused]] void Sink::failed_step(u32 number) {
  any_step = true;
  if constexpr (!kProduct) {
    write_error(number);
  } else {
    for (u32 i = 0; i < move_count; ++i) write_error(number * kPropertyMoves + moves[i]);
  }
}

// Enabled steps are listed, and nothing is made of them.
struct Finder {
  u32* steps;
  u32 count = 0;
  bool committed = false;

  explicit Finder(u32* to) : steps(to) {}
  bool wants(u32 number) {
    steps[count++] = number;
    return false;
  }
  void step(const State&, u32) {}
  void failed_step(u32) {}
};

//[[program]]
inline bool is_error_state(const State&) { return false; }
inline bool is_committed(const State&) { return false; }
inline bool is_accepting(const State&) { return false; }
[[maybe_unused]] inline void find_moves(const State&, Sink&) {}
bool move_property(u32, State&) { return true; }

template <class S>
XMC_PROCESS void process_0(const State& s, S& sink) {
  switch (field<0, 0, 1>(s)) {
    case 0: {
      if (sink.wants(0)) {
        State n = s;
        put<0, 0, 1>(n, 1);
        sink.step(n, 0);
      }
      break;
    }
    default:
      break;
  }
}

template <class S>
inline void expand_all(const State& s, S& sink) {
  process_0(s, sink);
}

inline void take_step(u32 step, const State& s, Sink& sink) {
  if (step != 0) return;
  State n = s;
  put<0, 0, 1>(n, 1);
  sink.step(n, 0);
}
//[[end]]

inline State state_of(const Word* words) {
  State s;
  for (u32 i = 0; i < kWords; ++i) s.w[i] = words[i];
  return s;
}

Expansion expand(ErrorRule errors, const Word* state, const SuccessorBuffer& out) {
  const State s = state_of(state);
  Sink sink(out, errors);
  if (kProduct && is_accepting(s)) sink.result.flags |= kAccepting;
  if (kHasErrorState && is_error_state(s)) {
    sink.result.flags |= kErrorState;
    if (errors == ErrorRule::stop) return sink.result;
  }
  if constexpr (kProduct) find_moves(s, sink);
  sink.committed = is_committed(s);
  expand_all(s, sink);
  if (!sink.any_step) {
    sink.result.flags |= kDeadlock;
    if constexpr (kProduct) sink.step(s, kStutterStep);
  }
  return sink.result;
}

[[maybe_unused]] u32 find(const Word* state, u32* steps) {
  const State s = state_of(state);
  Finder finder(steps);
  finder.committed = is_committed(s);
  expand_all(s, finder);
  return finder.count;
}

[[maybe_unused]] Expansion take(ErrorRule errors, const Word* state, const u32* steps, u32 count,
                                const SuccessorBuffer& out) {
  const State s = state_of(state);
  Sink sink(out, errors);
  if (kProduct && is_accepting(s)) sink.result.flags |= kAccepting;
  if constexpr (kProduct) find_moves(s, sink);
  for (u32 i = 0; i < count; ++i) take_step(steps[i], s, sink);
  return sink.result;
}

// The halves are compiled only where somebody may want them.
template <bool Stepwise>
constexpr NativeModel native() {
  NativeModel out = {kFile,         kLanguage,     kText,     sizeof(kText) - 1,
                     kPropertyForm, kPropertyName, kProperty, sizeof(kProperty) - 1,
                     kFairness,     kDialect,      kReduce,   kProgramHash,
                     kWords,        expand,        nullptr,   nullptr};
  if constexpr (Stepwise) {
    out.find = find;
    out.take = take;
  }
  return out;
}
constexpr NativeModel kNative = native<kStepwise>();

}  // namespace

int main(int argc, char** argv) { return xmc::run_cli(argc, argv, &kNative); }
