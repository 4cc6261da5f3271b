#include "engine/cycles/edges/edge_builder.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// Of the successors of a block that may be far: one in so many.
constexpr u64 kFewMissing = 8;

// So many bytes at the end of the memory, at an address for devices.
std::span<u8> aligned_end(std::span<u8> memory, std::size_t bytes) {
  u8* const at = memory.data() + memory.size() - bytes - kPageBytes;
  const u64 address = reinterpret_cast<std::uintptr_t>(at);
  return {at + (round_up(address, kPageBytes) - address), bytes};
}

StateTable::Shape shape_of(const Model& model) {
  return {model.state_words, std::max(model.state_bytes, 1u), false};
}

u64 index_bytes(const Model& model) {
  return round_up(u64{Search::buffer_states_for(model)} * sizeof(StateIndex), kLineBytes);
}

// Successors of one state that there is always room for. What is proved of a generator are
// thousands that no state has; one that has more than fit is told when it is met.
u64 sure_successors(const Model& model) { return std::min(model.max_successors, 1024u); }

u64 least_table(const Model& model, u64 successors) {
  return round_up(StateTable::minimum_bytes(shape_of(model)), kLineBytes) +
         successors * (8 * model.state_words + 8);
}

// An entry of the block: a source, then its successors by their local numbers.
constexpr u32 kAcceptingBit = 1;
constexpr u32 kDeeperBit = 2;

}  // namespace

u64 EdgeBuilder::minimum_bytes(const Model& model) {
  return bytes_for(model, sure_successors(model));
}

u64 EdgeBuilder::bytes_for(const Model& model, u64 successors) {
  const u64 rest =
      2 * round_up(least_table(model, successors), kLineBytes) + successors * 16 + 4 * kLineBytes;
  // The filter gets no more than one part in kFilterShare of all, or the least one.
  return index_bytes(model) + rest + QueueNumbers::most_filter_beside(rest) + kLineBytes;
}

Status EdgeBuilder::too_many_successors(u32 successors) const {
  const u64 needed = bytes_for(product_.search->model, successors);
  return Status::fail(Code::budget,
                      "a state has %u successors, whose edges take %llu bytes to write, and %llu "
                      "are left; a --ram that is larger by the difference is needed to get past "
                      "this point",
                      successors, wide(needed), wide(std::min(given_bytes_, needed - 1)));
}

void EdgeBuilder::start(const Product& product, EdgeFile& edges, std::span<u8> memory,
                        const WorkPoll& poll) {
  const Model& model = product.search->model;
  XMC_CHECK(memory.size() >= minimum_bytes(model));
  product_ = product;
  edges_ = &edges;
  poll_ = poll;
  given_bytes_ = memory.size();
  sure_ = model.max_successors;
  const u64 least = sure_successors(model);
  while (sure_ > least && bytes_for(model, sure_) > given_bytes_) {
    sure_ = std::max(least, sure_ / 8 * 7);
  }
  const std::size_t front = static_cast<std::size_t>(index_bytes(model));
  indexes_ = {reinterpret_cast<StateIndex*>(memory.data()), Search::buffer_states_for(model)};
  memory_ = memory.subspan(front);
  const std::size_t filter = static_cast<std::size_t>(QueueNumbers::filter_bytes(memory_.size()));
  queue_.start(product, memory_.first(filter));
  memory_ = memory_.subspan(filter);
  // Where a block may be a large part of the product, nothing is worth waiting for.
  const u64 block = memory.size() / (model.state_bytes + 2 * sizeof(u32));
  const bool may_wait = product.states > limits_.many_left * block;
  const std::size_t far = static_cast<std::size_t>(
      may_wait ? FarEdges::share_of(memory.size(), limits_.least_memory) : 0);
  far_memory_ = far == 0 ? std::span<u8>() : aligned_end(memory_, far);
  memory_ = memory_.first(memory_.size() - (far == 0 ? 0 : far + std::size_t{kPageBytes}));
  table_bytes_ = std::max(memory_.size() / 2, static_cast<std::size_t>(least_table(model, sure_)));
  figures_ = {};
}

Status EdgeBuilder::build(u64 end) {
  XMC_CHECK(end <= product_.expanded);
  XMC_CHECK(product_.expanded <= product_.states);
  number_bytes_ = product_.states < ~u32{0} ? 4 : 8;
  sources_.start(*product_.queue, product_.read_buffer);
  queue_.begin();
  XMC_TRY(far_.start(product_, far_memory_, number_bytes_));
  const Status status = build_blocks(end);
  const Status closed = far_.close();
  return status.ok() ? closed : status;
}

