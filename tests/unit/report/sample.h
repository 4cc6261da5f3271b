// A hand-made model for the tests of traces: two processes and a property, drawn as a graph, with
// states packed by hand.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "report/output.h"
#include "report/target.h"
#include "trace/trace_view.h"
#include "xmc/arena.h"

namespace sample {

using namespace xmc;

// x in bits 0..3, a[0] in bit 4, a[1] in bit 5, P in 8..9, P->j in 10..12 (offset -2), Q in 13, X
// in 14.
inline Word state(u32 x, u32 p, int j, u32 q, u32 property = 0, u32 a0 = 0) {
  return Word{x} | Word{a0} << 4 | Word{p} << 8 | Word{static_cast<u32>(j + 2)} << 10 |
         Word{q} << 13 | Word{property} << 14;
}

struct Graph {
  struct Edge {
    Word to;
    u32 label;
  };
  struct Node {
    std::vector<Edge> edges;
    u8 flags = 0;
    u32 violated = kNone;
    u32 errors = 0;
    u32 error_label = kNone;
  };
  std::vector<Word> initial;
  std::map<Word, Node> nodes;

  void edge(Word from, u32 label, Word to) {
    nodes[from].edges.push_back({to, label});
    nodes[to];
  }

  Model model() {
    Model model;
    model.state_words = 1;
    model.state_bits = 15;
    model.state_bytes = 2;
    model.max_successors = 4;
    model.predicate_count = 2;
    model.self = this;
    model.initial = [](void* self, const SuccessorBuffer& out) {
      auto* const graph = static_cast<Graph*>(self);
      for (std::size_t i = 0; i < graph->initial.size(); ++i) out.states[i] = graph->initial[i];
      return static_cast<u32>(graph->initial.size());
    };
    model.expand = [](void* self, const Word* at, const SuccessorBuffer& out) {
      const Node& node = static_cast<Graph*>(self)->nodes.at(*at);
      Expansion expansion;
      for (const Edge& edge : node.edges) {
        out.states[expansion.count] = edge.to;
        if (out.labels != nullptr) out.labels[expansion.count] = edge.label;
        ++expansion.count;
      }
      expansion.flags =
          static_cast<u8>(node.flags | (node.edges.empty() && node.errors == 0 ? kDeadlock : 0));
      expansion.violated = node.violated;
      expansion.errors = node.errors;
      expansion.error_label = node.error_label;
      return expansion;
    };
    return model;
  }
};

inline const std::string_view kProcesses[] = {"P", "Q", "X"};
inline const std::string_view kPNames[] = {"idle", "wait", "crit"};
inline const std::string_view kQNames[] = {"off", "on"};
inline const std::string_view kXNames[] = {"p", "q"};
inline const VariableText kVariables[] = {
    {"x", VariableKind::number, 8, false, kNone, {0, 0, 4, 0}, {}},
    {"a[0]", VariableKind::number, 8, false, kNone, {0, 4, 1, 0}, {}},
    {"a[1]", VariableKind::number, 8, false, kNone, {0, 5, 1, 0}, {}},
    {"P", VariableKind::location, 2, false, 0, {0, 8, 2, 0}, kPNames},
    {"P->j", VariableKind::number, 16, false, 0, {0, 10, 3, -2}, {}},
    {"Q", VariableKind::location, 1, false, 1, {0, 13, 1, 0}, kQNames},
    {"X", VariableKind::location, 1, false, 2, {0, 14, 1, 0}, kXNames},
};
inline const TransitionText kTransitions[] = {
    {0, 10, "idle -> wait { effect x = 1; }"},
    {0, 11, "wait -> crit { sync c!; }"},
    {1, 20, "off -> on { sync c?; }"},
    {0, 12, "crit -> idle { guard \"x\" > 0; effect j = j - 1, x = x + 2, a[0] = 1; }"},
    {2, 30, "p -> q { }"},
};
inline const PredicateText kPredicates[] = {
    {PredicateText::Kind::assertion, 13, "x < 3"},
    {PredicateText::Kind::goal, 0, "P.crit and Q.on"},
};

// Label 0: P at line 10. 1: P with Q. 2: P at line 12. 3: P with the property. 4: only the
// property.
inline StepText step(const void*, u32 label) {
  static constexpr StepText kSteps[] = {
      {0, kNone, kNone}, {1, 2, kNone}, {3, kNone, kNone}, {0, kNone, 4}, {kNone, kNone, 4}};
  return kSteps[label];
}

inline ModelText text() {
  ModelText text;
  text.file = "sample.dve";
  text.language = "dve";
  text.processes = kProcesses;
  text.variables = kVariables;
  text.transitions = kTransitions;
  text.predicates = kPredicates;
  text.step = &step;
  return text;
}

// A path by its states, as an engine would give it.
struct Path {
  std::vector<Word> states;
  StepChooser chooser() {
    return {
        this, [](void* self, u64 index, u32 count, const SuccessorBuffer& from) {
          const auto& wanted = static_cast<Path*>(self)->states;
          for (u32 i = 0; i < count; ++i) {
            if (index < wanted.size() && from.states[i] == wanted[static_cast<std::size_t>(index)])
              return i;
          }
          return kNone;
        }};
  }
};

// Aligned, so that carves have the same size on every target.
struct Memory {
  struct alignas(64) Block {
    u8 bytes[64];
  };
  std::vector<Block> blocks = std::vector<Block>(1024);
  Arena arena{{blocks[0].bytes, blocks.size() * sizeof(Block)}};
};

// An Output into a string, with a small buffer so that its seams are met.
class StringOutput : public Output {
 public:
  StringOutput() : Output(buffer_, &write, this) {}
  std::string take() {
    CHECK(flush().ok());
    return text_;
  }

 private:
  static Status write(void* self, std::string_view bytes) {
    static_cast<StringOutput*>(self)->text_ += bytes;
    return {};
  }
  char buffer_[16];
  std::string text_;
};

inline std::string read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream contents;
  contents << file.rdbuf();
  return contents.str();
}

// Compares with a file under tests/golden; with XMC_UPDATE_GOLDEN set, writes it.
inline void check_golden(const std::string& name, std::string got) {
  const std::string version = kToolVersion;
  for (std::size_t at = 0; (at = got.find(version, at)) != std::string::npos;) {
    got.replace(at, version.size(), "VERSION");
  }
  const std::string path = "tests/golden/" + name;
  if (std::getenv("XMC_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << got;
  CHECK(got == read_whole(path));
}

}  // namespace sample
