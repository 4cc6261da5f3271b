#include "cli/run/budget.h"

#include <algorithm>

#include "platform/memory.h"
#include "platform/used_code.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc {

namespace {

Session* g_planning = nullptr;
u64 g_ram_limit = 0;

// A sanitizer's code and shadow are many times the tool's own; no budget can hold in such a build.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(XMC_SANITIZED)
constexpr bool kCountImage = false;
#else
constexpr bool kCountImage = true;
#endif

constexpr u64 kHugePagesFrom = u64{16} << 20;

// Most of what MPI brings along is never used, so what it has in memory by now counts, and what it
// will take for each of the others when they talk. Measured: 0.65 MiB each for MPICH 4.0.2, with 2
// to 8 processes on one machine.
u64 code_bytes(const Session& session) {
  constexpr u64 kEachProcess = u64{768} << 10;
  const ProcessPeers* const peers = session.surroundings.peers;
  if (peers == nullptr) return image_bytes();
  drop_used_code(CodeOf::program);  // not twice
  return current_rss_bytes() + program_bytes() + peers->count() * kEachProcess;
}

void on_exhaustion(const Arena& arena, const char* name, u64 bytes_wanted) {
  XMC_CHECK(g_planning != nullptr);
  g_planning->leave_now(too_small(g_ram_limit, arena, name, bytes_wanted));
}

}  // namespace

Status too_small(u64 ram_limit, const Arena& arena, const char* name, u64 bytes_wanted) {
  const u64 missing = bytes_wanted > arena.free_bytes() ? bytes_wanted - arena.free_bytes() : 1;
  const u64 mebibyte = u64{1} << 20;
  FixedText<32> budget;
  budget.bytes(ram_limit);
  return Status::fail(
      Code::budget,
      "the RAM budget of %s (%llu bytes) is too small: %.60s needs %llu bytes, %llu are left; "
      "at least --ram %lluM is needed to get past this point",
      budget.c_str(), wide(ram_limit), name, wide(bytes_wanted), wide(arena.free_bytes()),
      wide(divide_up(ram_limit + missing, mebibyte)));
}

Status Budget::open(Session& session, u64 spare_bytes) {
  XMC_CHECK(!arena_.has_value());
  ram_limit_ = session.options.number(Opt::ram);
  fixed_bytes_ = (kCountImage ? code_bytes(session) : 0) + kMarginBytes;
  const u64 page = page_bytes();
  // Less than this holds no front end at all.
  const u64 least = u64{256} << 10;
  if (ram_limit_ < fixed_bytes_ + least) {
    return Status::fail(
        Code::budget,
        "the code and stack of this build take %llu bytes, so --ram %lluM is the least for it",
        wide(fixed_bytes_), wide(divide_up(fixed_bytes_ + least, u64{1} << 20)));
  }
  spare_bytes_ = round_down(kCountImage ? spare_bytes : 0, page);
  const u64 size = round_down(ram_limit_ - fixed_bytes_, page);
  XMC_LET(const std::span<u8> region, map_region(size + spare_bytes_));
  // Tables and diagrams of this size miss the TLB on most probes: huge pages made a search of 18
  // million states in memory 1.3x faster, a diagram in 16 MiB 1.04x. Below it they would only
  // inflate the resident size of small checks.
  const std::span<u8> sure = region.first(static_cast<std::size_t>(size));
  // Not of what is behind: a huge page would have that in memory before it is given.
  if (size >= kHugePagesFrom) advise_huge(sure);
  arena_.emplace(sure);
  g_planning = &session;
  g_ram_limit = ram_limit_;
  arena_->set_exhaustion_hook(&on_exhaustion);
  return {};
}

// A page of the image that is used in part counts.
void Budget::give(u64 unused_bytes) {
  const u64 page = page_bytes();
  const u64 whole = round_down(unused_bytes - std::min(unused_bytes, page), page);
  const u64 given = std::min(whole, spare_bytes_);
  arena_->extend(given);
  fixed_bytes_ -= given;
  spare_bytes_ -= given;
}

}  // namespace xmc
