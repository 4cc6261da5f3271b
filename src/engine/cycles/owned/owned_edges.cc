#include "engine/cycles/owned/owned_edges.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kNoPosition = ~u64{0};
// An entry of the block: a source, its level if that is another one, its successors.
constexpr u32 kAcceptingBit = 1;
constexpr u32 kDeeperBit = 2;
constexpr u64 kEntriesPerSuccessor = 2;
constexpr u32 kBatchesPerPoll = 8;

StateTable::Shape shape_of(const Model& model) {
  return {model.state_words, std::max(model.state_bytes, 1u), false};
}

}  // namespace

// | filter | indexes | wanted, asked | names, positions, requests, entries |
Status OwnedEdges::lay_out(std::span<u8> memory) {
  const Model& model = product_.search->model;
  const u32 owners = numbers_.owners();
  const u64 given = memory.size();
  const auto take = [&](u64 bytes) {
    const std::span<u8> part = memory.first(static_cast<std::size_t>(round_up(bytes, kLineBytes)));
    memory = memory.subspan(part.size());
    return part;
  };
  const u64 filter = QueueNumbers::filter_bytes(given);
  const u64 index_bytes = u64{Search::buffer_states_for(model)} * sizeof(StateIndex);
  const u64 front = filter + index_bytes + 2 * kLineBytes;
  // Of each distinct successor; tables may be short of a sixth of what they get.
  const u64 table = std::max(model.state_bytes, 1u) + 10;
  const u64 each =
      2 * table + 2 * sizeof(u64) + sizeof(Request) + kEntriesPerSuccessor * sizeof(u32);
  const u64 least_table = StateTable::minimum_bytes(shape_of(model));
  const u64 fixed = front + 2 * least_table + 8 * kLineBytes + 4 * kSources * sizeof(u32);
  u64 room = given > fixed ? (given - fixed) / each : 0;
  // An owner gets as much from everybody.
  const u64 least = u64{owners} * (model.max_successors + 1);
  bytes_needed_ = room < least ? fixed + least * each : 0;
  u64 short_of[] = {bytes_needed_ == 0 ? u64{0} : 1, ~u64{0} - room / owners};
  XMC_TRY(take_largest(product_.owners->peers(), short_of));
  if (short_of[0] != 0) return Status::stop(StopReason::ram);
  most_ = ~u64{0} - short_of[1];
  room = most_ * owners;
  const std::span<u8> filter_memory = take(filter);
  queue_.start(product_, filter_memory);
  indexes_ = {reinterpret_cast<StateIndex*>(take(index_bytes).data()),
              Search::buffer_states_for(model)};
  wanted_memory_ = take(least_table + room * table);
  asked_memory_ = take(least_table + room * table);
  const std::size_t count = static_cast<std::size_t>(room);
  names_ = {reinterpret_cast<u64*>(take(room * sizeof(u64)).data()), count};
  positions_ = {reinterpret_cast<u64*>(take(room * sizeof(u64)).data()), count};
  request_ = {reinterpret_cast<Request*>(take(room * sizeof(Request)).data()), count};
  entries_ = {reinterpret_cast<u32*>(memory.data()), memory.size() / sizeof(u32)};
  collect_ = static_cast<u32>(std::min<u64>(Search::kCollect, most_ - model.max_successors));
  return {};
}

