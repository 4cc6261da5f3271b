// The perfect hash alone: builds it over N made-up keys in a file, inside a RAM budget, then asks
// it for every key. Run by phf.py; built with the tests, so that it does not rot.
//
//   phf_bench FOLDER KEYS RAM_BYTES [value_bits=8] [pilot|chd] [fingerprint_bits=0]
//   [page_bytes=4096]
//
// The key number i is the hash of i, its value 8 bits of another hash. All of them are asked in
// hash order, which takes an external sort of the queries (the builder's own sorter); a bitmap
// shows that the answers are each number below N once. Then come batches in random order as large
// as memory allows, single queries, and a build that is given one key twice.
//
// Prints one `name value` per line. Ends with 1 and a sentence if anything is wrong.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "phf/hash_math.h"
#include "phf/phf.h"
#include "platform/clock.h"
#include "platform/device_file.h"
#include "platform/memory.h"
#include "xmc/bytes.h"
#include "xmc/hash.h"

namespace xmc::phf {
namespace {

// Code, stack and the C library.
constexpr u64 kFixedBytes = 2 << 20;

[[noreturn]] void leave(std::string_view why) {
  std::fprintf(stderr, "phf_bench: %.*s\n", static_cast<int>(why.size()), why.data());
  std::exit(1);
}

void must(const Status& status) {
  if (!status.ok()) leave(status.message());
}

void say(const char* name, u64 value) {
  std::printf("%s %llu\n", name, static_cast<unsigned long long>(value));
  std::fflush(stdout);
}

struct Job {
  u64 keys = 0;
  PageShape shape;
  std::span<u8> memory;
  Device* pages = nullptr;
  Device* runs = nullptr;
};

u64 key_of(u64 number) {
  u8 bytes[8];
  store_le(bytes, number);
  return hash_bytes(bytes);
}

u32 value_of(const Job& job, u64 key) {
  const u32 bits = job.shape.value_bits;
  return bits == 0 ? 0 : static_cast<u32>(mix(key) >> (64 - bits));
}

// Numbers that come in about ascending order, each once. A window of bits moves along; what falls
// out of it has to be complete. A window of all numbers never moves.
class OnceEach {
 public:
  OnceEach(std::span<u64> words, u64 begin, u64 end)
      : words_(words), begin_(begin), next_(begin), end_(end) {
    fill_zero(words_);
  }
  void add(u64 number) {
    if (number < next_ || number >= end_) leave("an index is out of range, or came twice");
    while (number >= next_ + words_.size() * 64) retire(words_.size() / 2);
    u64& word = words_[(number - begin_) / 64 % words_.size()];
    const u64 bit = u64{1} << ((number - begin_) % 64);
    if ((word & bit) != 0) leave("an index came twice");
    word |= bit;
  }
  void finish() {
    while (next_ < end_) retire(1);
  }

