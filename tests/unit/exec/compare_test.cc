// --paranoid must notice every way in which two executions can differ.
#include "exec/models/compare.h"

#include <doctest/doctest.h>

#include <csetjmp>
#include <string>

#include "fixture.h"
#include "xmc/check.h"

using namespace xmc;
using namespace xmc::test;

namespace compare_test {

namespace {

std::jmp_buf escape;
std::string failed;

void note_and_leave(const char* condition, const char*, int) {
  failed = condition;
  std::longjmp(escape, 1);
}

enum class Fault { none, count, order, state, label, flags, error };

struct Altered {
  Model right;
  Fault fault;
};

// The judge's answer with one fault in it.
Expansion expand_altered(void* self, const Word* state, const SuccessorBuffer& out) {
  Altered& a = *static_cast<Altered*>(self);
  Expansion e = a.right.expand(a.right.self, state, out);
  const u32 words = a.right.state_words;
  if (e.count < 2) return e;
  if (a.fault == Fault::count) --e.count;
  if (a.fault == Fault::order) {
    for (u32 w = 0; w < words; ++w) std::swap(out.states[w], out.states[words + w]);
    std::swap(out.labels[0], out.labels[1]);
  }
  if (a.fault == Fault::state) out.states[0] ^= 1;
  if (a.fault == Fault::label) ++out.labels[0];
  if (a.fault == Fault::flags) e.flags ^= kDeadlock;
  if (a.fault == Fault::error) ++e.errors;
  return e;
}

bool noticed(Fault fault) {
  Loaded m(
      "byte x; byte y; process P { state a; init a; trans a -> a { guard x < 3; effect x = x + 1; "
      "},"
      " a -> a { guard y < 3; effect y = y + 1; }; } system async;");
  REQUIRE(m.status.ok());
  Altered altered{m.model.judge, fault};
  Model judge = m.model.judge;
  judge.self = &altered;
  judge.expand = expand_altered;
  judge.initial = nullptr;
  Model compared;
  make_compared(m.model.model, judge, m.arena, compared);
  compared.initial = [](void*, const SuccessorBuffer&) { return 0u; };
  std::vector<Word> words(u64{compared.max_successors} * compared.state_words);
  failed.clear();
  set_failure_hook(note_and_leave);
  if (setjmp(escape) == 0) {
    compared.expand(compared.self, m.model.program->initial.data(),
                    {words.data(), nullptr, compared.max_successors});
  }
  set_failure_hook(nullptr);
  return !failed.empty();
}

}  // namespace

TEST_CASE("equal executions pass, and each difference is noticed") {
  CHECK_FALSE(noticed(Fault::none));
  CHECK(noticed(Fault::count));
  CHECK(noticed(Fault::order));
  CHECK(noticed(Fault::state));
  CHECK(noticed(Fault::label));
  CHECK(noticed(Fault::flags));
  CHECK(noticed(Fault::error));
}

TEST_CASE("the component of a product's state is that of the execution behind") {
  Loaded m(
      "process P { state p; init p; trans p -> p {}; } process N { state q0, q1; init q0; accept "
      "q1; trans q0 -> q0 {}, q0 -> q1 {}, q1 -> q1 {}; } system async property N;");
  REQUIRE(m.status.ok());
  const Model plain = m.model.model;
  Model compared;
  make_compared(plain, m.model.judge, m.arena, compared);
  REQUIRE((compared.cycle_class != nullptr));
  u32 classes = 0;
  explore(plain, [&](const StateKey& state, const auto&...) {
    CHECK(compared.cycle_class_of(state.data()) == plain.cycle_class_of(state.data()));
    classes |= 1u << plain.cycle_class_of(state.data());
  });
  CHECK(classes == 3);
}

}  // namespace compare_test
