// The `ioemc` engine: nested depth-first search on the fly with all but recent states on flash (Wu,
// Huang, Su, Cai and Zhang, "An I/O Efficient Model Checking Algorithm for Large-Scale Systems",
// 2015; the nested search is that of Courcoubetis, Vardi, Wolper and Yannakakis).
//
// A first search visits all states. When it leaves an accepting state, a second search looks from
// there for a way back to it; what second searches have visited stays visited, which the post-order
// makes sound. Each state that is met has to be known or new at once: CachedStates
// (store/tiered/cached_states.h) is the paper's cached duplicate detection, with its linear
// hash-sorting (--dd lhs), with runs in tiers, or with a diagram in memory before these.
//
// The paper has two tables and two stacks, and divides memory between them. Here a bit of the key
// says which search visited a state, so that one set has both and its memory goes where states are;
// and a second search runs on top of the stack of the first, which waits for it: the one region
// that both share, of which a share rho2 moves to flash when it is full (FlashStack).
//
// The printed code looks for the next successor of a state each time it comes back to it, which
// expands a state once for each of them, and would choose one that is on flash only for ever. Here
// all successors of a state are asked for together, when it is entered, and those that are not
// known are pushed; when one is popped, only what came since is asked again.
//
//   entry of the stack = kind and number of runs when it was asked for, state
//
// Second searches do not leave the component of the automaton that their state is in. A lasso is as
// the stack has it; where it fits the memory it is shortened over its own states (ram/lasso.h).
#pragma once

#include "engine/ram/ram_search.h"
#include "engine/search/file_names.h"
#include "engine/search/search.h"
#include "store/files/flash_stack.h"
#include "store/tiered/cached_states.h"
#include "xmc/engine.h"

namespace xmc {

class IoemcEngine final : public Engine {
 public:
  constexpr IoemcEngine() = default;

  static constexpr EngineFile kFiles[] = {{kHistoryFile, true},
                                          {kStackFile, true},
                                          {kWindowFile, true},
                                          {kDiagramFile, true},
                                          {kPathFile, true}};
  static constexpr EngineTraits kTraits = {
      .name = "ioemc",
      .summary = "accepting cycles by nested depth-first search, old states on flash",
      .uses_threads = false,
      .only_cycles = true,
      .finds_shortest_paths = false,
      .flash = {0, 2, "the stack, and runs that were merged"},
      .files = kFiles};
  const EngineTraits& traits() const override { return kTraits; }
  u64 minimum_bytes(const Model& model, const SearchOptions& options) const override;
  Status plan(const Model& model, const SearchOptions& options, Arena& arena) override;
  Status run(const RunControl& control, SearchOutcome& outcome) override;
  void path_state(u64 i, Word* out) override;

  // After plan(), for tests: so many bytes of states stay in memory at most.
  void keep_bytes(u64 bytes) { most_bytes_ = bytes; }

 private:
  // What an entry of the stack is: a state that a search is to visit, or one that it has entered
  // and will leave, which is on its path. A seed is where a second search began.
  enum class Kind : u8 { visit, left, visit_second, left_second, seed };
  struct Entry {
    static constexpr u32 kKindBits = 3;
    static constexpr u32 kAcceptingBit = 3;
    static constexpr u32 kShift = 4;

    static Word head(Kind kind, bool accepting, u64 since) {
      return static_cast<Word>(kind) | Word{accepting} << kAcceptingBit | since << kShift;
    }
    static Kind kind(Word head) { return static_cast<Kind>(head & ((1 << kKindBits) - 1)); }
    static bool accepting(Word head) { return (head >> kAcceptingBit & 1) != 0; }
    static u64 since(Word head) { return head >> kShift; }
    static bool on_path(Word head) {
      return kind(head) != Kind::visit && kind(head) != Kind::visit_second;
    }
  };
  // What a key is: a state with a bit for the second search behind its fields. As a model, for
  // stores that want to know its fields.
  static Model key_model(const Model& model);
  static u32 used_bits(const Model& model);

  // Pieces of the region.
  struct Memory {
    CachedStates::Memory visited;
    std::span<u8> window;
    std::span<u8> words;  // for a WordFile
  };
  CachedStates::Shape visited_shape() const;
  FlashStack::Division division() const;
  Memory lay_out() const;
  void plan_key(Arena& arena);

  Status run_to_end();
  void close(Device*& device);
  Status open();
  Status begin();
  Status search();
  Status poll();
  bool over() const {
    return search_.outcome->violation != Violation::none && !search_.options.full;
  }

  Status take(Word head, const Word* state);
  void make_key(const Word* state, bool second, Word* key) const;
  Status is_known(const Word* state, bool second, u64 since, bool& known);
  Status push(Kind kind, bool accepting, const Word* state);
  Status enter(const Word* state);
  Status enter_second(const Word* state, bool is_seed);
  Status begin_second(const Word* state);
  Status push_successors(u32 count);
  Status push_some(u32 begin, u32 end);

  // The counterexample: ioemc_path.cc.
  Status take_path();
  Status unwind();
  Status wind_up();
  Status open_path();
  Status next_on_path(Word* state);
  Status shorten();
  // False: it does not fit. `entry` is where its cycle begins.
  Result<bool> load_lasso(StateIndex& entry);

  // ioemc_checkpoint.cc.
  Status checkpoint();
  // What a checkpoint says beside the visited states.
  struct Said {
    FlashStack::Filed stack;
    FileMark window;
  };
  void place_lines(Lines& io);
  void stack_lines(Lines& io, Said& said);
  void path_lines(Lines& io);
  Status save_checkpoint(Manifest& manifest);
  Status next_window();
  Status save_stack(Said& said);
  Status copy_stack(Device* window, const FileName& window_name);
  Status restore_checkpoint(const Manifest& manifest);
  Status restore_stack(const Said& said);
  void note_figures();

  Search search_;
  Model key_;
  u32 second_bit_ = 0;  // of a key
  std::span<u8> region_;
  Memory memory_;
  Word* keys_ = nullptr;  // of a batch of successors
  CachedStates visited_;
  u64 most_bytes_ = 0;  // for them; 0: as many as there are

  FlashStack stack_;
  Device* stack_device_ = nullptr;
  FileName stack_name_;
  u64 stack_number_ = 0;
  u64 window_number_ = 0;  // of checkpoints

  // Where it is.
  struct Place {
    u64 states = 0;       // that the first search has entered
    u64 depth = 0;        // of its path
    bool cut = false;     // the depth limit left states out
    bool second = false;  // a second search is under way, from `seed`, in this component
    u32 component = 0;
    Word seed[limits::kStateWords] = {};
  };
  Place place_;

  // The path of the counterexample: the entries of the stack as they were, from the top down, in a
  // file; or, shortened, on the side stack of a table.
  struct Path {
    u64 number = 0;          // of the file
    FileName name;           // where it is read
    u64 entries = 0;         // 0: there is none
    u64 second_entries = 0;  // of them, the first ones, of a second search
    FileMark mark;
    Device* device = nullptr;
    WordReader reader;
    u64 at = 0;     // entries that are still to be read
    u64 state = 0;  // the number of the one that comes next
    bool in_table = false;
    u64 prefix_steps = 0;  // as they were told
    u64 cycle_steps = 0;
  };
  Path path_;
  RamSearch ram_;
};

}  // namespace xmc