 private:
  void retire(u64 count) {
    for (; count > 0 && next_ < end_; --count, next_ += 64) {
      u64& word = words_[(next_ - begin_) / 64 % words_.size()];
      const u64 wanted = end_ - next_ >= 64 ? ~u64{0} : (u64{1} << (end_ - next_)) - 1;
      if (word != wanted) leave("an index never came");
      word = 0;
    }
  }
  std::span<u64> words_;
  u64 begin_, next_, end_;
};

// The memory of a phase, cut into pieces.
struct Pieces {
  explicit Pieces(std::span<u8> memory) : free(memory) {}
  template <class T>
  std::span<T> take(u64 count) {
    const u64 bytes = round_up(count * sizeof(T), 4096);
    if (bytes > free.size()) leave("the RAM given is too small to ask for all keys");
    const std::span<u8> piece = free.first(static_cast<std::size_t>(bytes));
    free = free.subspan(piece.size());
    return {reinterpret_cast<T*>(piece.data()), static_cast<std::size_t>(count)};
  }
  std::span<u8> free;
};

void build(Job& job) {
  BuildConfig config;
  config.shape = job.shape;
  config.hash_seed = kDefaultSeed;
  Builder builder;
  const u64 start = monotonic_ns(), start_cpu = cpu_ns();
  must(builder.start(config, job.pages, job.runs, job.memory));
  for (u64 i = 0; i < job.keys; ++i) {
    const u64 key = key_of(i);
    must(builder.add(key, value_of(job, key)));
  }
  say("add_ns", monotonic_ns() - start);
  const Result<Outcome> outcome = builder.finish();
  must(outcome.status());
  if (outcome.value() != Outcome::built) leave("two keys have the same hash");
  say("build_ns", monotonic_ns() - start);
  say("build_cpu_ns", cpu_ns() - start_cpu);
  say("build_wait_ns", job.pages->counters().wait_ns + job.runs->counters().wait_ns);
  say("runs", builder.stats().runs);
  say("run_bytes", builder.stats().run_bytes);
  say("file_bytes", builder.stats().page_bytes);
  say("written_bytes",
      job.pages->counters().total().bytes_written + job.runs->counters().total().bytes_written);
  say("reseeds", builder.stats().reseeds);
  say("bumped_keys", builder.stats().bumped_keys);
  say("layers", builder.layout().layers);
  say("pinned_bytes", builder.layout().pinned_pages() * job.shape.page_bytes);
  say("planned_pinned_bytes", plan(job.shape, job.keys, 4096).pinned_bytes);
}

// Of the page file: the same on every target.
u64 digest(Job& job) {
  const std::span<u8> buffer = job.memory.first(64 << 10);
  u64 sum = 0;
  for (u64 at = 0, size = job.pages->size_bytes(); at < size; at += buffer.size()) {
    const std::size_t piece = static_cast<std::size_t>(std::min<u64>(buffer.size(), size - at));
    const ReadRequest request{at, buffer.first(piece)};
    must(job.pages->read({&request, 1}, Purpose::index));
    sum = hash_bytes(buffer.first(piece), sum);
  }
  return sum;
}

void answer(const Job& job, Reader& reader, std::span<Query> queries, OnceEach& first,
            OnceEach& later) {
  must(reader.find_batch(queries));
  const u64 border = reader.layout().layer[0].keys;
  for (const Query& query : queries) {
    if (query.value != value_of(job, query.key)) leave("a value is wrong");
    if (query.index < border) {
      first.add(query.index);
    } else {
      later.add(query.index);
    }
  }
}

// Every key, in hash order.
void ask_all(Job& job) {
  must(job.runs->truncate(0));
  Pieces pieces(job.memory);
  FileLayout layout;
  must(Reader::read_layout(job.pages, pieces.free, layout));
  const std::span<u8> reader_memory = pieces.take<u8>(Reader::least_bytes(layout));
  Reader reader;
  must(reader.open(job.pages, reader_memory));
  must(reader.measure_costs());
  say("cost_single", reader.costs().single);
  say("cost_next", reader.costs().next);
  const std::span<Query> queries = pieces.take<Query>(1 << 15);
  const u64 border = layout.layer[0].keys;
  OnceEach later(pieces.take<u64>((layout.keys - border) / 64 + 1), border, layout.keys);
  const u64 window = std::min<u64>(border / 64 + 1, pieces.free.size() / 2 / sizeof(u64));
  OnceEach first(pieces.take<u64>(window), 0, border);
  say("bitmap_bytes", window * sizeof(u64) + (layout.keys - border) / 8);
  const u64 start = monotonic_ns(), start_cpu = cpu_ns();
  RecordSorter sorter;
  sorter.start(pieces.free, job.runs, 0);
  for (u64 i = 0; i < job.keys; ++i) must(sorter.add(key_of(i), 0));
  must(sorter.finish());
  say("ask_sorted_ns", monotonic_ns() - start);
  Record record;
  std::size_t count = 0;
  while (sorter.next(record)) {
    queries[count++] = {record.hash, 0, 0, 0};
    if (count < queries.size()) continue;
    answer(job, reader, queries, first, later);
    count = 0;
  }
  must(sorter.status());
  answer(job, reader, queries.first(count), first, later);
  first.finish();
  later.finish();
  say("ask_ns", monotonic_ns() - start);
  say("ask_cpu_ns", cpu_ns() - start_cpu);
  say("ask_pages", reader.stats().pages_read);
  say("ask_requests", reader.stats().requests);
  say("ask_pinned", reader.stats().pinned_queries);
}

// Random keys, in batches of that size or one by one.
void ask_some(Job& job, const char* name, u64 batch, u64 total, u64 cache_bytes) {
  Pieces pieces(job.memory);
  FileLayout layout;
  must(Reader::read_layout(job.pages, pieces.free, layout));
  const std::span<u8> memory =
      pieces.take<u8>(Reader::least_bytes(layout) + round_up(cache_bytes, 4096));
  Reader reader;
  must(reader.open(job.pages, memory));
  must(reader.measure_costs());
  batch = std::min<u64>(batch, pieces.free.size() / sizeof(Query));
  const std::span<Query> queries = pieces.take<Query>(batch);
  const u64 start = monotonic_ns(), start_cpu = cpu_ns();
  u64 done = 0;
  for (u64 i = 0; done < total; done += batch) {
    for (Query& query : queries) query = {key_of(mix(++i) % job.keys), 0, 0, 0};
    must(reader.find_batch(queries));
    for (const Query& query : queries) {
      if (query.value != value_of(job, query.key)) leave("a value is wrong");
    }
  }
  std::printf("%s_batch %llu\n", name, static_cast<unsigned long long>(batch));
  std::printf("%s_queries %llu\n", name, static_cast<unsigned long long>(done));
  std::printf("%s_ns %llu\n", name, static_cast<unsigned long long>(monotonic_ns() - start));
  std::printf("%s_cpu_ns %llu\n", name, static_cast<unsigned long long>(cpu_ns() - start_cpu));
  std::printf("%s_pages %llu\n", name, static_cast<unsigned long long>(reader.stats().pages_read));
}

// Two keys with the same hash have to be found out.
void build_with_twin(Job& job) {
  must(job.runs->truncate(0));
  must(job.pages->truncate(0));
  BuildConfig config;
  config.shape = job.shape;
  Builder builder;
  must(builder.start(config, job.pages, job.runs, job.memory));
  const u64 keys = std::min<u64>(job.keys, 1'000'000);
  for (u64 i = 0; i < keys; ++i) must(builder.add(key_of(i), 0));
  must(builder.add(key_of(keys / 2), 0));
  const Result<Outcome> outcome = builder.finish();
  must(outcome.status());
  if (outcome.value() != Outcome::collision) leave("a key that came twice was not found out");
  say("twin_found", 1);
}

Device* create(FileFolder& folder, const char* name) {
  const Result<Device*> opened = folder.open(name, Folder::Open::create);
  must(opened.status());
  return opened.value();
}

void run(Job& job, const char* path, u64 ram) {
  FileFolder folder(*file_backend(IoBackend::automatic));
  must(folder.start(path));
  job.pages = create(folder, "phf_bench.pages");
  job.runs = create(folder, "phf_bench.runs");
  if (ram <= kFixedBytes + (1 << 20)) leave("at least 4 MiB of RAM are needed");
  const Result<std::span<u8>> mapped = map_region(ram - kFixedBytes);
  must(mapped.status());
  job.memory = mapped.value();
  must(check_shape(job.shape, 4096));
  say("keys", job.keys);
  say("capacity", job.shape.capacity());
  build(job);
  say("file_digest", digest(job));
  ask_all(job);
  ask_some(job, "large", 1 << 19, std::min<u64>(job.keys, 1 << 20), 0);
  ask_some(job, "small", 1 << 8, 1 << 14, 0);
  ask_some(job, "single", 1, 1 << 11, 0);
  build_with_twin(job);
  say("direct", folder.direct());
  say("peak_rss", peak_rss_bytes());
  for (Device* device : {job.pages, job.runs}) folder.close(device);
  must(folder.remove("phf_bench.pages"));
  must(folder.remove("phf_bench.runs"));
}

}  // namespace
}  // namespace xmc::phf

int main(int count, char** arguments) {
  using namespace xmc;
  if (count < 4) {
    std::fprintf(stderr,
                 "usage: phf_bench FOLDER KEYS RAM_BYTES [value_bits] [pilot|chd] "
                 "[fingerprint_bits] [page_bytes]\n");
    return 64;
  }
  const auto number = [&](int i, u64 otherwise) {
    return count > i ? static_cast<u64>(std::strtoull(arguments[i], nullptr, 10)) : otherwise;
  };
  phf::Job job;
  job.keys = number(2, 0);
  job.shape.value_bits = static_cast<u32>(number(4, 8));
  if (count > 5 && std::string_view(arguments[5]) == "chd") job.shape.codec = phf::Codec::chd;
  job.shape.fingerprint_bits = static_cast<u32>(number(6, 0));
  job.shape.page_bytes = static_cast<u32>(number(7, 4096));
  phf::run(job, arguments[1], number(3, 0));
  return 0;
}
