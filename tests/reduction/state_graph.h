// The graph of a small model, breadth first, and what a search would find in it.
#pragma once

#include <map>
#include <vector>

#include "xmc/model.h"

namespace xmc_test {

using namespace xmc;

using State = std::vector<Word>;

struct Buffer {
  explicit Buffer(const Model& m)
      : words(u64{m.max_successors} * m.state_words),
        labels(m.max_successors),
        buffer{words.data(), labels.data(), m.max_successors} {}
  std::vector<Word> words;
  std::vector<u32> labels;
  SuccessorBuffer buffer;
};

// Depths from the initial state on; kNone: there is none.
struct Answers {
  u32 deadlock = kNone;
  u32 error = kNone;
  std::map<u32, u32> violated;  // by predicate
  u32 accepting = kNone;
  bool cycle = false;  // one of accepting states

  bool operator==(const Answers&) const = default;
};

struct StateGraph {
  // False: it has more states.
  bool explore(const Model& model, u64 most);
  Answers answers() const;

  std::vector<State> states;
  std::vector<u32> depths;
  std::vector<Expansion> expansions;
  std::vector<std::vector<u32>> successors;

 private:
  bool has_accepting_cycle() const;
};

}  // namespace xmc_test
