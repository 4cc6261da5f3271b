#include "platform/card_profiles.h"

namespace xmc {
namespace {

constexpr u64 kMiB = u64{1} << 20;

// A class that promises n requests of 4 KiB per second: what is left of each beside the transfer.
constexpr u64 latency_ns(u64 requests_per_s, u64 bytes_per_s) {
  return 1'000'000'000 / requests_per_s - 4096 * u64{1'000'000'000} / bytes_per_s;
}

constexpr CardProfile kProfiles[] = {
    {"a1", latency_ns(1500, 40'000'000), latency_ns(500, 10'000'000), 40'000'000, 10'000'000,
     4 * kMiB, 5, 1},
    {"a2", latency_ns(4000, 40'000'000), latency_ns(2000, 10'000'000), 40'000'000, 10'000'000,
     4 * kMiB, 5, 1},
    {"sdhc", 1'100'000, 1'100'000, 15'000'000, 6'000'000, 4 * kMiB, 5, 1},
    {"eee-ssd", 510'000, 510'000, 23'000'000, 10'000'000, 4 * kMiB, 5, 1},
    {"sata", 140'000, 140'000, 93'000'000, 30'000'000, 4 * kMiB, 32, 1},
};

}  // namespace

std::span<const CardProfile> card_profiles() { return kProfiles; }

const CardProfile* find_card_profile(std::string_view name) {
  for (const CardProfile& profile : kProfiles) {
    if (name == profile.name) return &profile;
  }
  return nullptr;
}

}  // namespace xmc
