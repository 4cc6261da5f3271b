// Loads a model from text, and explores it naively.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/run/input/load_model.h"
#include "ir/ir.h"

namespace xmc::test {

struct Loaded {
  Loaded(const std::string& text, const char* language) : memory(u64{8} << 20), arena(memory) {
    LoadRequest request;
    request.text = text;
    request.language = language_by_name(language);
    request.partial = true;
    load(request, "test");
  }
  explicit Loaded(const std::string& text, ErrorRule errors = ErrorRule::report,
                  bool for_emit = false, const std::string& invariant = "",
                  const std::string& reach = "", bool fair = false)
      : memory(u64{8} << 20), arena(std::span<u8>(memory)) {
    LoadRequest request;
    request.text = text;
    request.language = language_by_name("dve");
    request.errors = errors;
    request.for_emit = for_emit;
    request.invariant = invariant;
    request.reach = reach;
    request.fair = fair;
    load(request, "test.dve");
  }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;

  void load(LoadRequest& request, std::string_view file) {
    request.file = file;
    status = load_model(
        request,
        [](void* self, std::string_view piece) { static_cast<Loaded*>(self)->messages += piece; },
        this, arena, model);
  }

  std::vector<u8> memory;
  Arena arena;
  LoadedModel model;
  Status status;
  std::string messages;
};

using StateKey = std::vector<Word>;

struct Explored {
  std::vector<StateKey> states;
  u64 transitions = 0;
  u64 deadlocks = 0;
  u64 errors = 0;
};

// Breadth first over one Model, calling visit(state, expansion, successors, labels) for each state.
template <class Visit>
Explored explore(const Model& m, Visit visit, u64 most = 200000) {
  Explored out;
  std::map<StateKey, bool> seen;
  std::vector<Word> words(u64{m.max_successors} * m.state_words);
  std::vector<u32> labels(m.max_successors);
  const SuccessorBuffer buffer{words.data(), labels.data(), m.max_successors};
  m.initial(m.self, buffer);
  out.states.emplace_back(words.begin(), words.begin() + m.state_words);
  seen[out.states[0]] = true;
  for (u64 i = 0; i < out.states.size() && i < most; ++i) {
    const StateKey state = out.states[i];
    const Expansion e = m.expand(m.self, state.data(), buffer);
    visit(state, e, words, labels);
    out.transitions += e.count;
    out.errors += e.errors;
    out.deadlocks += (e.flags & kDeadlock) != 0 ? 1 : 0;
    for (u32 k = 0; k < e.count; ++k) {
      const auto first = words.begin() + static_cast<long>(u64{k} * m.state_words);
      StateKey next(first, first + m.state_words);
      if (seen.emplace(next, true).second) out.states.push_back(next);
    }
  }
  return out;
}

inline Explored explore(const Model& m) {
  return explore(m, [](const auto&...) {});
}

}  // namespace xmc::test