Status OwnedEdges::build(const Product& product, const OwnedNumbers& numbers, u64 from,
                         EdgeFile& edges, std::span<u8> memory) {
  product_ = product;
  numbers_ = numbers;
  edges_ = &edges;
  poll_ = WorkPoll(product);
  words_ = product.search->model.state_words;
  next_ = from;
  level_ = entry_level_ = rounds_ = 0;
  XMC_TRY(lay_out(memory));
  requests_.start(*product.owners, 1 + words_,
                  {this, [](void* self, Word* items, u32 count) {
                     return static_cast<OwnedEdges*>(self)->take_requests(items, count);
                   }});
  answers_.start(*product.owners, 2, {this, [](void* self, Word* items, u32 count) {
                                        return static_cast<OwnedEdges*>(self)->take_answers(items,
                                                                                            count);
                                      }});
  sources_.start(*product.queue, product.read_buffer);
  if (next_ < product.expanded) XMC_TRY(sources_.seek_key(next_));
  queue_.begin();
  const LongWork::Scope scope(poll_.work(), "writing edges");
  for (bool more = true; more; ++rounds_) XMC_TRY(round(more));
  return {};
}

Status OwnedEdges::round(bool& more) {
  asked_.init(asked_memory_, shape_of(product_.search->model));
  requested_ = 0;
  XMC_TRY(fill_block());
  XMC_TRY(requests_.end_round());
  u64 facts[] = {level_, next_ < product_.expanded ? u64{1} : 0};
  XMC_TRY(take_largest(product_.owners->peers(), facts));
  more = facts[1] != 0;
  XMC_TRY(resolve(facts[0] + 1));
  XMC_TRY(answer());
  XMC_TRY(answers_.end_round());
  poll_.set(next_, product_.expanded);
  return write_records();
}

// --- Requests ---------------------------------------------------------------------------------

bool OwnedEdges::has_room() const {
  const u64 more = u64{collect_} + product_.search->model.max_successors;
  if (used_ + more + 2 * kSources > entries_.size()) return used_ == 0;
  // The first ones always have.
  for (u32 owner = 0; owner < numbers_.owners(); ++owner) {
    if (sent_[owner] + more > most_ && sent_[owner] != 0) return false;
  }
  return true;
}

Status OwnedEdges::fill_block() {
  const PhaseClock::Scope scope(product_.search->clock, Phase::generation);
  wanted_.init(wanted_memory_, shape_of(product_.search->model));
  std::fill_n(sent_, numbers_.owners(), u64{0});
  used_ = 0;
  block_level_ = entry_level_;
  u32 batches = 0;
  while (next_ < product_.expanded && has_room()) {
    u32 sources = 0;
    u32 successors = 0;
    XMC_TRY(collect(sources, successors));
    const u32 before = wanted_.size();
    XMC_CHECK(wanted_.insert(product_.search->buffer, successors, indexes_.data()) == successors);
    keep_sources(sources);
    next_ += sources;
    XMC_TRY(ask_for_new(before));
    XMC_TRY(requests_.take_what_came());
    if (++batches % kBatchesPerPoll == 0) XMC_TRY(poll_(level_));
  }
  return {};
}

// The next sources, and those successors that could be on an accepting cycle with them.
Status OwnedEdges::collect(u32& sources, u32& successors) {
  Search& search = *product_.search;
  const Model& model = search.model;
  Word from[limits::kStateWords];
  while (sources < kSources && next_ + sources < product_.expanded && successors < collect_) {
    XMC_LET(const bool more, sources_.next(from));
    XMC_CHECK(more);
    Source& source = source_[sources++];
    level_ = sources_.level();
    source = {0, false, level_};
    const u32 own = model.cycle_class_of(from);
    if (own == 0) continue;
    const Expansion expansion = search.expand_state(from, successors);
    source.accepting = (expansion.flags & kAccepting) != 0;
    for (u32 i = 0; i < expansion.count; ++i) {
      const Word* const target = search.buffer_at(successors + i);
      if (model.cycle_class_of(target) != own) continue;
      if (source.successors < i) {
        std::copy_n(target, words_, search.buffer_at(successors + source.successors));
      }
      ++source.successors;
    }
    successors += source.successors;
  }
  return {};
}

