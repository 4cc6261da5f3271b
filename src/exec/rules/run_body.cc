#include "exec/rules/run_body.h"

#include <algorithm>
#include <atomic>

#include "xmc/binary_operation.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

using ir::Action;
using ir::BodyOp;
using ir::kUndefined;

i64 read_leaf(const ir::Leaf& leaf, const Word* state) {
  const Slot& s = leaf.slot;
  const u64 raw = state[s.word] >> s.shift & ((u64{1} << s.width) - 1);
  if (raw == 0 && !leaf.total) return kUndefined;
  return static_cast<i64>(raw) + s.offset;
}

void write_leaf(const ir::Leaf& leaf, i64 value, Word* state) {
  const Slot& s = leaf.slot;
  const u64 mask = (u64{1} << s.width) - 1;
  const u64 raw = value == kUndefined ? 0 : static_cast<u64>(value - s.offset);
  XMC_DASSERT(raw <= mask);
  Word& w = state[s.word];
  w = (w & ~(mask << s.shift)) | raw << s.shift;
}

// Leaves that take about as long as a turn of a loop.
constexpr u32 kLargeCopy = 16;

i64 number(u32 bits) { return static_cast<i32>(bits); }

// One run: where registers are, and the state that is read.
class Machine {
 public:
  Machine(const BodyRun& run, const Word* state, Word* next)
      : p_(*run.program),
        leaves_(p_.leaves.data()),
        leaf_count_(static_cast<i64>(p_.leaves.size())),
        cells_(run.cells),
        at_(state),
        next_(next),
        fp_(run.cells),
        covered_(run.covered),
        work_(*run.work),
        events_(run.events),
        guard_only_(run.stop_at_begin),
        source_(state) {}

  BodyEnd run(u32 code, i64& value);

 private:
  i64 read(i64 address) const {
    return address < leaf_count_ ? read_leaf(leaves_[address], at_) : cells_[address - leaf_count_];
  }
  void write(i64 address, i64 value) {
    if (address < leaf_count_) {
      write_leaf(leaves_[address], value, next_);
    } else {
      cells_[address - leaf_count_] = value;
    }
  }
  bool index(const Action& x, i64& out) const {
    const i64 v = fp_[x.a];
    if (v == kUndefined) return false;
    const i64 digit = v - number(x.b);
    out = digit * x.d;
    return digit >= 0 && digit < x.c;
  }
  bool call(const Action& x, const Action* from);
  void begin();
  bool less(u32 a, u32 b, u32 leaves) const;
  void sort(const Action& x);
  bool number_action(const Action& x);
  void remove(const Action& x, i64 element);
  void insert(const Action& x, i64 element);
  bool generator_action(const Action& x);
  bool copy(const Action& x, i64 to);
  bool fill(const Action& x, i64 to);
  [[gnu::cold]] BodyEnd unfinished(const Action& x, i64& value) const {
    value = &x - p_.actions.data();
    return BodyEnd::unfinished;
  }

  const ir::RuleProgram& p_;
  const ir::Leaf* leaves_;
  const i64 leaf_count_;
  i64* cells_;
  const Word* at_;
  Word* next_;
  i64* fp_;
  u32* covered_;
  StepWork& work_;
  BodyEvents* events_;
  bool guard_only_;
  const Word* source_;
  u32 depth_ = 0;
  struct Frame {
    const Action* back;
    i64* fp;
  };
  Frame frames_[limits::kCallDepth];
};

void Machine::begin() {
  for (u32 i = 0; i < p_.state_words; ++i) next_[i] = at_[i];
  at_ = next_;
}

bool Machine::call(const Action& x, const Action* from) {
  i64* const fp = fp_ + x.b;
  if (depth_ == limits::kCallDepth) return false;
  if (fp + p_.routines[x.a].cells > cells_ + p_.body_cells) return false;
  frames_[depth_++] = {from, fp_};
  fp_ = fp;
  return true;
}

// A large one is as long as a loop.
bool Machine::copy(const Action& x, i64 to) {
  const i64 from = fp_[x.a];
  for (u32 i = 0; i < x.c; ++i) write(to + i, read(from + i));
  return x.c < kLargeCopy || work_.spend(x.c / kLargeCopy);
}

