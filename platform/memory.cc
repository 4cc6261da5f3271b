#include "platform/memory.h"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <string_view>

#include "xmc/bytes.h"

namespace xmc {
namespace {

// The value of a line "Name:   1234 kB" of /proc/self/status, in bytes. One line is in the first 4
// KiB.
u64 status_line_bytes(std::string_view name) {
  const int fd = ::open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char buffer[4096];
  std::size_t filled = 0;
  while (filled < sizeof buffer) {
    const ssize_t got = ::read(fd, buffer + filled, sizeof buffer - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    filled += static_cast<std::size_t>(got);
  }
  ::close(fd);

  const std::string_view text(buffer, filled);
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos) return 0;
  u64 kib = 0;
  for (std::size_t i = at + name.size(); i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] >= '0' && text[i] <= '9') kib = kib * 10 + static_cast<u64>(text[i] - '0');
  }
  return kib * 1024;
}

int add_segments(struct dl_phdr_info* info, std::size_t, void* total) {
  const u64 page = page_bytes();
  for (u32 i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    const u64 begin = round_down(header.p_vaddr, page);
    const u64 end = round_up(u64{header.p_vaddr} + header.p_memsz, page);
    *static_cast<u64*>(total) += end - begin;
  }
  return 0;
}

}  // namespace

Result<std::span<u8>> map_region(u64 bytes) {
  if (bytes == 0 || bytes > std::numeric_limits<std::size_t>::max() / 2) {
    return Status::fail(Code::budget, "cannot map %llu bytes in this address space", wide(bytes));
  }
  const std::size_t size = static_cast<std::size_t>(bytes);
  void* at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) {
    return Status::fail_os(Code::budget, errno, "cannot map %llu bytes of memory", wide(bytes));
  }
  return std::span<u8>(static_cast<u8*>(at), size);
}

void unmap_region(std::span<u8> region) {
  if (!region.empty()) ::munmap(region.data(), region.size());
}

void advise_huge(std::span<u8> region) {
#ifdef MADV_HUGEPAGE
  if (!region.empty()) static_cast<void>(::madvise(region.data(), region.size(), MADV_HUGEPAGE));
#else
  static_cast<void>(region);
#endif
}

void drop_pages(std::span<u8> region) {
  if (!region.empty()) static_cast<void>(::madvise(region.data(), region.size(), MADV_DONTNEED));
}

u64 peak_rss_bytes() { return status_line_bytes("VmHWM:"); }

u64 current_rss_bytes() { return status_line_bytes("VmRSS:"); }

u64 image_bytes() {
  u64 total = 0;
  ::dl_iterate_phdr(&add_segments, &total);
  return total;
}

// The executable is the first that is shown; a result that is not 0 ends it there.
u64 program_bytes() {
  u64 total = 0;
  ::dl_iterate_phdr(
      [](struct dl_phdr_info* info, std::size_t size, void* sum) {
        add_segments(info, size, sum);
        return 1;
      },
      &total);
  return total;
}

u64 page_bytes() {
  const long size = ::sysconf(_SC_PAGESIZE);
  return size > 0 ? static_cast<u64>(size) : 4096;
}

}  // namespace xmc
