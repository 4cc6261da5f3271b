#include "store/symbolic/set_diagram.h"

#include <algorithm>
#include <utility>

#include "xmc/bytes.h"

namespace xmc {

// Half for the cache (a small one is the exponential case), 1/64 for the work stack.
void SetDiagram::init(std::span<u8> memory) {
  XMC_CHECK(memory.size() >= kLeastBytes);
  const u64 cache = round_down(memory.size() / 2, kLineBytes);
  const u64 stack = round_down(memory.size() / 64, kLineBytes);
  cache_.init(memory.first(static_cast<std::size_t>(cache)));
  stack_ = {reinterpret_cast<Element*>(memory.data() + cache),
            static_cast<std::size_t>(stack / sizeof(Element))};
  nodes_.init(memory.subspan(static_cast<std::size_t>(cache + stack)));
  top_ = root_spans_ = 0;
  work_ = collections_ = 0;
  allow(~u64{0});
  stop_ = Stop::none;
}

void SetDiagram::add_roots(std::span<const Node> roots) {
  XMC_CHECK(root_spans_ < kRootSpans);
  roots_[root_spans_++] = roots;
}

void SetDiagram::allow(u64 work, GoOn go_on) {
  go_on_ = go_on;
  allowed_ = work > ~u64{0} - work_ ? ~u64{0} : work_ + work;
  look_at_ = go_on_.ask == nullptr ? allowed_ : std::min(allowed_, work_ + kAskEvery);
  if (stop_ != Stop::full) stop_ = Stop::none;
}

void SetDiagram::look_around() {
  look_at_ = ~u64{0};
  if (work_ >= allowed_) return stop(Stop::work);
  ask();
  if (!stopped()) look_at_ = std::min(allowed_, work_ + kAskEvery);
}

void SetDiagram::ask() {
  if (stopped() || go_on_.ask == nullptr) return;
  asked_ = go_on_();
  if (!asked_.ok()) stop(Stop::asked);
}

Node SetDiagram::make(u32 value, Node down, Node right) {
  if (down == kEmpty) return right;
  if (++work_ >= look_at_) look_around();
  if (const Node n = nodes_.find_or_add(value, down, right); n != kEmpty) return n;
  if (stop_ == Stop::full) return kEmpty;
  collect(down, right);
  // With less than this a collection follows the other.
  if (nodes_.used() > nodes_.capacity() - nodes_.capacity() / 10) {
    stop(Stop::full);
    return kEmpty;
  }
  return nodes_.find_or_add(value, down, right);
}

void SetDiagram::mark_roots() {
  for (u32 i = 0; i < top_; ++i) {
    nodes_.mark(stack_[i].down);
    nodes_.mark(stack_[i].from);
  }
  for (u32 i = 0; i < root_spans_; ++i) {
    for (const Node n : roots_[i]) nodes_.mark(n);
  }
}

// A collection counts as work, so that an allowance bounds those that follow each other closely.
void SetDiagram::collect(Node a, Node b) {
  ++collections_;
  work_ += nodes_.capacity() / 16;
  mark_roots();
  nodes_.mark(a);
  nodes_.mark(b);
  cache_.keep_marked(nodes_);
  nodes_.sweep();
}

Node SetDiagram::close(u32 mark, Node tail) {
  Node list = tail;
  while (top_ > mark) {
    const Element& e = stack_[top_ - 1];
    if (e.from != kEmpty && nodes_.right(e.from) == list && nodes_.down(e.from) == e.down) {
      list = e.from;
    } else {
      list = make(e.value, e.down, list);
    }
    if (stop_ == Stop::full) {
      top_ = mark;
      return kEmpty;
    }
    --top_;
  }
  return list;
}

Node SetDiagram::close_unsorted(u32 mark) {
  const auto begin = stack_.subspan(mark).begin();
  const auto end = stack_.subspan(top_).begin();
  const auto less = [](const Element& x, const Element& y) { return x.value < y.value; };
  if (!std::is_sorted(begin, end, less)) std::sort(begin, end, less);
  u32 kept = mark;
  for (u32 i = mark; i < top_ && !stopped(); ++i) {
    const Element e = stack_[i];
    if (kept != mark && stack_[kept - 1].value == e.value) {
      stack_[kept - 1].down = unite(stack_[kept - 1].down, e.down);
    } else {
      stack_[kept++] = e;
    }
  }
  if (stopped()) kept = mark;
  top_ = kept;
  return close(mark, kEmpty);
}

Node SetDiagram::unite(Node a, Node b) {
  if (a == b || b == kEmpty) return a;
  if (a == kEmpty) return b;
  if (a > b) std::swap(a, b);
  Node known = kEmpty;
  if (cache_.find(SetOp::unite, a, b, 0, known)) return known;
  const u32 base = mark();
  Node x = a;
  Node y = b;
  while (x != kEmpty && y != kEmpty && x != y) {
    const u32 vx = value(x);
    const u32 vy = value(y);
    if (vx < vy) {
      push(vx, down(x), x);
      x = right(x);
    } else if (vx > vy) {
      push(vy, down(y), y);
      y = right(y);
    } else {
      const Node both = unite(down(x), down(y));
      push(vx, both, both == down(x) ? x : y);
      x = right(x);
      y = right(y);
    }
    if (stopped()) {
      release(base);
      return kEmpty;
    }
  }
  const Node list = close(base, x != kEmpty ? x : y);
  if (!stopped()) cache_.keep(SetOp::unite, a, b, 0, list);
  return list;
}

void SetDiagram::add_to(u32 place, Node more) {
  if (stopped() || more == kEmpty) return;
  const u32 base = mark();
  push(0, more);
  const Node both = unite(stack_[place].down, more);
  release(base);
  if (!stopped()) stack_[place].down = both;
}

Node SetDiagram::subtract(Node a, Node b) {
  if (a == b || a == kEmpty) return kEmpty;
  if (b == kEmpty) return a;
  Node known = kEmpty;
  if (cache_.find(SetOp::subtract, a, b, 0, known)) return known;
  const u32 base = mark();
  Node x = a;
  Node y = b;
  while (x != kEmpty && y != kEmpty && x != y) {
    const u32 vx = value(x);
    const u32 vy = value(y);
    if (vx < vy) {
      push(vx, down(x), x);
    } else if (vx == vy) {
      const Node rest = subtract(down(x), down(y));
      if (rest != kEmpty) push(vx, rest, x);
    }
    if (stopped()) {
      release(base);
      return kEmpty;
    }
    if (vx <= vy) x = right(x);
    if (vx >= vy) y = right(y);
  }
  const Node list = close(base, x == y ? kEmpty : x);
  if (!stopped()) cache_.keep(SetOp::subtract, a, b, 0, list);
  return list;
}

Node SetDiagram::intersect(Node a, Node b) {
  if (a == b) return a;
  if (a == kEmpty || b == kEmpty) return kEmpty;
  if (a > b) std::swap(a, b);
  Node known = kEmpty;
  if (cache_.find(SetOp::intersect, a, b, 0, known)) return known;
  const u32 base = mark();
  Node x = a;
  Node y = b;
  while (x != kEmpty && y != kEmpty && x != y && !stopped()) {
    const u32 vx = value(x);
    const u32 vy = value(y);
    if (vx == vy) {
      const Node both = intersect(down(x), down(y));
      if (both != kEmpty) push(vx, both, x);
    }
    if (vx <= vy) x = right(x);
    if (vx >= vy) y = right(y);
  }
  if (stopped()) {
    release(base);
    return kEmpty;
  }
  const Node list = close(base, x == y ? x : kEmpty);
  if (!stopped()) cache_.keep(SetOp::intersect, a, b, 0, list);
  return list;
}

Node SetDiagram::word(std::span<const u32> values) {
  Node n = kEnd;
  for (std::size_t i = values.size(); i-- > 0 && n != kEmpty;) n = make(values[i], n, kEmpty);
  return n;
}

bool SetDiagram::contains(Node set, std::span<const u32> values) const {
  for (const u32 v : values) {
    while (set != kEmpty && value(set) < v) set = right(set);
    if (set == kEmpty || value(set) != v) return false;
    set = down(set);
  }
  return set == kEnd;
}

// One number in each frame of the recursion, and not two: numbers are long.
void SetDiagram::add_count(Node set, WideCount& all) {
  while (set > kEnd && is_single(set)) set = down(set);
  if (set == kEmpty) return;
  if (set == kEnd) return all.add(1);
  WideCount sum;
  if (!cache_.find_count(set, sum)) {
    sum = WideCount();
    for (Node n = set; n != kEmpty; n = right(n)) add_count(down(n), sum);
    cache_.keep_count(set, sum);
  }
  all.add(sum);
}

u64 SetDiagram::node_count(Node set) { return nodes_.count_below(set); }

}  // namespace xmc
