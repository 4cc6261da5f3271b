// The pilot codec, after PTHash (Pibiri, Trani: "PTHash: Revisiting FCH Minimal Perfect Hashing",
// 2021) and PtrHash (Groot Koerkamp: "PtrHash: Minimal Perfect Hashing at RAM Throughput", 2025).
//
// Keys fall into buckets of 3.2 on average, few of them large and many small. Each bucket has a
// pilot of 8 bits; a key's slot is a hash of key and pilot. Buckets are placed in order of size.
// One that no pilot places without a clash takes the pilot that costs least and evicts the buckets
// in its way, which then look for new pilots. There are 1% more slots than keys; a key in a slot
// beyond the number of keys is sent to one of the holes below it, so that the function is minimal.
//
//   function = pilots (1 byte each), holes ((slots - keys) fields of bit_width(keys - 1) bits)
//
// 2.50 bits per key for pilots and about 0.13 for holes.
#include <algorithm>

#include "phf/bits.h"
#include "phf/hash_math.h"
#include "phf/page_codec.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc::phf {

namespace {

constexpr u32 kPilots = 256;
// Buckets that are recently placed are not evicted at once: two that fight for a slot would
// otherwise do so for ever.
constexpr u32 kRecent = 8;
constexpr u16 kFree = 0xFFFF;
constexpr u16 kEnd = 0xFFFF;

struct Shape {
  explicit Shape(u32 n)
      : keys(n),
        slots(n + (n + 99) / 100),
        buckets(n * 10 / 32 + 1),
        hole_bits(n == 0 ? 0 : bits_for(n - 1)) {}
  u32 bytes() const {
    return keys == 0 ? 0 : buckets + static_cast<u32>(divide_up(u64{slots - keys} * hole_bits, 8));
  }
  u32 keys;
  u32 slots;
  u32 buckets;
  u32 hole_bits;
};

struct Place {
  u32 bucket;
  u32 rest;  // the part of the hash that the slot depends on
};

// The share of buckets below x of the range is x^2 (1 + x) / 2 of all, as in PtrHash: the first
// bucket of 3000 keys has 130 of them, the last half of the buckets one or two each.
Place place_of(u64 key, u32 seed, u32 buckets) {
  const u64 z = mix(key + u64{seed} * 0x9e3779b97f4a7c15);
  const u64 x = z >> 32;
  const u64 square = x * x >> 32;
  const u64 cubic = (square >> 1) + (square * x >> 33);
  const u64 y = (cubic * 255 + x) >> 8;
  return {static_cast<u32>(y * buckets >> 32), static_cast<u32>(z)};
}

u32 slot_of(u32 rest, u32 pilot, u32 slots) {
  const u32 v = (rest ^ pilot * 0x9e3779b1u) * 0x85ebca6bu;
  return static_cast<u32>(u64{v ^ v >> 15} * slots >> 32);
}

u32 pilot_bytes(u32 keys) { return Shape(keys).bytes(); }

// One build. All arrays lie in the scratch.
class Placement {
 public:
  Placement(std::span<const u64> keys, u32 seed, std::span<u8> scratch)
      : shape_(static_cast<u32>(keys.size())), free_(scratch) {
    take(rests_, shape_.keys);
    take(first_, shape_.buckets + 1);
    take(next_, shape_.buckets);
    take(owner_, shape_.slots);
    take(pilots_, shape_.buckets);
    group(keys, seed);
  }
  static u64 scratch_bytes(u32 keys) {
    const Shape shape(keys);
    return u64{shape.keys} * 4 + u64{shape.buckets + 1} * 4 + u64{shape.buckets} * 3 +
           u64{shape.slots} * 2 + 5 * 16;
  }

  bool place_all();
  void write(std::span<u8> out) const;

 private:
  static constexpr u32 kMostBucket = 511;  // 16,384 keys make one of 266 on average

