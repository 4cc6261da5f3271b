// Steps on states that are known in part, against expansions of whole states: on the models of the
// tests, in their first states. A run that begins with nothing known is given just what it asks
// for; it has to end as the step does, and to ask for nothing but what may_read() says.
#include "xmc/partial.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "fixture.h"

namespace partial_test {

namespace {

using namespace xmc;
using namespace xmc::test;

#ifdef XMC_TEST_LIGHT
constexpr u64 kStates = 12;
#else
constexpr u64 kStates = 60;
#endif

class Asker {
 public:
  explicit Asker(const Model& model)
      : fields_(model.fields),
        steps_(*model.partial),
        codes_(fields_.size()),
        known_(fields_.size()),
        reads_(fields_.size()),
        writes_(fields_.size()),
        may_(fields_.size()) {
    run_.reads = reads_;
    run_.writes = writes_;
    run_.codes = codes_;
    run_.known = known_;
  }

  PartialEnd ask(const StateKey& state, PartialQuestion question, u32 index) {
    std::fill(known_.begin(), known_.end(), u8{0});
    std::fill(codes_.begin(), codes_.end(), u32{0});
    PartialEnd end = PartialEnd::needs;
    u32 asked = 0;
    while ((end = run(question, index)) == PartialEnd::needs) {
      REQUIRE(run_.field < fields_.size());
      REQUIRE(known_[run_.field] == 0);
      know(state, run_.field);
      ++asked;
    }
    CHECK(run_.read_count == asked);
    for (u32 i = 0; i < run_.read_count; ++i) CHECK(known_[run_.reads[i]] == 1);
    check_may_read(state, question, index, end);
    return end;
  }
  StateKey after(StateKey state) const {
    for (const FieldCode& w : run_.writes.first(run_.write_count)) {
      const StateField& f = fields_[w.field];
      const u64 mask = (u64{1} << f.width) - 1;
      REQUIRE(w.code <= mask);
      state[f.word] = (state[f.word] & ~(mask << f.shift)) | u64{w.code} << f.shift;
    }
    return state;
  }

 private:
  PartialEnd run(PartialQuestion question, u32 index) {
    return steps_.run(steps_.self, question, index, run_);
  }
  void know(const StateKey& state, u32 field) {
    const StateField& f = fields_[field];
    known_[field] = 1;
    codes_[field] = static_cast<u32>(state[f.word] >> f.shift & ((u64{1} << f.width) - 1));
  }
  // With all of that known, it ends the same way.
  void check_may_read(const StateKey& state, PartialQuestion question, u32 index, PartialEnd end) {
    std::fill(may_.begin(), may_.end(), u8{0});
    steps_.may_read(steps_.self, question, index, may_);
    for (u32 f = 0; f < fields_.size(); ++f) {
      if (known_[f] != 0) CHECK(may_[f] != 0);
      if (may_[f] != 0) know(state, f);
    }
    CHECK(run(question, index) == end);
  }

