// The places of one instance with what its variables can be there, given all that is known of the
// others.
//
// There is one abstract state for each place, in which everything that can arrive there is joined.
// A process that starts others has many, as long as they are few enough: then a loop that starts
// processes is followed turn by turn, so that each of them gets its slot and its arguments.
//
// Cells of globals are tracked like local ones while nobody else can change them: in a chain, and
// always where no other instance writes them.
#pragma once

#include "lower/promela/facts/area.h"
#include "lower/promela/facts/known.h"
#include "lower/promela/facts/values.h"

namespace xmc::promela {

class Flow {
 public:
  Flow(Known& known, Arena& arena);

  // Follows the instance and tells what it does to what is known; with `publish`, what holds at its
  // places is kept with it.
  void analyse(Instance& one, bool publish);
  // How many processes are started in one execution; 256: no bound was found.
  u32 all_starts();

 private:
  // Abstract states of one process that are kept apart.
  static constexpr u32 kApart = 4096;
  static constexpr u32 kKeyBits = 13;

  // prepare.cc
  void find_order(u32 type, std::span<u32> stack, std::span<u32> next);
  void look_into(u32 type, std::span<u8> seen);
  void look_at(ExprId id, u32 type, std::span<u8> seen);
  void look_at(RefId id, u32 type, u8 how, std::span<u8> seen);
  void look_at(const Action& action, u32 type, std::span<u8> seen);
  void track(u32 type, std::span<const u8> seen);

  // starts.cc
  u32 most_starts(Instance& one, u32 type);
  void count(u32 point);

  // flow.cc
  void follow(Instance& one);
  u32 find_apart(PlaceId place, u32& slot);
  void start(Area& area);
  bool once() const;
  void solve();
  bool solve_apart();
  void narrow();
  void contribute();
  void publish();
  void clear(Area& area);
  void put(PlaceId place);
  void put_apart(PlaceId place);
  u64 key(const Point& point, std::span<const ir::Interval> values) const;
  ir::Interval range_of_column(u32 column) const;

  // steps.cc
  View view();
  Values values() { return Values(k_, view(), one_); }
  void leave(u32 point);
  bool passes(const Place& place, u32 option);
  void take(const Action& action);
  void arrive(PlaceId place, bool keeps);
  bool may_block(const Place& place);
  bool is_sure(const Action& action);
  bool store(const Reference& target, ir::Interval v);
  void send(const Action& action);
  bool receive(const Action& action);
  void run_inside(ExprId id, bool is_sure);
  void run_inside(const Reference& reference);
  void run_inside(const Action& action);
  void create(const Expr& node, bool is_sure);
  void tell_started();

  Known& k_;
  const System& s_;
  std::span<u32> order_;   // by place of all types: places of a type, nearest to its start first
  std::span<u8> has_run_;  // by type
  std::span<u32> outer_;   // by place: the d_step it is in
  Area* areas_[2] = {};
  u32 from_ = 0;        // area that is left
  u32 to_ = 0;          // and arrived at
  u64 most_cells_ = 0;  // intervals in all rows of one
  std::span<u32> slots_of_keys_;
  std::span<ir::Interval> work_row_;
  std::span<ir::Interval> arguments_;
  Point work_;
  Instance* one_ = nullptr;
  u32 id_ = 0;  // of the instance
  u32 width_ = 0;
  u32 locals_ = 0;
  bool is_apart_ = false;
  bool is_shared_ = false;  // one row for all places
  bool is_full_ = false;    // too many abstract states
  bool is_narrowing_ = false;
  bool contributes_ = false;
  bool is_counting_ = false;
  u32 counted_ = 0;  // type
  u32 started_ = 0;  // of it by a statement
  u32 most_counted_ = 0;
};

}  // namespace xmc::promela
