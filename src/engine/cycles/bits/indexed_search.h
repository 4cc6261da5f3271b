// What searches with one bit per state have in common: the states are numbered (state_index.h),
// successors are made and looked up in batches, visited is a bit.
//
// The set may be that of the first levels only. Then nothing is known of the successors of its
// deepest level: a search stays among the states that are expanded in it, which have all the
// cycles.
#pragma once

#include <span>

#include "engine/cycles/index/search_checkpoint.h"
#include "engine/cycles/index/state_index.h"
#include "engine/cycles/index/state_sequence.h"
#include "engine/search/file_names.h"
#include "engine/search/product.h"
#include "engine/search/search.h"
#include "engine/search/work_poll.h"
#include "store/files/flash_stack.h"
#include "store/files/key_file.h"
#include "store/files/word_file.h"
#include "store/tables/packed_array.h"
#include "store/tables/state_bits.h"
#include "xmc/device.h"
#include "xmc/go_on.h"
#include "xmc/status.h"

namespace xmc {

// Memory for a table of depths; 0 for an index that has them. A multiple of kPageBytes.
u64 depth_table_bytes(const Numbering& index, u64 deepest);

class IndexedSearch {
 public:
  IndexedSearch(const Product& product, Numbering& index)
      : product_(product),
        s_(*product.search),
        index_(index),
        checkpoint_(product.search_checkpoint),
        poll_(product),
        executor_(s_.model.self),
        expansions_(&s_.stats().expansions) {}
  IndexedSearch(const IndexedSearch&) = delete;
  IndexedSearch& operator=(const IndexedSearch&) = delete;

  // Successors of some states, one behind the other, and what is known of them.
  struct Batch {
    Word* states = nullptr;
    u64* numbers = nullptr;
    u32* depths = nullptr;  // filled in if with_depths_
    u32* levels = nullptr;  // the caller's
    u32 room = 0;
    u32 fill = 0;
  };

  // From which depth on states are not expanded; whether depths are known.
  Status find_limit();
  u32 words() const { return s_.model.state_words; }
  // Depths are looked up from now on, in a table of them for an index that has none.
  Status make_depth_table(std::span<u8> memory, u64 deepest, Batch& batch);
  // Of one successor in a batch.
  static u64 unit_bytes(const Model& model) {
    return u64{model.state_words} * sizeof(Word) + sizeof(u64) + 2 * sizeof(u32);
  }
  static u64 batch_bytes(const Model& model, u64 room);
  // Takes the memory of a batch from the front.
  Batch cut_batch(std::span<u8>& memory, u64 room) const;
  Word* state_at(const Batch& batch, u32 i) const { return batch.states + u64{i} * words(); }

  bool has_room(const Batch& b) const { return b.room - b.fill >= s_.model.max_successors; }
  // The successors of a state behind those in the batch: of them, those in its component.
  Expansion expand(const Word* state, Batch& batch);
  Status look_up(Batch& batch);
  // Whether the search may go there.
  bool inside(const Batch& b, u32 i) const {
    return b.numbers[i] != Numbering::kNotThere && (!with_depths_ || b.depths[i] < limit_);
  }
  bool inside(u64 number, u32 depth) const {
    return number != Numbering::kNotThere && (!with_depths_ || depth < limit_);
  }
  bool is_state(const Word* a, const Word* b) const;
  // After every state, whether it is time to ask(); then whether to go on.
  bool is_time() { return poll_.is_time(); }
  virtual Status ask(u64 depth) { return poll_(depth); }
  // For work on a path.
  GoOn asking();

  // For a search on another thread: looks states up as `first` does, but with scratch of its own
  // (Numbering::find_beside), and expands them with another executor.
  void work_beside(const IndexedSearch& first, void* executor, std::span<u8> scratch);

  // A file of this search, closed at the end, and removed unless keep_file() was called.
  Status open_file(const char* name, Device*& device, Folder::Open how = Folder::Open::create);
  void keep_file(const Device* device);
  Status close_file(const Device* device);
  Status close_files();

  // --- Checkpoints (indexed_checkpoint.cc) ----------------------------------------------------

  // Whether one should be made inside the search. Asks now and then.
  bool checkpoint_due() {
    return checkpoint_ != nullptr && poll_.take_asked() && product_.checkpoint_due(false);
  }
  // The checkpoint says: the index, and that a search is in this phase.
  Status save_search(SearchCheckpoint::Phase phase);
  // The search goes on from the checkpoint.
  void go_on();
  // The bits, and the window of a stack if there is one, as a file of the checkpoint; and back,
  // with what `use` reads behind the bits. Uses the scan_buffer.
  Status save_bits(FlashStack* stack);
  template <class Use>
  Status load_bits(u64 words_behind, Use use) {
    const FileName name = FileName(kBitsFile, checkpoint_->bits_number);
    WordReader in;
    Device* device = nullptr;
    XMC_TRY(open_bits(name, words_behind, in, device));
    Status status = in.read(0, visited_.words());
    if (status.ok()) status = use(in, u64{visited_.words().size()});
    product_.folder->close(device);
    return status;
  }
  // A checkpoint without such a file.
  Status next_bits();
  // The file that no checkpoint names any more when this number is made.
  Status remove_old(const char* file, u64 number);
  Status reopen_keys(KeyFile& keys, Device* device, const char* name, u32 key_words,
                     std::span<u8> buffer, const SearchCheckpoint::Stamp& stamp);

 protected:
  ~IndexedSearch() = default;

  const Product& product_;
  Search& s_;
  Numbering& index_;
  SearchCheckpoint* checkpoint_;  // null: no checkpoints
  WorkPoll poll_;
  void* executor_;         // Model::self of this thread
  u64* expansions_;        // where they are counted
  std::span<u8> scratch_;  // for lookups beside others; empty: the index has its own
  StateBits visited_;
  bool with_depths_ = false;
  bool strangers_ = false;  // successors may be unknown to the index
  bool has_table_ = false;
  PackedArray depth_table_;
  u64 limit_ = ~u64{0};

 private:
  struct File {
    FileName name;
    Device* device = nullptr;
    bool keep = false;
  };

  Status write_bits(Device* device, FlashStack* stack);
  Status open_bits(const FileName& name, u64 words_behind, WordReader& in, Device*& device);
  Status close_file(File& file);

  File files_[4];
};

}  // namespace xmc
