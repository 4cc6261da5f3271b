// What the campaign runs: every engine that keeps files, in every mode that has files of its own,
// on small models whose answer is known, in so little memory that all phases occur.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/graph_models.h"
#include "engine/registry.h"
#include "xmc/engine.h"

namespace xmc_test {

// A model and what is true of it.
struct Subject {
  virtual ~Subject() = default;
  virtual Model model() = 0;

  NaiveFigures figures;
  bool bad = false;          // there is a counterexample
  u64 shortest = kNoFigure;  // its least length, if that is known
};

struct Job {
  std::string row;    // engine and mode
  std::string model;  // what the model is like
  std::string engine;
  SearchOptions options;
  std::shared_ptr<Subject> subject;
  u64 extra_bytes = 0;  // beside the least memory of the engine
  u32 threads = 1;
  u32 owners = 0;              // of the states, on a simulated network; 0: there is no such thing
  bool owners_change = false;  // from process to process: those, or fewer
  std::function<void(Engine&)> prepare;  // between plan and run

  std::string name() const { return row + "/" + model; }
};

std::vector<Job> make_jobs();

}  // namespace xmc_test
