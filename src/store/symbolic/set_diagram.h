// SetDiagram: sets of words of equal length, and what is done with them, in memory that is given
// once.
//
// A set is the number of its first list (list_nodes.h). Operations are recursive, one frame per
// level. Lists under construction are on the work stack, which is also what a collection starts
// from: it can happen in any make(), at any depth.
//
// How callers keep their nodes alive: the operands of an operation are reachable from something on
// the work stack or from the roots; a result is pushed before the next operation that makes nodes.
//
// An operation that cannot go on sets a stop and returns at once, with any node: whoever sees
// stopped() throws the result away. Reasons: no memory; as much work as was allowed; the outside
// does not want more. Nothing is damaged by a stop, and after allow() work can go on unless there
// is no memory.
#pragma once

#include <span>

#include "store/symbolic/list_nodes.h"
#include "store/symbolic/operation_cache.h"
#include "xmc/check.h"
#include "xmc/go_on.h"
#include "xmc/wide_count.h"

namespace xmc {

class SetDiagram {
 public:
  enum class Stop : u8 {
    none,
    work,   // as much as was allowed
    full,   // nodes or the work stack have no room
    asked,  // GoOn said so
  };

  // An element of a list that is being made. `from`: the node it was, if it was one: nothing is
  // looked up when it stays the same.
  struct Element {
    u32 value = 0;
    Node down = ListNodes::kEmpty;
    Node from = ListNodes::kEmpty;
  };

  static constexpr Node kEmpty = ListNodes::kEmpty;
  static constexpr Node kEnd = ListNodes::kEnd;
  static constexpr u32 kRootSpans = 8;

  // Carves nothing: `memory` is zeroed, and divided into nodes, cache and work stack.
  static constexpr u64 kLeastBytes = u64{16} << 10;
  void init(std::span<u8> memory);
  // Nodes that stay alive until they are overwritten.
  void add_roots(std::span<const Node> roots);

  u32 value(Node n) const { return nodes_.value(n); }
  Node right(Node n) const { return nodes_.right(n); }
  Node down(Node n) const { return nodes_.down(n); }
  bool is_single(Node n) const { return nodes_.right(n) == kEmpty; }

  // The list of (value, down) in front of `right`; `right` itself if there is nothing below.
  Node make(u32 value, Node down, Node right);
  Node unite(Node a, Node b);
  Node subtract(Node a, Node b);
  Node intersect(Node a, Node b);
  // The set that has one word.
  Node word(std::span<const u32> values);
  bool contains(Node set, std::span<const u32> values) const;
  WideCount count(Node set) {
    WideCount all;
    add_count(set, all);
    return all;
  }
  u64 node_count(Node set);  // of the nodes below it; a collection's work

  // The work stack.
  u32 mark() const { return top_; }
  void push(u32 value, Node node, Node from = kEmpty) {
    if (top_ + kSlack >= stack_.size()) return stop(Stop::full);
    stack_[top_++] = {value, node, from};
  }
  void release(u32 mark) { top_ = mark; }
  Element& at(u32 place) { return stack_[place]; }
  // The set that is there becomes its union with another one.
  void add_to(u32 place, Node more);
  // Elements from `mark` on, ascending by value, become a list in front of `tail`.
  Node close(u32 mark, Node tail);
  // The same for elements in any order, some with equal values: these are united.
  Node close_unsorted(u32 mark);

  OperationCache& cache() { return cache_; }
  ListNodes& nodes() { return nodes_; }  // for files of them

  // Work is counted in nodes that were asked for, and in steps that asked for none. Each allowance
  // replaces the one before.
  void allow(u64 work, GoOn go_on = {});
  u64 work() const { return work_; }
  // For operations that often make no node: they are work, too.
  void count_work() {
    if (++work_ >= look_at_) look_around();
  }
  // While one of these lives, only a lack of memory is a stop: for what must not be left half done.
  class Whole {
   public:
    explicit Whole(SetDiagram& d) : d_(d), look_at_(d.look_at_) { d.look_at_ = ~u64{0}; }
    ~Whole() { d_.look_at_ = look_at_; }
    Whole(const Whole&) = delete;
    Whole& operator=(const Whole&) = delete;

   private:
    SetDiagram& d_;
    u64 look_at_;
  };
  // Asks the outside at once, for those who have something to tell it.
  void ask();
  bool stopped() const { return stop_ != Stop::none; }
  Stop stop_reason() const { return stop_; }
  // For those who come to an end of their own.
  void stop(Stop reason) {
    if (stop_ != Stop::full) stop_ = reason;
  }
  const Status& asked() const { return asked_; }  // what GoOn answered

  u64 used_nodes() const { return nodes_.used(); }
  u64 node_capacity() const { return nodes_.capacity(); }
  u64 collections() const { return collections_; }
  void collect() { collect(kEmpty, kEmpty); }

 private:
  static constexpr u64 kAskEvery = u64{1} << 13;
  // What was not pushed for lack of room is looked at by those who do not ask at once.
  static constexpr u32 kSlack = 8;

  void collect(Node a, Node b);
  void mark_roots();
  void add_count(Node set, WideCount& all);
  void look_around();

  ListNodes nodes_;
  OperationCache cache_;
  std::span<Element> stack_;
  u32 top_ = 0;
  std::span<const Node> roots_[kRootSpans] = {};
  u32 root_spans_ = 0;
  u64 work_ = 0;
  u64 allowed_ = ~u64{0};
  u64 look_at_ = ~u64{0};  // work at which to look around
  u64 collections_ = 0;
  GoOn go_on_;
  Status asked_;
  Stop stop_ = Stop::none;
};

inline constexpr Node kEmptySet = SetDiagram::kEmpty;

}  // namespace xmc
