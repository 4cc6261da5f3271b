#include "store/checkpoint/verified_root.h"

#include "store/checkpoint/verify.h"

namespace xmc {

namespace {

constexpr u64 kVerifyBytes = u64{256} << 10;

// With as little scratch as the blocks need: memory that was scratch once is cleared, and so
// touched, when it is carved later.
Status verify_in_scratch(Folder& folder, const Manifest& manifest, Arena& arena,
                         const GoOn& go_on) {
  for (u64 bytes = kVerifyBytes;; bytes *= 2) {
    const u64 mark = arena.scratch_mark();
    u8* const memory = static_cast<u8*>(arena.scratch("verification", bytes, kPageBytes));
    const Status status =
        verify_files(folder, manifest, {memory, static_cast<std::size_t>(bytes)}, go_on);
    arena.scratch_release(mark);
    if (status.code() != Code::budget) return status;
  }
}

// What cannot be read is not there.
bool is_damage(const Status& status) {
  return status.code() == Code::corrupt || status.code() == Code::io;
}

}  // namespace

Status verify_root(Folder& folder, Manifest& manifest, Root& root, Arena& arena,
                   const GoOn& go_on) {
  Status status = verify_in_scratch(folder, manifest, arena, go_on);
  if (is_damage(status)) {
    RootSlot newer;
    newer.state = RootSlot::State::unsound;
    newer.sequence = root.sequence;
    newer.why = status;
    const Result<Root> older = load_root(folder, manifest, root.slot);
    if (!older.ok()) return status;
    root = older.value();
    root.fell_back = true;
    root.passed_over = newer;
    status = verify_in_scratch(folder, manifest, arena, go_on);
  }
  XMC_TRY(status);
  return root.fell_back ? discard_root(folder, 1 - root.slot) : Status();
}

}  // namespace xmc
