// The states as a perfect hash: see state_index.h. (More than forty methods: it is built, taken up
// again in the middle, and asked in memory or on flash.)
#pragma once

#include <span>

#include "engine/cycles/index/answer_cache.h"
#include "engine/cycles/index/neighbour_hash.h"
#include "engine/cycles/index/search_checkpoint.h"
#include "engine/cycles/index/state_index.h"
#include "phf/phf.h"

namespace xmc {

class PhfIndex final : public Numbering {
 public:
  // Builds it of the product's states in product.memory, values are depths. On success `result` has
  // the index and the memory behind it, until close(); without room for it and `left` bytes, the
  // bytes that would do.
  Status build(const Product& product, const IndexOptions& options, u64 left, IndexResult& result);
  // The same with the file of the product's checkpoint, if it fits the product and the memory: else
  // `result` is empty, and the file is left alone.
  Status reopen(const Product& product, const IndexOptions& options, u64 left, IndexResult& result);
  // Goes on building the one of the product's checkpoint; else as reopen().
  Status go_on(const Product& product, const IndexOptions& options, u64 left, IndexResult& result);
  // The file is closed, and removed unless a checkpoint may name it.
  Status close(Folder& folder, bool keep);

  const char* name() const override { return "phf"; }
  u64 size() const override { return reader_.layout().keys; }
  u64 ram_bytes() const override { return ram_bytes_; }
  Status find(const Word* states, u32 count, u64* numbers, u32* depths) override;
  u64 scratch_bytes() const override { return resident_ ? kBeside * sizeof(phf::Query) : 0; }
  void find_beside(std::span<u8> scratch, const Word* states, u32 count, u64* numbers,
                   u32* depths) const override;
  u32 begin_questions(std::span<u8> memory) override;
  void add_question(const Word* state, u32 tag) override;
  Status answer_questions(const Answers& answers) override;
  bool has_depths() const override { return true; }
  bool on_flash() const override { return !resident_; }
  Status save_checkpoint(SearchCheckpoint& checkpoint, std::span<u8> buffer) override;

  const phf::ReaderStats& stats() const { return reader_.stats(); }
  u64 file_bytes() const { return reader_.layout().file_bytes(); }
  u64 rebuilds() const { return rebuilds_; }      // after collisions
  u64 tables_made() const { return near_.made; }  // of neighbours
  u64 remembered() const { return recent_.hits(); }

 private:
  static constexpr u32 kMostBatch = 1 << 14;      // queries
  static constexpr u64 kMostQuestions = 1 << 16;  // some seconds of single reads
  static constexpr u64 kBeside = 512;             // queries of another thread
  static constexpr u32 kAttempts = 8;
  static constexpr u64 kMostAnswers = 1 << 20;  // bytes, where the cache is limited

  Status build_and_open(const Product& product, const IndexOptions& options, u64 left,
                        IndexResult& result);
  Status build_file(const Product& product, const phf::BuildConfig& config);
  Status build_with_seeds(const phf::BuildConfig& config);
  Status add_states();
  // phf_checkpoint.cc
  bool fits_part(const Product& part, const phf::BuildConfig& config) const;
  Status resume_build(const phf::BuildConfig& config);
  Status begin_again();
  Status save_part();
  Status write_part(const phf::BuildCheckpoint& checkpoint);
  Status checkpoint_if_due(bool boundary);
  Status open_runs(Folder::Open how);
  Status open(const Product& product, const phf::FileLayout& layout, u64 left,
              const IndexOptions& options, IndexResult& result);
  Status read_and_open(const Product& product, const IndexOptions& options, u64 left,
                       IndexResult& result);
  // The product with the memory behind the table of neighbours, made or as the checkpoint has it.
  // Without room for it and `asking` behind it, the hash is a plain one.
  Status make_neighbours(Product& part, u64 pages, u64 asking);
  Status load_neighbours(Product& part, u64 pages, u64 asking);  // phf_checkpoint.cc
  void take_neighbours(Product& part, u64 pages);
  Status save_neighbours(SearchCheckpoint& checkpoint, std::span<u8> buffer);
  Status open_pages(const Product& product, const IndexOptions& options, Folder::Open how);
  Status open_device(const Product& product, Folder::Open how);
  u64 hash(const Word* state) const;
  // Damage with the name of the file: the perfect hash itself knows devices only.
  Status named(const Status& status, const char* file) const;
  Status ask(std::span<phf::Query> queries, u64* numbers, u32* depths);
  static void take_answers(std::span<const phf::Query> queries, u64* numbers, u32* depths);

  // While it is built.
  struct Build {
    const Product* product = nullptr;
    Device* runs = nullptr;
    bool goes_on = false;  // from the product's checkpoint
    bool fits = true;      // which fits the memory
    bool in_pages = false;
    Manifest::File runs_sum;  // of what has been summed up
    Manifest::File pages_sum;
  };
  struct PagesFile {
    Folder* folder = nullptr;
    Device* device = nullptr;
    FileName name;
    u64 number = 0;
    bool summed = false;  // the checksum is known
    u64 checksum = 0;
    u32 saves = 0;  // checkpoints since it was built or opened
  };
  struct Near {
    NeighbourHash hash;
    u64 bytes = 0;
    bool written = false;
    SearchCheckpoint::Stamp stamp;
    u64 made = 0;  // tables
  };
  struct Questions {
    std::span<phf::Query> list;
    u32 asked = 0;  // of them
    std::span<u8> windows;
  };

  phf::Builder builder_;
  Build build_;
  phf::Reader reader_;
  PagesFile file_;
  Near near_;
  std::span<phf::Query> batch_;
  Questions questions_;
  AnswerCache recent_;
  u32 words_ = 0;
  u64 seed_ = 0;
  u64 mask_ = ~u64{0};
  u64 ram_bytes_ = 0;
  u64 rebuilds_ = 0;
  bool resident_ = false;
};

}  // namespace xmc