bool Machine::fill(const Action& x, i64 to) {
  const i64 with = fp_[x.b];
  for (u32 i = 0; i < x.c; ++i) write(to + i, with);
  return x.c < kLargeCopy || work_.spend(x.c / kLargeCopy);
}

// Free elements have nothing but undefined leaves, and come last.
bool Machine::less(u32 a, u32 b, u32 leaves) const {
  const i64 present_a = read(a + leaves - 1);
  const i64 present_b = read(b + leaves - 1);
  if (present_a != present_b) return present_a != kUndefined;
  for (u32 i = 0; i + 1 < leaves; ++i) {
    const i64 va = read(a + i);
    const i64 vb = read(b + i);
    if (va != vb) return va < vb;
  }
  return false;
}

void Machine::sort(const Action& x) {
  for (u32 i = 1; i < x.b; ++i) {
    for (u32 k = i; k > 0; --k) {
      const u32 high = x.a + k * x.c;
      const u32 low = high - x.c;
      if (!less(high, low, x.c)) break;
      for (u32 leaf = 0; leaf < x.c; ++leaf) {
        const i64 kept = read(high + leaf);
        write(high + leaf, read(low + leaf));
        write(low + leaf, kept);
      }
    }
  }
}

// The actions that set a register from others. False: it failed.
bool Machine::number_action(const Action& x) {
  i64& r = fp_[x.r];
  const i64 a = fp_[x.a];
  switch (x.op) {
    case BodyOp::widen:
      r = a == kUndefined ? a : a + number(x.b);
      return true;
    case BodyOp::narrow: {
      const i64 v = a - number(x.b);
      r = a == kUndefined ? a : v;
      return a == kUndefined || (v >= 0 && v < x.c);
    }
    case BodyOp::member:
      r = a >= number(x.b) && a <= number(x.c);
      return true;
    case BodyOp::is_undefined:
      r = a == kUndefined;
      return true;
    case BodyOp::cut:
      r = arith64::cut(a, x.b, x.c == 1);
      return true;
    case BodyOp::negate:
      r = -a;
      return true;
    case BodyOp::bit_not:
      r = ~a;
      return r != kUndefined;
    case BodyOp::logical_not:
      r = a == 0;
      return true;
    default:
      return arith64::apply(operator_of(x.op), a, fp_[x.b], r);
  }
}

void Machine::remove(const Action& x, i64 element) {
  const i64 last = i64{x.a} + i64{x.c} * (i64{x.b} - 1);
  for (i64 at = x.a + element * x.c; at < last; ++at) write(at, read(at + x.c));
  for (i64 at = last; at < last + x.c; ++at) write(at, 0);
}

void Machine::insert(const Action& x, i64 element) {
  const i64 first = x.a + element * x.c;
  for (i64 at = i64{x.a} + i64{x.c} * x.b; at-- > first + x.c;) write(at, read(at - x.c));
}

// Those of a generator that lead to the next action. False: it is none of them.
bool Machine::generator_action(const Action& x) {
  switch (x.op) {
    case BodyOp::attempt:
      events_->attempt = static_cast<u32>(&x - p_.actions.data());
      at_ = source_;
      return true;
    case BodyOp::blame:
      if (events_->blames++ == 0) events_->blame = static_cast<u32>(&x - p_.actions.data());
      return true;
    case BodyOp::remove:
      remove(x, fp_[x.r]);
      return true;
    case BodyOp::insert:
      insert(x, fp_[x.r]);
      return true;
    default:
      return false;
  }
}

