// A check that is shared by processes: each of them plans for itself, the first one tells what was
// found, and the others learn from it how the run has ended.
#include <algorithm>

#include "cli/run/check/team.h"
#include "engine/search/exchange.h"
#include "platform/memory.h"
#include "platform/process_peers.h"
#include "report/verdict.h"
#include "xmc/bytes.h"

namespace xmc {

namespace {

Status gather_from(ProcessPeers& peers, std::span<const u64> mine, u64* all) {
  if (peers.gather(mine, {all, mine.size() * peers.count()}).ok()) return {};
  return Status::fail(Code::stopped, "another process could not begin, or was told to stop");
}

}  // namespace

Result<u64> least_memory(ProcessPeers* peers, u64 own_bytes) {
  if (peers == nullptr || peers->count() == 1) return own_bytes;
  const u64 mine[] = {own_bytes};
  u64 all[limits::kOwners];
  XMC_TRY(gather_from(*peers, mine, all));
  return *std::min_element(all, all + peers->count());
}

// Buffers for blocks to and from the others: what the one with the least memory has room for.
Status plan_peers(const TeamJob& job, ProcessPeers& peers, SearchOptions& search, Team& team) {
  constexpr u64 kShare = 32;  // of the memory that they may take
  constexpr u64 kMost = 16 << 10;
  team.owners[0] = &peers;
  team.owner_count = 1;
  search.owners = {team.owners, 1};
  if (!job.engine.divides(job.model, search)) {
    return Status::fail(
        Code::unsupported,
        "engine '%s' cannot share this search with other processes; use "
        "--engine auto, explicit, diagram, part or ram without --states, or owcty for a "
        "property that is about cycles",
        job.engine.name());
  }
  Arena& arena = job.budget.arena();
  const u64 least = Exchange::least_buffer_for(job.model);
  const u64 each = peers.bytes_for(1) - peers.bytes_for(0);
  const u64 fair = std::min(arena.free_bytes() / kShare / each, kMost);
  const u64 mine[] = {round_up(std::max(fair, least), kLineBytes)};
  u64 all[limits::kOwners];
  XMC_TRY(gather_from(peers, mine, all));
  const u32 bytes = static_cast<u32>(*std::min_element(all, all + peers.count()));
  // What a process makes of the model may depend on the memory that it has.
  const u64 program[] = {job.program_hash};
  XMC_TRY(gather_from(peers, program, all));
  if (!std::all_of(all, all + peers.count(), [&](u64 hash) { return hash == program[0]; })) {
    return Status::fail(Code::budget,
                        "the processes differ in how far they reduce the model: give each the same "
                        "--ram, or --reduce off");
  }
  peers.start(bytes, arena.carve_array<u8>("mail", peers.bytes_for(bytes), kLineBytes));
  search.shares = team.shares = arena.carve_array<OwnerShare>("owners", peers.count());
  if (!job.asked.given(Opt::quiet)) {
    Output& err = job.asked.session.err();
    err.add("shared    by ").number(peers.count()).add(" processes, each with this --ram\n");
  }
  return {};
}

Status add_up_processes(Session& session, const Team& team) {
  constexpr u32 kFigures = 7 + 2 * kPurposes;
  static_assert(kFigures <= Peers::kMostValues);
  ProcessPeers* const peers = session.surroundings.peers;
  if (peers == nullptr || team.owner_count == 0 || peers->count() == 1) return {};
  RunReport& report = session.report;
  const auto known = [](u64 figure) { return figure == kNoFigure ? 0 : figure; };
  u64* const summed[] = {&report.disk_peak,     &report.disk_final,   &report.bytes_read,
                         &report.bytes_written, &report.random_reads, &report.syncs};
  u64 mine[kFigures];
  u32 count = 0;
  for (const u64* figure : summed) mine[count++] = known(*figure);
  for (const u64 bytes : report.read_for) mine[count++] = bytes;
  for (const u64 bytes : report.written_for) mine[count++] = bytes;
  mine[count++] = static_cast<u64>(session.cpu_s() * 1e6);
  // Not a sum, and so sent by itself.
  const u64 peak[] = {peak_rss_bytes()};
  u64 peaks[limits::kOwners];
  u64 all[limits::kOwners * kFigures];
  XMC_TRY(peers->gather(peak, {peaks, peers->count()}));
  XMC_TRY(peers->gather(mine, {all, std::size_t{kFigures} * peers->count()}));
  if (session.follows()) return {};
  report.peak_rss_of_others = *std::max_element(peaks, peaks + peers->count());
  for (u32 i = 1; i < peers->count(); ++i) {
    const u64* at = all + std::size_t{i} * kFigures;
    for (u64* figure : summed) *figure = known(*figure) + *at++;
    for (u64& bytes : report.read_for) bytes += *at++;
    for (u64& bytes : report.written_for) bytes += *at++;
    session.add_earlier(0, static_cast<double>(*at) * 1e-6);
  }
  return {};
}

}  // namespace xmc