  template <class T>
  void take(std::span<T>& array, u32 count) {
    XMC_CHECK(free_.size() >= round_up(u64{count} * sizeof(T), 16));
    array = {reinterpret_cast<T*>(free_.data()), count};
    free_ = free_.subspan(static_cast<std::size_t>(round_up(u64{count} * sizeof(T), 16)));
  }
  u32 size_of(u32 bucket) const { return first_[bucket + 1] - first_[bucket]; }
  std::span<const u32> rests_of(u32 bucket) const {
    return std::span<const u32>(rests_).subspan(first_[bucket], size_of(bucket));
  }
  void group(std::span<const u64> keys, u32 seed);
  void push(u32 bucket) {
    next_[bucket] = heads_[size_of(bucket)];
    heads_[size_of(bucket)] = static_cast<u16>(bucket);
    largest_ = std::max(largest_, size_of(bucket));
  }
  u32 pop();
  bool inner_clash(std::span<const u32> rests, u32 pilot) const;
  bool recent(u32 bucket) const {
    return std::find(recent_, recent_ + kRecent, bucket) != recent_ + kRecent;
  }
  bool try_pilot(u32 bucket, u32 pilot);
  u32 cheapest_pilot(u32 bucket);
  u64 eviction_cost(std::span<const u32> rests, u32 pilot, u64 limit) const;
  void evict(u32 bucket);
  bool settle(u32 bucket);