void OwnedEdges::keep_sources(u32 sources) {
  const StateIndex* at = indexes_.data();
  for (u32 i = 0; i < sources; ++i) {
    const Source& source = source_[i];
    const bool deeper = source.level != entry_level_;
    u32* const head = entries_.data() + used_;
    u32* const first = head + (deeper ? 2 : 1);
    XMC_CHECK(used_ + 2 + source.successors <= entries_.size());
    std::copy_n(at, source.successors, first);
    std::sort(first, first + source.successors);
    const u32 distinct = static_cast<u32>(std::unique(first, first + source.successors) - first);
    *head = distinct << 2 | (deeper ? kDeeperBit : 0) | (source.accepting ? kAcceptingBit : 0);
    if (deeper) head[1] = static_cast<u32>(source.level);
    entry_level_ = source.level;
    used_ += (deeper ? 2u : 1u) + distinct;
    at += source.successors;
  }
}

Status OwnedEdges::ask_for_new(u32 from) {
  Word item[1 + limits::kStateWords];
  for (u32 i = from; i < wanted_.size(); ++i) {
    item[0] = u64{numbers_.me()} << 32 | i;
    wanted_.load(i, item + 1);
    const u32 owner = product_.owners->owner_of(item + 1);
    ++sent_[owner];
    XMC_CHECK(sent_[owner] <= most_);
    XMC_TRY(owner == numbers_.me() ? take_requests(item, 1) : requests_.send(owner, item));
  }
  return {};
}

Status OwnedEdges::take_requests(const Word* items, u32 count) {
  for (u32 i = 0; i < count; ++i, items += 1 + words_) {
    StateIndex state = kNone;
    XMC_CHECK(requested_ < request_.size());
    XMC_CHECK(asked_.insert(items + 1, 1, &state) == 1);
    request_[static_cast<std::size_t>(requested_++)] = {static_cast<u32>(items[0] >> 32),
                                                        static_cast<u32>(items[0]), state};
  }
  return {};
}

// --- Answers ----------------------------------------------------------------------------------

Status OwnedEdges::resolve(u64 level) {
  const PhaseClock::Scope scope(product_.search->clock, Phase::detection);
  u64 missing = asked_.size();
  std::fill_n(positions_.data(), asked_.size(), kNoPosition);
  if (missing == 0) return {};
  XMC_TRY(queue_.look_for(asked_, level));
  while (missing > 0) {
    XMC_TRY(queue_.read_slot([&](StateIndex state, u64 position) {
      missing -= positions_[state] == kNoPosition ? 1u : 0u;
      positions_[state] = position;
    }));
    XMC_TRY(poll_(level_, missing));
  }
  return {};
}

Status OwnedEdges::answer() {
  for (u64 i = 0; i < requested_; ++i) {
    const Request& request = request_[static_cast<std::size_t>(i)];
    const u64 name = numbers_.name_for(request.from, positions_[request.state]);
    const Word item[] = {request.index, name};
    XMC_TRY(request.from == numbers_.me() ? take_answers(item, 1)
                                          : answers_.send(request.from, item));
    if (i % Search::kCollect == 0) XMC_TRY(answers_.take_what_came());
  }
  return {};
}

Status OwnedEdges::take_answers(const Word* items, u32 count) {
  for (u32 i = 0; i < count; ++i, items += 2) {
    XMC_CHECK(items[0] < wanted_.size());
    names_[static_cast<std::size_t>(items[0])] = items[1];
  }
  return {};
}

Status OwnedEdges::write_records() {
  u64* const targets = product_.search->buffer;
  u64 level = block_level_;
  for (std::size_t at = 0; at < used_;) {
    const u32 head = entries_[at++];
    const u32 count = head >> 2;
    if ((head & kDeeperBit) != 0) level = entries_[at++];
    for (u32 k = 0; k < count; ++k) targets[k] = names_[entries_[at + k]];
    std::sort(targets, targets + count);
    XMC_TRY(edges_->append(level, (head & kAcceptingBit) != 0, {targets, count}));
    at += count;
  }
  return {};
}

}  // namespace xmc
