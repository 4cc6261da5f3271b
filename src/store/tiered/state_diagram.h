// StateDiagram: a set of states as a diagram in memory (store/diagram/diagram.h), for one who adds
// many states at a time and asks for single ones. The order of fields is chosen by the first states
// that are added. When it is full, its states go elsewhere: walk() gives them.
#pragma once

#include <algorithm>
#include <span>

#include "store/diagram/diagram.h"
#include "store/diagram/key_order.h"
#include "xmc/arena.h"
#include "xmc/limits.h"
#include "xmc/model.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class StateDiagram {
 public:
  // The least region for states of so many bytes.
  static u64 least_bytes(u32 state_bytes);
  // What plan() carves, at most.
  static u64 order_bytes(const Model& model) { return KeyOrder::bytes_for(model); }
  // Of the model its fields, words and bytes are used.
  void plan(const Model& model, Arena& arena) { order_.plan(model, arena); }

  // Empty. An empty region: it is off.
  void start(std::span<u8> region);
  bool on() const { return !region_.empty(); }

  u64 size() const { return began_ ? diagram_.size() : 0; }

  bool contains(const Word* state) const {
    if (!began_) return false;
    Word key[limits::kKeyWords];
    return order_.find_key(state, key) && diagram_.contains(key);
  }
  // States that are not there, by a function that gives the i-th of `count`. `scratch` is memory
  // for sorting. Says how many were added: fewer than all when it is full.
  template <class Load>
  u32 add(u32 count, std::span<u8> scratch, const Load& load) {
    const Batches batches = batches_of(scratch);
    for (u32 done = 0; done < count;) {
      const u32 size = std::min(batches.most, count - done);
      for (u32 i = 0; i < size; ++i) load(done + i, batches.states + u64{i} * order_.state_words());
      if (!add_batch(batches, size)) return done;
      done += size;
    }
    return count;
  }

  // All states, some at a time; none at the end.
  void begin_walk() { diagram_.begin_walk(); }
  u32 walk(Word* states, u32 room);

  // The set as words for a file: all of them, and what else there is to know.
  struct Saved {
    u64 order = 0;  // which one
    u64 root = 0;
    u64 size = 0;
    u64 words = 0;  // of 32 bits
  };
  std::span<const u32> nodes(Saved& saved);
  // The same again after start(): where the words go, nothing where they do not fit; then load().
  std::span<u32> room_for(const Saved& saved);
  bool load(const Saved& saved);

 private:
  struct Batches {
    Word* states = nullptr;
    Word* keys = nullptr;
    Word* other = nullptr;
    u64* fresh = nullptr;
    u32 most = 0;
  };
  Batches batches_of(std::span<u8> scratch) const;
  bool add_batch(const Batches& batches, u32 count);
  bool insert(const Batches& batches, u32 count);
  void choose_order(const Batches& batches, u32 count);
  void begin(u32 candidate);

  KeyOrder order_;
  std::span<u8> region_;
  Diagram diagram_;
  bool began_ = false;
  u32 candidate_ = 0;
};

}  // namespace xmc
