#include "phf/cmph_heap.h"

#include <csetjmp>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc::phf {

namespace {

// Each block has its size in front of it. Freeing the last one gives its bytes back; others wait
// for the end of the call. CMPH frees in about the order of a stack.
constexpr std::size_t kPrefix = 16;

struct Heap {
  u8* begin = nullptr;
  std::size_t size = 0;
  std::size_t used = 0;
  u64 peak = 0;
  u32 random = 0;
  bool open = false;
  std::jmp_buf way_out;
};
Heap heap;

[[noreturn]] void give_up() {
  XMC_CHECK(heap.open);
  std::longjmp(heap.way_out, 1);
}

std::size_t& size_of(void* block) {
  return *reinterpret_cast<std::size_t*>(static_cast<u8*>(block) - kPrefix);
}
bool is_last(void* block) {
  return static_cast<u8*>(block) + size_of(block) == heap.begin + heap.used;
}

// Always cleared: what CMPH leaves unset in its function must not depend on the past.
void* allocate(std::size_t bytes) {
  XMC_CHECK(heap.open);
  bytes = static_cast<std::size_t>(round_up(bytes == 0 ? 1 : bytes, 16));
  if (bytes > heap.size || heap.used + kPrefix > heap.size - bytes) give_up();
  u8* const block = heap.begin + heap.used + kPrefix;
  heap.used += kPrefix + bytes;
  if (heap.used > heap.peak) heap.peak = heap.used;
  size_of(block) = bytes;
  fill_zero(std::span<u8>(block, bytes));
  return block;
}

void release(void* block) {
  if (block != nullptr && is_last(block)) heap.used -= size_of(block) + kPrefix;
}

}  // namespace

bool with_cmph_heap(std::span<u8> region, u32 seed, void (*body)(void*), void* context) {
  XMC_CHECK(!heap.open);
  heap.begin = region.data();
  heap.size = region.size();
  heap.used = 0;
  heap.random = seed;
  heap.open = true;
  // Only C code without destructors lies between here and give_up().
  if (setjmp(heap.way_out) != 0) {
    heap.open = false;
    return false;
  }
  body(context);
  heap.open = false;
  return true;
}

u64 cmph_heap_peak() { return heap.peak; }

}  // namespace xmc::phf

// What CMPH's archive calls. None of these is named in a header: nobody else may.
extern "C" {

void* xmc_cmph_malloc(std::size_t bytes);
void* xmc_cmph_calloc(std::size_t count, std::size_t bytes);
void* xmc_cmph_realloc(void* block, std::size_t bytes);
void xmc_cmph_free(void* block);
int xmc_cmph_rand();
[[noreturn]] void xmc_cmph_exit(int code);
[[noreturn]] void xmc_cmph_assert_fail(const char* condition, const char* file, unsigned line,
                                       const char* function);

void* xmc_cmph_malloc(std::size_t bytes) { return xmc::phf::allocate(bytes); }

void* xmc_cmph_calloc(std::size_t count, std::size_t bytes) {
  if (bytes != 0 && count > SIZE_MAX / bytes) xmc::phf::give_up();
  return xmc::phf::allocate(count * bytes);
}

void* xmc_cmph_realloc(void* block, std::size_t bytes) {
  void* const fresh = xmc::phf::allocate(bytes);
  if (block == nullptr) return fresh;
  const std::size_t old = xmc::phf::size_of(block);
  xmc::copy(std::span<xmc::u8>(static_cast<xmc::u8*>(fresh), xmc::phf::size_of(fresh)),
            std::span<const xmc::u8>(static_cast<xmc::u8*>(block), old < bytes ? old : bytes));
  return fresh;
}

void xmc_cmph_free(void* block) { xmc::phf::release(block); }

// The generator of the C standard's example, 31 bits of it: the same on every system.
int xmc_cmph_rand() {
  xmc::u32& state = xmc::phf::heap.random;
  state = state * 1103515245u + 12345u;
  const xmc::u32 high = state >> 16;
  state = state * 1103515245u + 12345u;
  return static_cast<int>((high << 15 ^ state >> 16) & 0x7FFF'FFFFu);
}

void xmc_cmph_exit(int) { xmc::phf::give_up(); }

void xmc_cmph_assert_fail(const char*, const char*, unsigned, const char*) { xmc::phf::give_up(); }

}  // extern "C"
