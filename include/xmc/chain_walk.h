// ChainWalk: chains, followed depth first to all of their ends. What a chain leads to is what its
// ways lead to, each with its multiplicity:
//
//   chain(n, path):  n in path                 an error: it does not end
//                    n has no step             an end, n itself
//                    otherwise                 chain(m, path + n) for each m behind a step of n
//
// Ways part and meet again, so that there may be 2^60 through 120 states. A state that has been
// followed is therefore remembered with the number of ends and errors behind it, and where it comes
// again these are added; what the ends are has been said. That is exact for a state on no cycle:
// nothing behind it can be on a path that leads to it. A state on a cycle is followed again each
// time, as its ways depend on the path. It is known by an error behind it that came back to it, or
// to a state before it. If such errors become many, only their number is still wrong, and states on
// cycles are remembered as well.
//
// States on the way have three words each in ChainMemory::path: its number, the end of those beside
// it, and the least depth that an error behind it came back to.
//
// The order of what comes out is the same in all executions: those of exec/rules and compiled code.
#pragma once

#include "xmc/chain_memory.h"
#include "xmc/limits.h"
#include "xmc/types.h"

namespace xmc {

// Words: of a state; 0: ChainMemory::words.
template <u32 Words>
class ChainWalk {
 public:
  explicit ChainWalk(ChainMemory& memory) : m_(memory) {}

  bool empty() const { return count_ == 0; }
  // Nothing that was kept is followed.
  void clear() { count_ = 0; }
  // A state that a chain goes on from: behind a step, or another statement. kNone: no room.
  u32 keep(const Word* state, u32 keeper, u32 step, u32 label) {
    if (count_ >= m_.room()) {
      m_.forget();
      if (count_ == m_.most) return kNone;
    }
    Word* const to = at_word(count_);
    for (u32 w = 0; w < words(); ++w) to[w] = state[w];
    m_.keepers[count_] = keeper;
    m_.steps[count_] = step;
    m_.labels[count_] = label;
    return count_++;
  }

  // All chains that begin with the states that were kept. `in` says what follows:
  //   bool ask(u32 keeper, const Word* state, u32 step)   the rule's steps, kept or taken; whether
  //                                                       there are any
  //   void loop(u32 step), void end(u32 step, const Word* state)
  //   void again(u32 step, const ChainWays& ways)         so many more, which have been seen
  //   ChainWays total()                                   what has been seen
  //   bool over()                                         it is not to go on
  template <class In>
  void follow(In& in);

  // Of the state that is being followed, from 0 to depth().
  u32 depth() const { return depth_; }
  u32 on_way(u32 depth) const { return m_.path[3 * depth]; }
  const Word* state(u32 i) const { return m_.states + std::size_t{i} * words(); }
  u32 label(u32 i) const { return m_.labels[i]; }
  u32 most() const { return m_.most; }

 private:
  u32 words() const {
    if constexpr (Words != 0) return Words;
    return m_.words;
  }
  Word* at_word(u32 i) { return m_.states + std::size_t{i} * words(); }
  u32& at(u32 depth) { return m_.path[3 * std::size_t{depth}]; }
  u32& end(u32 depth) { return m_.path[3 * std::size_t{depth} + 1]; }
  u32& back(u32 depth) { return m_.path[3 * std::size_t{depth} + 2]; }
  bool remembers() const { return followed_ > limits::kChainPlain; }

  // Where it is on the way; the depth if it is not.
  u32 find_on_way(u32 state) const {
    const Word* const one = m_.states + std::size_t{state} * words();
    for (u32 d = 0; d < depth_; ++d) {
      const u32 before = on_way(d);
      if (m_.keepers[before] != m_.keepers[state]) continue;
      const Word* const other = m_.states + std::size_t{before} * words();
      bool same = true;
      for (u32 w = 0; w < words() && same; ++w) same = one[w] == other[w];
      if (same) return d;
    }
    return depth_;
  }
  // Errors that came back to `depth` are behind the state on top.
  void note_back(u32 depth) {
    if (depth_ > 0) back(depth_ - 1) = std::min(back(depth_ - 1), depth);
  }
  template <class In>
  void go_on(u32 state, In& in);
  template <class In>
  void leave(In& in);

  ChainMemory& m_;
  u32 count_ = 0;  // of states at the bottom
  u32 depth_ = 0;
  u64 followed_ = 0;
  u64 rounds_ = 0;
};

template <u32 Words>
template <class In>
void ChainWalk<Words>::go_on(u32 state, In& in) {
  const u32 step = m_.steps[state];
  if (const u32 before = find_on_way(state); before != depth_) {
    ++rounds_;
    note_back(before);
    return in.loop(step);
  }
  if (remembers()) {
    if (const u32 known = m_.find(state); known != kNone) return in.again(step, m_.ways[known]);
  }
  // What came before memory begins is on a cycle for all that is known.
  if (++followed_ == limits::kChainPlain + 1) {
    m_.forget();
    for (u32 d = 0; d < depth_; ++d) back(d) = 0;
  }
  back(depth_) = kNone;
  m_.ways[state] = in.total();
  if (!in.ask(m_.keepers[state], at_word(state), step) && !in.over()) in.end(step, at_word(state));
}

// All that is behind the state on top has been followed.
template <u32 Words>
template <class In>
void ChainWalk<Words>::leave(In& in) {
  if (!remembers()) return;
  const u32 state = at(depth_);
  const u32 least = back(depth_);
  if (least < depth_) note_back(least);
  if (least <= depth_ && rounds_ < limits::kChainRounds) return;
  const ChainWays now = in.total();
  const ChainWays before = m_.ways[state];
  m_.remember(state, {now.ends - before.ends, now.errors - before.errors}, end(depth_));
}

template <u32 Words>
template <class In>
void ChainWalk<Words>::follow(In& in) {
  m_.forget();
  followed_ = rounds_ = 0;
  depth_ = 0;
  at(0) = 0;
  end(0) = count_;
  while (true) {
    const u32 beside = end(depth_);
    count_ = beside;
    if (at(depth_) == beside) {
      if (depth_ == 0) break;
      --depth_;
      leave(in);
      ++at(depth_);
      continue;
    }
    const u64 before = followed_;
    go_on(at(depth_), in);
    if (in.over()) return;
    if (count_ != beside) {
      at(++depth_) = beside;
      end(depth_) = count_;
      continue;
    }
    if (followed_ != before) leave(in);
    ++at(depth_);
  }
  count_ = 0;
}

}  // namespace xmc