Status EdgeBuilder::build_blocks(u64 end) {
  const LongWork::Scope scope(poll_.work(), "writing edges");
  next_ = done();
  if (next_ < end) XMC_TRY(sources_.seek_key(next_));
  while (done() < end) {
    XMC_TRY(fill_block(end));
    XMC_TRY(resolve());
    if (!far_.fits(block_.last_level)) XMC_TRY(settle_far());
    XMC_TRY(write_records());
    // A block may leave an eighth of its successors behind.
    const bool room = !far_.on() || far_.has_room(u64{table_.size()} / kFewMissing + 1);
    if (!room) XMC_TRY(settle_far());
  }
  return settle_far();
}

// Expands sources until the memory is full.
Status EdgeBuilder::fill_block(u64 end) {
  const PhaseClock::Scope scope(product_.search->clock, Phase::generation);
  const Model& model = product_.search->model;
  const std::size_t table = static_cast<std::size_t>(round_down(table_bytes_, kLineBytes));
  table_.init(memory_.first(table), shape_of(model));
  rest_ = memory_.subspan(table);
  block_.used = block_.sources = 0;
  next_ = done();
  for (bool full = false; !full && next_ < end;) {
    u32 sources = 0;
    u32 successors = 0;
    XMC_TRY(collect(end, sources, successors));
    // Whatever is in the table needs room for its number.
    const u64 taken = block_.used * sizeof(u32) + kLineBytes + u64{table_.size()} * number_bytes_;
    const u64 room = taken < rest_.size() ? (rest_.size() - taken) / number_bytes_ : 0;
    const u32 inserted =
        table_.insert(product_.search->buffer, static_cast<u32>(std::min<u64>(successors, room)),
                      indexes_.data());
    const u32 kept = keep_sources(sources, inserted);
    next_ += kept;
    full = kept < sources;
    if (full && block_.sources == 0) {
      return too_many_successors(source_[0].successors);
    }
    if (full) XMC_TRY(sources_.seek_key(next_));
    poll_.set(next_, end);
    XMC_TRY(poll_(level_, end - next_));
  }
  ++figures_.blocks;
  return {};
}

// Reads and expands some sources; their successors of the same class are in the search's buffer.
Status EdgeBuilder::collect(u64 end, u32& sources, u32& successors) {
  Search& search = *product_.search;
  const u32 words = search.model.state_words;
  level_ = block_.sources == 0 ? done_level() : block_.last_level;
  Word from[limits::kStateWords];
  while (sources < kSources && next_ + sources < end && successors < Search::kCollect) {
    XMC_LET(const bool more, sources_.next(from));
    XMC_CHECK(more);
    XMC_DASSERT(sources_.index() == next_ + sources);
    Source& source = source_[sources++];
    source = {0, false, sources_.level() > level_};
    XMC_CHECK(sources_.level() <= level_ + 1);
    level_ = sources_.level();
    const u32 own = class_of(from);
    if (own == 0) continue;
    const Expansion expansion = search.expand_state(from, successors);
    ++figures_.expanded;
    source.accepting = (expansion.flags & kAccepting) != 0;
    for (u32 i = 0; i < expansion.count; ++i) {
      const Word* const target = search.buffer_at(successors + i);
      if (class_of(target) != own) continue;
      if (source.successors < i) {
        std::copy_n(target, words, search.buffer_at(successors + source.successors));
      }
      ++source.successors;
    }
    successors += source.successors;
  }
  return {};
}

// Takes over the sources whose successors are in the table, as far as there is room for their edges
// and for the numbers of all successors.
u32 EdgeBuilder::keep_sources(u32 sources, u32 inserted) {
  u32* const entries = reinterpret_cast<u32*>(rest_.data());
  u32 at = 0;
  for (u32 i = 0; i < sources; ++i) {
    const Source& source = source_[i];
    const u64 needed = (block_.used + 1 + source.successors) * sizeof(u32) + kLineBytes +
                       u64{table_.size()} * number_bytes_;
    if (at + source.successors > inserted || needed > rest_.size()) return i;
    u32* const first = entries + block_.used + 1;
    std::copy_n(indexes_.data() + at, source.successors, first);
    std::sort(first, first + source.successors);
    const u32 distinct = static_cast<u32>(std::unique(first, first + source.successors) - first);
    entries[block_.used] =
        distinct << 2 | (source.deeper ? kDeeperBit : 0) | (source.accepting ? kAcceptingBit : 0);
    block_.used += 1 + distinct;
    at += source.successors;
    if (source.deeper) ++block_.last_level;
    if (block_.sources++ == 0) {
      block_.last_level = done() == 0 ? 0 : done_level() + (source.deeper ? 1 : 0);
      block_.first_level = block_.last_level;
    }
  }
  return sources;
}

// --- Numbers ----------------------------------------------------------------------------------

void EdgeBuilder::set_number(StateIndex local, u64 number) {
  u8* const at = rest_.data() + rest_.size() - (u64{local} + 1) * number_bytes_;
  if (number_bytes_ == 4) {
    store_le<u32>(at, static_cast<u32>(number));
  } else {
    store_le<u64>(at, number);
  }
}

