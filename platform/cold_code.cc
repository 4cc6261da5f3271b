#include "platform/cold_code.h"

#include <sys/mman.h>

#include "platform/memory.h"
#include "xmc/bytes.h"

// Where cold_code.ld puts it; null without that script.
extern "C" {
[[gnu::weak]] extern xmc::u8 xmc_cold_begin[];
[[gnu::weak]] extern xmc::u8 xmc_cold_promela_end[];
[[gnu::weak]] extern xmc::u8 xmc_cold_murphi_end[];
[[gnu::weak]] extern xmc::u8 xmc_cold_functions_end[];
[[gnu::weak]] extern xmc::u8 xmc_cold_commands[];
[[gnu::weak]] extern xmc::u8 xmc_cold_end[];
[[gnu::weak]] extern xmc::u8 xmc_unwind_begin[];
[[gnu::weak]] extern xmc::u8 xmc_unwind_end[];
}

namespace xmc {

namespace {

std::span<u8> pages_between(const u8* first, const u8* last) {
  const u64 page = page_bytes();
  const u64 begin = round_up(reinterpret_cast<std::uintptr_t>(first), page);
  const u64 end = round_down(reinterpret_cast<std::uintptr_t>(last), page);
  if (end <= begin) return {};
  return {reinterpret_cast<u8*>(static_cast<std::uintptr_t>(begin)),
          static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::span<u8> cold_code() { return pages_between(xmc_cold_begin, xmc_cold_end); }

std::span<u8> cold_functions() { return pages_between(xmc_cold_begin, xmc_cold_functions_end); }

std::span<u8> code_of_language(std::string_view name) {
  if (name == "promela") return pages_between(xmc_cold_begin, xmc_cold_promela_end);
  if (name == "murphi") return pages_between(xmc_cold_promela_end, xmc_cold_murphi_end);
  return {};
}

std::span<u8> code_of_commands() { return pages_between(xmc_cold_commands, xmc_cold_end); }

std::span<u8> unwind_tables() { return pages_between(xmc_unwind_begin, xmc_unwind_end); }

// The advice makes them a mapping of their own.
void keep_apart(std::span<u8> pages) {
  if (!pages.empty()) static_cast<void>(::madvise(pages.data(), pages.size(), MADV_RANDOM));
}

void drop_cold_code() {
  keep_apart(cold_code());
  drop_pages(cold_code());
}

}  // namespace xmc