BodyEnd Machine::run(u32 code, i64& value) {
  const Action* const first = p_.actions.data();
  const Action* next = first + code;
  while (true) {
    const Action& x = *next++;
    i64& r = fp_[x.r];
    switch (x.op) {
      case BodyOp::constant:
        r = static_cast<i64>(u64{x.b} << 32 | x.a);
        break;
      case BodyOp::move:
        r = fp_[x.a];
        break;
      case BodyOp::load:
        r = read_leaf(leaves_[x.a], at_);
        break;
      case BodyOp::load_at:
        r = read(number(x.a) + fp_[x.b]);
        break;
      case BodyOp::store:
        write_leaf(leaves_[x.a], r, next_);
        break;
      case BodyOp::store_at:
        write(number(x.a) + fp_[x.b], r);
        break;
      case BodyOp::address:
        r = leaf_count_ + (fp_ - cells_) + static_cast<i64>(x.a);
        break;
      case BodyOp::offset:
        r = fp_[x.a] + number(x.b);
        break;
      case BodyOp::copy:
        if (!copy(x, r)) return unfinished(x, value);
        break;
      case BodyOp::fill:
        if (!fill(x, r)) return unfinished(x, value);
        break;
      case BodyOp::index:
        if (!index(x, r)) return BodyEnd::failed;
        break;
      case BodyOp::index_more: {
        i64 more = 0;
        if (!index(x, more)) return BodyEnd::failed;
        r += more;
        break;
      }
      case BodyOp::defined:
        if (r == kUndefined) return BodyEnd::failed;
        break;
      case BodyOp::in_range:
        if (r != kUndefined && (r < number(x.a) || r > number(x.b))) return BodyEnd::failed;
        break;
      case BodyOp::equal:
        r = fp_[x.a] == fp_[x.b];
        break;
      case BodyOp::not_equal:
        r = fp_[x.a] != fp_[x.b];
        break;
      case BodyOp::jump:
        next = first + x.a;
        if (next <= &x && !work_.spend()) return unfinished(x, value);
        break;
      case BodyOp::jump_zero:
        if (r == 0) next = first + x.a;
        break;
      case BodyOp::jump_not_zero:
        if (r != 0) next = first + x.a;
        break;
      case BodyOp::jump_above:
        if (r > number(x.b)) next = first + x.a;
        break;
      case BodyOp::jump_greater:
        if (r > fp_[x.b]) next = first + x.a;
        break;
      case BodyOp::jump_less:
        if (r < fp_[x.b]) next = first + x.a;
        break;
      case BodyOp::repeat:
        if (++r > number(x.a)) return BodyEnd::failed;
        break;
      case BodyOp::call:
        if (!work_.spend()) return unfinished(x, value);
        if (!call(x, next)) return BodyEnd::failed;
        next = first + p_.routines[x.a].code;
        break;
      case BodyOp::leave:
        --depth_;
        next = frames_[depth_].back;
        fp_ = frames_[depth_].fp;
        break;
      case BodyOp::begin:
        if (guard_only_) return BodyEnd::guarded;
        begin();
        break;
      case BodyOp::sort:
        sort(x);
        break;
      case BodyOp::cover:
        note_covered(covered_, x.a);
        break;
      case BodyOp::disabled:
        value = x.a;
        return BodyEnd::disabled;
      case BodyOp::abandon:
        return BodyEnd::abandoned;
      case BodyOp::end:
        return BodyEnd::done;
      case BodyOp::result:
        value = r;
        return BodyEnd::value;
      case BodyOp::fail:
        return BodyEnd::failed;
      case BodyOp::jump_table:
        next = first + p_.jump_targets[x.a + static_cast<u32>(r)];
        break;
      case BodyOp::yield:
        value = next - 1 - first;
        return BodyEnd::yielded;
      default:
        if (x.op >= BodyOp::remove ? !generator_action(x) : !number_action(x))
          return BodyEnd::failed;
        break;
    }
  }
}

}  // namespace

u32 line_around(const ir::RuleProgram& program, u32 action) {
  const Action& last = program.actions[action];
  const u32 first = last.op == BodyOp::jump ? std::min(last.a, action) : action;
  for (u32 i = first; i <= action; ++i) {
    const u16 note = program.actions[i].note;
    if (note != 0 && program.body_notes[note].line != 0) return program.body_notes[note].line;
  }
  return 0;
}

void note_covered(u32* covered, u32 cover) {
  std::atomic_ref<u32> bits(*covered);
  const u32 bit = u32{1} << cover;
  if ((bits.load(std::memory_order_relaxed) & bit) == 0)
    bits.fetch_or(bit, std::memory_order_relaxed);
}

BodyEnd run_body(const BodyRun& run, u32 code, const Word* state, Word* next, i64& value) {
  return Machine(run, state, next).run(code, value);
}

}  // namespace xmc