  std::span<const StateField> fields_;
  const PartialSteps& steps_;
  std::vector<u32> codes_;
  std::vector<u8> known_;
  std::vector<u32> reads_;
  std::vector<FieldCode> writes_;
  std::vector<u8> may_;
  PartialRun run_;
};

// Successors by their steps.
using Successors = std::map<u32, StateKey>;

void check_step(Asker& asker, const StateKey& state, u32 step, Successors& left, u32& errors,
                u32& dropped) {
  const PartialEnd end = asker.ask(state, PartialQuestion::step, step);
  const StateKey next = asker.after(state);
  const bool there = asker.ask(state, PartialQuestion::enabled, step) == PartialEnd::done;
  const bool changes = asker.ask(state, PartialQuestion::changes, step) == PartialEnd::done;
  if (end == PartialEnd::done) {
    REQUIRE(left.count(step) == 1);
    CHECK(left[step] == next);
    left.erase(step);
  }
  const bool fails = end == PartialEnd::fails;
  const bool drops = there && end == PartialEnd::disabled;
  errors += fails;
  dropped += drops;
  CHECK(there == (end != PartialEnd::disabled || drops));
  CHECK(changes == (fails || drops || (end == PartialEnd::done && next != state)));
}

void check_state(Asker& asker, const Model& m, const StateKey& state, const Expansion& e,
                 const std::vector<Word>& words, const std::vector<u32>& labels) {
  Successors left;
  for (u32 k = 0; k < e.count; ++k) {
    const auto first = words.begin() + static_cast<long>(u64{k} * m.state_words);
    left[labels[k]] = StateKey(first, first + m.state_words);
  }
  u32 errors = 0;
  u32 dropped = 0;
  for (u32 s = 0; s < m.partial->step_count; ++s)
    check_step(asker, state, s, left, errors, dropped);
  CHECK(left.empty());
  CHECK(errors == e.errors);
  CHECK(dropped == e.dropped);
  u32 violated = kNone;
  for (u32 i = 0; i < m.predicate_count && violated == kNone; ++i) {
    if (asker.ask(state, PartialQuestion::violated, i) == PartialEnd::done) violated = i;
  }
  CHECK(violated == e.violated);
}

// Whether it has such steps, and no property.
bool check_model(const std::string& text, const char* language) {
  const Loaded loaded(text, language);
  if (!loaded.status.ok()) return false;
  const Model& m = loaded.model.model;
  if (m.partial->self == nullptr || m.partial->move_count != 0) return false;
  Asker asker(m);
  explore(
      m,
      [&](const StateKey& state, const Expansion& e, const std::vector<Word>& words,
          const std::vector<u32>& labels) { check_state(asker, m, state, e, words, labels); },
      kStates);
  return true;
}

u32 check_folder(const char* folder, const char* suffix, const char* language) {
  u32 models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != suffix) continue;
    const std::string name = entry.path().string();
    CAPTURE(name);
    std::ostringstream text;
    text << std::ifstream(name).rdbuf();
    models += check_model(text.str(), language);
  }
  return models;
}

// Addresses that are handed over, kept over loops, and made of several digits.
constexpr const char* kAddresses = R"(
type I: 0..2; V: 0..2; R: record x: V; y: array [I] of V; end;
var a: array [I] of V; r: array [I] of R; i: I; v: V;
procedure bump(var x: V); begin x := (x + 1) % 3; end;
function sum(var all: R): V; var s: V;
begin s := 0; for k: I do s := (s + all.y[k]) % 3; end; return s; end;
startstate begin
  i := 0; v := 0;
  for k: I do a[k] := 0; r[k].x := 0; for l: I do r[k].y[l] := 0; end; end;
end;
ruleset p: I do
  rule "bump" v != 2 ==> begin bump(a[a[p]]); i := p; end;
  rule "sum" begin v := sum(r[i]); end;
  alias mine: r[p] do
    rule "alias" a[p] = 1 ==> begin
      for k: I do
        alias deep: mine.y[k] do if isundefined(deep) | deep < 2 then deep := deep + 1; end; end;
      end;
      mine.x := r[a[i]].y[p];
    end;
  end;
  rule "copy" v = 1 & a[p] > 0 ==> var local: R;
  begin local := r[p]; local.y[i] := v; r[i] := local; clear a[p]; end;
end;
invariant forall k: I do r[k].x < 3 end;
)";

// Steps that stay where they are, and write what they have not read.
constexpr const char* kBlindWrites = R"(
byte x = 0, y = 0; byte a[2];
channel c;
process P {
  state q; init q;
  trans q -> q { effect x = 1; }, q -> q { guard x == 1; effect x = 0, y = 1; },
        q -> q { guard y == 1; effect a[x] = y, y = 0; },
        q -> q { effect a[1] = 2; };
}
process Q { state q; init q; trans q -> q { sync c!2; }; }
process S { byte got = 0; state q; init q; trans q -> q { sync c?got; }; }
system async;
)";

TEST_CASE("partial steps of rules are those of whole states") {
  CHECK(check_model(kAddresses, "murphi"));
  CHECK(check_folder("tests/models/murphi", ".m", "murphi") >= 25);
}

TEST_CASE("partial steps of processes are those of whole states") {
  CHECK(check_model(kBlindWrites, "dve"));
  CHECK(check_folder("tests/models", ".dve", "dve") >= 10);
}

}  // namespace

}  // namespace partial_test
