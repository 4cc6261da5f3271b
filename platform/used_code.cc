#include "platform/used_code.h"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "platform/memory.h"
#include "xmc/bytes.h"

namespace xmc {

namespace {

// Of an entry of /proc/self/pagemap, which has one for each page.
constexpr u64 kPresent = u64{1} << 63;
constexpr u64 kOfFile = u64{1} << 61;

struct Dropping {
  CodeOf whose = CodeOf::libraries;
  int pagemap = -1;
  u32 objects = 0;  // seen so far; the program is the first
};

void drop_pages_at(u64 begin, u64 end) {
  if (begin == end) return;
  void* const at = reinterpret_cast<void*>(static_cast<std::uintptr_t>(begin));
  static_cast<void>(::madvise(at, static_cast<std::size_t>(end - begin), MADV_DONTNEED));
}

// Runs of pages that are those of the file.
void drop_segment(int pagemap, u64 begin, u64 end) {
  constexpr u64 kAtOnce = 256;
  const u64 page = page_bytes();
  u64 entries[kAtOnce];
  while (begin < end) {
    const u64 wanted = std::min((end - begin) / page, kAtOnce);
    const ssize_t got = ::pread(pagemap, entries, static_cast<std::size_t>(wanted * sizeof(u64)),
                                static_cast<off_t>(begin / page * sizeof(u64)));
    if (got != static_cast<ssize_t>(wanted * sizeof(u64))) return;
    u64 run = begin;  // that may go
    for (u64 i = 0; i < wanted; ++i, begin += page) {
      if ((entries[i] & kPresent) != 0 && (entries[i] & kOfFile) != 0) continue;
      drop_pages_at(run, begin);
      run = begin + page;
    }
    drop_pages_at(run, begin);
  }
}

int drop_object(struct dl_phdr_info* info, std::size_t, void* self) {
  Dropping& dropping = *static_cast<Dropping*>(self);
  const bool is_program = dropping.objects++ == 0;
  if (is_program != (dropping.whose == CodeOf::program)) return 0;
  const u64 page = page_bytes();
  for (u32 i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & (PF_X | PF_W)) != PF_X) continue;
    const u64 at = u64{info->dlpi_addr} + header.p_vaddr;
    drop_segment(dropping.pagemap, round_down(at, page), round_up(at + header.p_memsz, page));
  }
  return 0;
}

}  // namespace

void drop_used_code(CodeOf whose) {
  const int pagemap = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (pagemap < 0) return;
  Dropping dropping{whose, pagemap, 0};
  ::dl_iterate_phdr(&drop_object, &dropping);
  ::close(pagemap);
}

}  // namespace xmc