  Shape shape_;
  std::span<u8> free_;
  std::span<u32> rests_;  // of all keys, by bucket
  std::span<u32> first_;  // where each bucket's begin
  std::span<u16> next_;   // waiting buckets of one size as a list
  std::span<u16> owner_;  // the bucket in each slot
  std::span<u8> pilots_;
  u16 heads_[kMostBucket + 1];
  u32 largest_ = 0;
  u32 recent_[kRecent];
  u32 recent_at_ = 0;
  u32 start_ = 0;  // where the search for a pilot begins when all of them clash
  bool possible_ = true;
};

void Placement::group(std::span<const u64> keys, u32 seed) {
  std::fill(first_.begin(), first_.end(), 0);
  std::fill(owner_.begin(), owner_.end(), kFree);
  std::fill(heads_, heads_ + kMostBucket + 1, kEnd);
  std::fill(recent_, recent_ + kRecent, kNone);
  for (const u64 key : keys) ++first_[place_of(key, seed, shape_.buckets).bucket + 1];
  for (u32 b = 0; b < shape_.buckets; ++b) {
    if (first_[b + 1] > kMostBucket) possible_ = false;
    first_[b + 1] += first_[b];
  }
  // Each bucket is filled from its end; what is left there is its beginning.
  for (const u64 key : keys) {
    const Place place = place_of(key, seed, shape_.buckets);
    rests_[--first_[place.bucket + 1]] = place.rest;
  }
  for (u32 b = 0; b < shape_.buckets; ++b) first_[b] = first_[b + 1];
  first_[shape_.buckets] = shape_.keys;
}

u32 Placement::pop() {
  while (largest_ > 0 && heads_[largest_] == kEnd) --largest_;
  if (largest_ == 0) return kNone;
  const u32 bucket = heads_[largest_];
  heads_[largest_] = next_[bucket];
  return bucket;
}

bool Placement::inner_clash(std::span<const u32> rests, u32 pilot) const {
  for (std::size_t i = 1; i < rests.size(); ++i) {
    const u32 slot = slot_of(rests[i], pilot, shape_.slots);
    for (std::size_t j = 0; j < i; ++j) {
      if (slot_of(rests[j], pilot, shape_.slots) == slot) return true;
    }
  }
  return false;
}

// Takes the slots of a bucket if all of them are free. Most are not, which is seen without a branch
// per key; that two keys of the bucket clash is seen when the second finds the first.
bool Placement::try_pilot(u32 bucket, u32 pilot) {
  const std::span<const u32> rests = rests_of(bucket);
  bool free = true;
  for (const u32 rest : rests) free &= owner_[slot_of(rest, pilot, shape_.slots)] == kFree;
  if (!free) return false;
  for (std::size_t i = 0; i < rests.size(); ++i) {
    u16& owner = owner_[slot_of(rests[i], pilot, shape_.slots)];
    if (owner != kFree) {
      while (i > 0) owner_[slot_of(rests[--i], pilot, shape_.slots)] = kFree;
      return false;
    }
    owner = static_cast<u16>(bucket);
  }
  return true;
}

// The sum of the squares of the sizes of the buckets in the way, as in PtrHash; a bucket that is in
// the way twice counts twice. `limit` and above need not be exact.
u64 Placement::eviction_cost(std::span<const u32> rests, u32 pilot, u64 limit) const {
  u64 cost = 0;
  for (const u32 rest : rests) {
    const u16 owner = owner_[slot_of(rest, pilot, shape_.slots)];
    if (owner == kFree) continue;
    if (recent(owner)) return limit;
    cost += u64{size_of(owner)} * size_of(owner);
    if (cost >= limit) return limit;
  }
  return inner_clash(rests, pilot) ? limit : cost;
}

void Placement::evict(u32 bucket) {
  for (const u32 rest : rests_of(bucket)) {
    owner_[slot_of(rest, pilots_[bucket], shape_.slots)] = kFree;
  }
  push(bucket);
}

// The pilot whose slots are given up most cheaply; kNone if two keys of the bucket always clash.
u32 Placement::cheapest_pilot(u32 bucket) {
  u64 best = ~u64{0};
  u32 pilot = kNone;
  // From another pilot each time, or the same few buckets evict each other in turn.
  start_ = start_ * 5 + 77;
  for (u32 i = 0; i < kPilots; ++i) {
    const u32 candidate = (start_ + i) % kPilots;
    const u64 cost = eviction_cost(rests_of(bucket), candidate, best);
    if (cost < best) best = cost, pilot = candidate;
  }
  return pilot;
}

bool Placement::settle(u32 bucket) {
  u32 pilot = 0;
  while (pilot < kPilots && !try_pilot(bucket, pilot)) ++pilot;
  if (pilot == kPilots) {
    pilot = cheapest_pilot(bucket);
    if (pilot == kNone) return false;
    for (const u32 rest : rests_of(bucket)) {
      const u16 owner = owner_[slot_of(rest, pilot, shape_.slots)];
      if (owner != kFree) evict(owner);
    }
    XMC_CHECK(try_pilot(bucket, pilot));
  }
  pilots_[bucket] = static_cast<u8>(pilot);
  recent_[recent_at_++ % kRecent] = bucket;
  return true;
}

bool Placement::place_all() {
  if (!possible_) return false;
  for (u32 b = 0; b < shape_.buckets; ++b) {
    pilots_[b] = 0;
    if (size_of(b) > 0) push(b);
  }
  // A good seed needs about one settlement per bucket; one that fights this long is given up.
  const u32 most = 10 * shape_.buckets + 1000;
  for (u32 settled = 0; settled < most; ++settled) {
    const u32 bucket = pop();
    if (bucket == kNone) return true;
    if (!settle(bucket)) return false;
  }
  return false;
}

void Placement::write(std::span<u8> out) const {
  copy(out, std::span<const u8>(pilots_));
  const std::span<u8> holes = out.subspan(shape_.buckets);
  u32 hole = 0;
  for (u32 slot = shape_.keys; slot < shape_.slots; ++slot) {
    if (owner_[slot] == kFree) continue;
    while (owner_[hole] != kFree) ++hole;
    write_bits(holes, (slot - shape_.keys) * shape_.hole_bits, shape_.hole_bits, hole++);
  }
}

u32 build(std::span<const u64> keys, u32 seed, std::span<u8> out, std::span<u8> scratch) {
  XMC_CHECK(keys.size() <= kPageKeys);
  const u32 bytes = pilot_bytes(static_cast<u32>(keys.size()));
  if (bytes > out.size()) return kNone;
  if (bytes == 0) return 0;
  Placement placement(keys, seed, scratch);
  if (!placement.place_all()) return kNone;
  placement.write(out.first(bytes));
  return bytes;
}

bool plausible(std::span<const u8> function, u32 keys) {
  return function.size() == pilot_bytes(keys);
}

u32 slot(std::span<const u8> function, u32 keys, u32 seed, u64 key) {
  const Shape shape(keys);
  const Place place = place_of(key, seed, shape.buckets);
  const u32 slot = slot_of(place.rest, function[place.bucket], shape.slots);
  if (slot < keys) return slot;
  return read_bits(function.subspan(shape.buckets), (slot - keys) * shape.hole_bits,
                   shape.hole_bits);
}

}  // namespace

const CodecCalls kPilotCalls = {pilot_bytes, Placement::scratch_bytes, build, plausible, slot};

}  // namespace xmc::phf
