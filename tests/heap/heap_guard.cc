// Proves that a run takes nothing from the heap once its arena is sealed.
//
// The linker's --wrap sends every call of the allocator, those inside libc included, to a
// function here, and Arena::seal as well, by its mangled name. The tool needs no change for it:
// the same objects are linked once more with this file. A call after the seal ends the process
// with status 97 and names the caller's address; the seal itself prints a line, so that a test
// sees that the guard was armed. From there on code that is cold in a search (platform/cold_code.h)
// cannot be called, either: that would be a fault.
#include <cstddef>
#include <cstdio>

#include <sys/mman.h>
#include <unistd.h>

#include "platform/cold_code.h"
#include "xmc/arena.h"

namespace {

bool sealed = false;
unsigned calls_before_seal = 0;

void note_call(const char* what, void* caller) {
  if (!sealed) {
    ++calls_before_seal;
    return;
  }
  char line[96];
  const int size = std::snprintf(line, sizeof line,
                                 "heap guard: %s after the seal, called from %p\n", what, caller);
  if (write(STDERR_FILENO, line, static_cast<std::size_t>(size)) < 0) _exit(98);
  _exit(97);
}

}  // namespace

extern "C" {

void* __real_malloc(std::size_t size);
void* __real_calloc(std::size_t count, std::size_t size);
void* __real_realloc(void* old, std::size_t size);
void __real_free(void* old);
void* __real_memalign(std::size_t alignment, std::size_t size);
void* __real_aligned_alloc(std::size_t alignment, std::size_t size);
int __real_posix_memalign(void** out, std::size_t alignment, std::size_t size);
void __real__ZN3xmc5Arena4sealEv(xmc::Arena* arena);

void* __wrap_malloc(std::size_t size);
void* __wrap_calloc(std::size_t count, std::size_t size);
void* __wrap_realloc(void* old, std::size_t size);
void __wrap_free(void* old);
void* __wrap_memalign(std::size_t alignment, std::size_t size);
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size);
int __wrap_posix_memalign(void** out, std::size_t alignment, std::size_t size);
void __wrap__ZN3xmc5Arena4sealEv(xmc::Arena* arena);

void* __wrap_malloc(std::size_t size) {
  note_call("malloc", __builtin_return_address(0));
  return __real_malloc(size);
}

void* __wrap_calloc(std::size_t count, std::size_t size) {
  note_call("calloc", __builtin_return_address(0));
  return __real_calloc(count, size);
}

void* __wrap_realloc(void* old, std::size_t size) {
  note_call("realloc", __builtin_return_address(0));
  return __real_realloc(old, size);
}

void __wrap_free(void* old) {
  if (old != nullptr) note_call("free", __builtin_return_address(0));
  __real_free(old);
}

void* __wrap_memalign(std::size_t alignment, std::size_t size) {
  note_call("memalign", __builtin_return_address(0));
  return __real_memalign(alignment, size);
}

void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
  note_call("aligned_alloc", __builtin_return_address(0));
  return __real_aligned_alloc(alignment, size);
}

int __wrap_posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  note_call("posix_memalign", __builtin_return_address(0));
  return __real_posix_memalign(out, alignment, size);
}

void __wrap__ZN3xmc5Arena4sealEv(xmc::Arena* arena) {
  __real__ZN3xmc5Arena4sealEv(arena);
  char line[96];
  const int size =
      std::snprintf(line, sizeof line, "heap guard: sealed after %u calls\n", calls_before_seal);
  if (write(STDERR_FILENO, line, static_cast<std::size_t>(size)) < 0) _exit(98);
  sealed = true;
  const std::span<xmc::u8> cold = xmc::cold_functions();
  if (!cold.empty() && mprotect(cold.data(), cold.size(), PROT_NONE) != 0) _exit(98);
}

}  // extern "C"
