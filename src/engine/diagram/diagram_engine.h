// The engines `diagram` and `auto`: a level search with a diagram as its visited set.
#pragma once

#include "engine/diagram/diagram_visited.h"
#include "engine/levels/level_search.h"

namespace xmc {

class DiagramEngine final : public LevelSearch {
 public:
  constexpr explicit DiagramEngine(bool spills = false)
      : LevelSearch(set_), spills_(spills), set_(spills) {}

  const char* name() const override { return spills_ ? "auto" : "diagram"; }
  FlashUse flash_use() const override {
    return {1, 0, spills_ ? "sorted runs, about as much again, once the diagram does not fit" : ""};
  }
  DiagramVisited& set() { return set_; }
  const DiagramVisited& set() const { return set_; }

 private:
  bool spills_;
  DiagramVisited set_;
};

}  // namespace xmc
