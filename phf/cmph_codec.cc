// CMPH's CHD (Belazzougui, Botelho, Dietzfelbinger: "Hash, Displace, and Compress", 2009) as a page
// codec, with buckets of 4 and 1% more slots than keys: 2.43 bits per key for pages of 2900 keys,
// plus some 100 bytes. The packed form is CMPH's own.
//
// That form has 32-bit words at odd addresses, which CMPH loads as they are. ARM cores before
// version 6 turn such words round silently, so that this codec is not offered there.
#include "phf/page_codec.h"

#if defined(XMC_HAVE_CMPH) && (!defined(__arm__) || defined(__ARM_FEATURE_UNALIGNED))
#define XMC_PHF_CHD 1
#endif

#ifdef XMC_PHF_CHD

#include <cmph.h>

#include <algorithm>
#include <bit>

#include "phf/cmph_heap.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc::phf {

namespace {

static_assert(std::endian::native == std::endian::little, "keys are hashed as they lie in memory");

constexpr u32 kBucketKeys = 4;

// Slots are a prime above keys / load. When all free slots are among the first two, CMPH's
// compressed_rank builds a select structure over nothing and does not come back: with three free
// slots that cannot be. One key has no function at all: CMPH would leave two.
double load_for(u32 keys) { return std::min(0.99, keys / (keys + 3.0)); }

// Measured: 36 allocations and 103 KB for 2900 keys. Each attempt that fails takes some more.
u64 scratch_bytes(u32 keys) { return (u64{16} << 10) + u64{keys} * 64; }

// A typical size; a function that turns out larger costs the page a few keys.
u32 function_bytes(u32 keys) {
  return keys <= 1 ? 0 : 112 + static_cast<u32>(u64{keys} * 225 / 800);
}

struct Keys {
  std::span<const u64> keys;
  std::size_t at = 0;
};

int read_key(void* data, char** key, cmph_uint32* bytes) {
  Keys& keys = *static_cast<Keys*>(data);
  // CMPH does not write through this pointer.
  *key = reinterpret_cast<char*>(const_cast<u64*>(&keys.keys[keys.at]));
  *bytes = sizeof(u64);
  if (++keys.at == keys.keys.size()) keys.at = 0;
  return sizeof(u64);
}
void dispose_key(void*, char*, cmph_uint32) {}
void rewind_keys(void* data) { static_cast<Keys*>(data)->at = 0; }

struct Call {
  std::span<const u64> keys;
  std::span<u8> out;
  u32 bytes = kNone;
};

void build_packed(void* context) {
  Call& call = *static_cast<Call*>(context);
  Keys keys{call.keys};
  cmph_io_adapter_t adapter = {};
  adapter.data = &keys;
  adapter.nkeys = static_cast<cmph_uint32>(call.keys.size());
  adapter.read = read_key;
  adapter.dispose = dispose_key;
  adapter.rewind = rewind_keys;
  cmph_config_t* const config = cmph_config_new(&adapter);
  cmph_config_set_algo(config, CMPH_CHD);
  cmph_config_set_graphsize(config, load_for(adapter.nkeys));
  cmph_config_set_b(config, kBucketKeys);
  cmph_t* const function = cmph_new(config);
  if (function == nullptr) return;
  const u32 bytes = cmph_packed_size(function);
  if (bytes == 0 || bytes > call.out.size()) return;
  cmph_pack(function, call.out.data());
  call.bytes = bytes;
}

u32 build(std::span<const u64> keys, u32 seed, std::span<u8> out, std::span<u8> scratch) {
  if (keys.size() <= 1) return 0;
  Call call{keys, out};
  return with_cmph_heap(scratch, seed, build_packed, &call) ? call.bytes : kNone;
}

// CMPH believes its bytes; the page's checksum has to do.
bool plausible(std::span<const u8> function, u32 keys) { return function.empty() == (keys <= 1); }

u32 slot(std::span<const u8> function, u32 keys, u32, u64 key) {
  if (keys == 1) return 0;
  // Only reads, whatever its type says.
  void* const packed = const_cast<u8*>(function.data());
  return cmph_search_packed(packed, reinterpret_cast<const char*>(&key), sizeof key);
}

constexpr CodecCalls kChdCalls = {function_bytes, scratch_bytes, build, plausible, slot};

}  // namespace

const CodecCalls* chd_calls() { return &kChdCalls; }

}  // namespace xmc::phf

#else

namespace xmc::phf {

const CodecCalls* chd_calls() { return nullptr; }

}  // namespace xmc::phf

#endif