u64 EdgeBuilder::number(StateIndex local) const {
  const u8* const at = rest_.data() + rest_.size() - (u64{local} + 1) * number_bytes_;
  return number_bytes_ == 4 ? load_le<u32>(at) : load_le<u64>(at);
}

Status EdgeBuilder::resolve() {
  const PhaseClock::Scope scope(product_.search->clock, Phase::detection);
  u64 missing = table_.size();
  const u64 bytes = missing * number_bytes_;
  const std::span<u8> numbers = rest_.last(static_cast<std::size_t>(bytes));
  std::fill(numbers.begin(), numbers.end(), u8{0xFF});
  if (missing == 0) return {};
  // The table may have successors of sources that are not kept, perhaps of the next level.
  XMC_TRY(queue_.look_for(table_, level_ + 1));
  block_.all_found = true;
  while (missing > 0) {
    u64 found = 0;
    XMC_TRY(queue_.read_slot([&](StateIndex local, u64 number) {
      found += has_number(local) ? 0u : 1u;  // a queue may have it several times
      set_number(local, number);
    }));
    missing -= found;
    figures_.looked_up += queue_.read();
    if (missing > 0 && pays_to_wait(queue_.states_left()) &&
        too_far(queue_.slots_left(), found, queue_.read(), missing)) {
      block_.all_found = false;
      return {};
    }
    XMC_TRY(poll_(block_.last_level, missing));
  }
  return {};
}

bool EdgeBuilder::too_far(u64 slot, u64 found, u64 looked, u64 missing) const {
  return far_.on() && slot > limits_.much_left && found * limits_.few_found < looked &&
         missing * kFewMissing <= table_.size() && far_.has_room(missing) &&
         block_.last_level - block_.first_level < FarEdges::kLevels;
}

bool EdgeBuilder::pays_to_wait(u64 left) const {
  return far_.on() && (far_.states() > 0 || left >= limits_.many_left * block_.sources);
}

// Looks for the far successors of all blocks that wait for them.
Status EdgeBuilder::settle_far() {
  if (!far_.on() || far_.states() == 0) return {};
  const PhaseClock::Scope scope(product_.search->clock, Phase::detection);
  u64 missing = far_.table().size();
  XMC_TRY(queue_.look_for(far_.table(), far_.level() + 1));
  far_.forget_numbers();
  while (missing > 0) {
    XMC_TRY(queue_.read_slot([&](StateIndex far, u64 number) {
      missing -= far_.has_number(far) ? 0u : 1u;
      far_.set_number(far, number);
    }));
    figures_.looked_up += queue_.read();
    XMC_TRY(poll_(far_.level(), missing));
  }
  ++figures_.settled;
  return far_.settle(*edges_, product_.search->buffer);
}

// --- Records ----------------------------------------------------------------------------------

// The number of a successor, or what stands for it while it is not known.
u64 EdgeBuilder::target(StateIndex local) {
  const u64 found = number(local);
  if (block_.all_found || found != (number_bytes_ == 4 ? u64{~u32{0}} : ~u64{0})) return found;
  Word state[limits::kStateWords];
  table_.load(local, state);
  return far_.stand_in(state);
}

Status EdgeBuilder::write_records() {
  const u32* const entries = reinterpret_cast<const u32*>(rest_.data());
  u64* const targets = product_.search->buffer;
  const bool waits = !block_.all_found || (far_.on() && far_.states() > 0);
  u64 level = block_.first_level;
  u64 at = 0;
  for (u64 i = 0; i < block_.sources; ++i) {
    const u32 head = entries[at++];
    const u32 count = head >> 2;
    if (i > 0 && (head & kDeeperBit) != 0) ++level;
    for (u32 k = 0; k < count; ++k) targets[k] = target(entries[at + k]);
    std::sort(targets, targets + count);
    const bool accepting = (head & kAcceptingBit) != 0;
    const std::span<const u64> all(targets, count);
    XMC_TRY(waits ? far_.append(level, accepting, all) : edges_->append(level, accepting, all));
    at += count;
  }
  XMC_CHECK(at == block_.used);
  adapt();
  return {};
}

// The next block shares the memory as this one used it.
void EdgeBuilder::adapt() {
  const double table = static_cast<double>(table_.bytes_for(u64{table_.size()} + 64));
  const double rest = static_cast<double>(block_.used * sizeof(u32) +
                                          u64{table_.size()} * number_bytes_ + kLineBytes);
  const double share = table * 1.05 / (table * 1.05 + rest);
  const Model& model = product_.search->model;
  const u64 least = least_table(model, sure_);
  const u64 wanted = static_cast<u64>(static_cast<double>(memory_.size()) * share);
  table_bytes_ = std::clamp(wanted, least, std::max<u64>(least, memory_.size() * 7 / 8));
}

}  // namespace xmc
