#include "cli/options/units.h"

#include <charconv>

namespace xmc {

namespace {

Status bad(std::string_view what, std::string_view text, const char* expected) {
  return Status::fail(Code::usage, "--%.*s: '%.*s' is not %s", shown(what), what.data(),
                      shown(text), text.data(), expected);
}

Status too_large(std::string_view what, std::string_view text) {
  return Status::fail(Code::usage, "--%.*s: %.*s is too large", shown(what), what.data(),
                      shown(text), text.data());
}

// Digits at the front of `text`, which are removed. Fails on none and on overflow.
enum class Digits : u8 { ok, none, overflow };
Digits take_digits(std::string_view& text, u64& value) {
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec == std::errc::result_out_of_range) return Digits::overflow;
  if (end.ec != std::errc()) return Digits::none;
  text.remove_prefix(static_cast<std::size_t>(end.ptr - text.data()));
  return Digits::ok;
}

struct Unit {
  std::string_view name;
  u64 factor;
};

constexpr Unit kSizes[] = {
    {"", 1},
    {"B", 1},
    {"K", u64{1} << 10},
    {"KiB", u64{1} << 10},
    {"M", u64{1} << 20},
    {"MiB", u64{1} << 20},
    {"G", u64{1} << 30},
    {"GiB", u64{1} << 30},
    {"T", u64{1} << 40},
    {"TiB", u64{1} << 40},
};
constexpr std::string_view kDecimal[] = {"KB", "kB", "MB", "GB", "TB"};
constexpr Unit kTimes[] = {{"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}};

}  // namespace

Result<u64> parse_count(std::string_view what, std::string_view text) {
  std::string_view rest = text;
  u64 value = 0;
  const Digits digits = take_digits(rest, value);
  if (digits == Digits::overflow) return too_large(what, text);
  if (digits == Digits::none || !rest.empty()) return bad(what, text, "a number");
  return value;
}

Result<u64> parse_decimal(std::string_view what, std::string_view text) {
  std::string_view rest = text;
  u64 whole = 0;
  const Digits digits = take_digits(rest, whole);
  if (digits == Digits::overflow || whole > ~u64{0} / 2000) return too_large(what, text);
  u64 value = whole * 1000;
  bool good = digits == Digits::ok && rest.size() != 1 && (rest.empty() || rest[0] == '.');
  if (!rest.empty()) rest.remove_prefix(1);
  for (u64 unit = 100; good && !rest.empty(); unit /= 10) {
    good = rest[0] >= '0' && rest[0] <= '9' && unit != 0;
    value += unit * static_cast<u64>(rest[0] - '0');
    rest.remove_prefix(1);
  }
  if (!good) return bad(what, text, "a number with at most three digits behind a point, as 2.5");
  return value;
}

Result<u64> parse_size(std::string_view what, std::string_view text) {
  std::string_view rest = text;
  u64 value = 0;
  const Digits digits = take_digits(rest, value);
  if (digits == Digits::overflow) return too_large(what, text);
  if (digits == Digits::none) return bad(what, text, "a size, as 32M or 1G");
  for (const std::string_view decimal : kDecimal) {
    if (rest != decimal) continue;
    return Status::fail(Code::usage,
                        "--%.*s: %.*s could mean powers of ten or of two; write %c or %ciB, which "
                        "are powers of two",
                        shown(what), what.data(), shown(text), text.data(),
                        decimal[0] == 'k' ? 'K' : decimal[0], decimal[0] == 'k' ? 'K' : decimal[0]);
  }
  for (const Unit& unit : kSizes) {
    if (rest != unit.name) continue;
    if (value > ~u64{0} / unit.factor) return too_large(what, text);
    return value * unit.factor;
  }
  return bad(what, text, "a size; units are K, M, G, T (powers of two, also KiB, MiB, GiB, TiB)");
}

Result<u64> parse_duration(std::string_view what, std::string_view text) {
  std::string_view rest = text;
  u64 value = 0;
  const Digits digits = take_digits(rest, value);
  if (digits == Digits::overflow) return too_large(what, text);
  if (digits == Digits::ok) {
    for (const Unit& unit : kTimes) {
      if (rest != unit.name) continue;
      if (value > ~u64{0} / unit.factor) return too_large(what, text);
      return value * unit.factor;
    }
  }
  return bad(what, text, "a time with its unit, as 90s, 30m, 8h or 2d");
}

Result<u64> parse_clock(std::string_view what, std::string_view text) {
  std::string_view rest = text;
  u64 hours = 0;
  u64 minutes = 60;
  if (take_digits(rest, hours) == Digits::ok && rest.size() == 3 && rest[0] == ':') {
    rest.remove_prefix(1);
    if (take_digits(rest, minutes) != Digits::ok || !rest.empty()) minutes = 60;
  }
  if (hours >= 24 || minutes >= 60) return bad(what, text, "a time of day, as 07:00 or 23:30");
  return hours * 60 + minutes;
}

u32 edit_distance(std::string_view a, std::string_view b, u32 limit) {
  constexpr u32 kLongest = 31;
  if (a.size() > kLongest || b.size() > kLongest) return limit + 1;
  // Three rows of the usual table: two back for swaps.
  u32 rows[3][kLongest + 1] = {};
  for (u32 j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (u32 i = 1; i <= a.size(); ++i) {
    u32* const now = rows[i % 3];
    const u32* const before = rows[(i + 2) % 3];
    const u32* const two_before = rows[(i + 1) % 3];
    now[0] = i;
    for (u32 j = 1; j <= b.size(); ++j) {
      u32 best = before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      if (before[j] + 1 < best) best = before[j] + 1;
      if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped && two_before[j - 2] + 1 < best) best = two_before[j - 2] + 1;
      now[j] = best;
    }
  }
  const u32 distance = rows[a.size() % 3][b.size()];
  return distance > limit ? limit + 1 : distance;
}

}  // namespace xmc
