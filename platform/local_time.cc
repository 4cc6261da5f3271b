#include "platform/local_time.h"

#include <stdlib.h>

#include "platform/files.h"
#include "xmc/text.h"

namespace xmc {

namespace {

constexpr u32 kHeaderBytes = 44;
constexpr u32 kTypeBytes = 6;
constexpr i64 kDay = 86400;
// The largest files have some 4 KiB.
constexpr u32 kMostFileBytes = 16 << 10;

u64 big_endian(const u8* at, u32 bytes) {
  u64 value = 0;
  for (u32 i = 0; i < bytes; ++i) value = value << 8 | at[i];
  return value;
}

// Numbers of a header: what the data behind it has.
struct Header {
  u64 marks_ut, marks_wall, leaps, times, types, letters;
  u64 bytes(u32 time_bytes) const {
    return times * (time_bytes + 1) + types * kTypeBytes + letters + leaps * (time_bytes + 4) +
           marks_wall + marks_ut;
  }
};

bool read_header(std::span<const u8> file, Header& h) {
  if (file.size() < kHeaderBytes || big_endian(file.data(), 4) != 0x545A6966) return false;
  const auto count = [&](u32 i) { return big_endian(file.data() + 20 + 4 * i, 4); };
  h = {count(0), count(1), count(2), count(3), count(4), count(5)};
  return h.types != 0;
}

// --- Rules -----------------------------------------------------------------------------------

// A rule is read from its front on; what was read is gone.
struct RuleText {
  std::string_view text;
  char front() const { return text.empty() ? '\0' : text[0]; }
  bool take(char c) {
    if (front() != c) return false;
    text.remove_prefix(1);
    return true;
  }
  bool is_digit() const { return front() >= '0' && front() <= '9'; }
  bool number(i64& value) {
    if (!is_digit()) return false;
    value = 0;
    while (is_digit() && value < 100'000) {
      value = value * 10 + (text[0] - '0');
      text.remove_prefix(1);
    }
    return true;
  }
  // "CET" or "<+0330>".
  bool name() {
    const bool quoted = take('<');
    u32 letters = 0;
    while (!text.empty() &&
           (quoted ? front() != '>' : (front() | 32) >= 'a' && (front() | 32) <= 'z')) {
      text.remove_prefix(1);
      ++letters;
    }
    return letters >= 3 && (!quoted || take('>'));
  }
  // "[+-]hh[:mm[:ss]]" in seconds.
  bool time(i64& seconds) {
    const bool minus = take('-');
    if (!minus) static_cast<void>(take('+'));
    i64 part = 0;
    if (!number(part)) return false;
    seconds = part * 3600;
    for (i64 unit = 60; unit >= 1 && take(':'); unit /= 60) {
      if (!number(part)) return false;
      seconds += part * unit;
    }
    if (minus) seconds = -seconds;
    return true;
  }
};

// Days since 1970 of a date; by Howard Hinnant's counting of eras of 400 years.
i64 days_of(i64 year, i64 month, i64 day) {
  year -= month <= 2 ? 1 : 0;
  const i64 era = (year >= 0 ? year : year - 399) / 400;
  const i64 of_era = year - era * 400;
  const i64 of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

i64 year_of(i64 when) {
  i64 year = 1970 + when / (365 * kDay + kDay / 4);
  while (days_of(year, 1, 1) * kDay > when) --year;
  while (days_of(year + 1, 1, 1) * kDay <= when) ++year;
  return year;
}

bool is_leap(i64 year) { return days_of(year + 1, 1, 1) - days_of(year, 1, 1) == 366; }

// "M3.5.0/2", "J60" or "59": seconds from the beginning of the year, on the wall.
bool take_change(RuleText& rule, i64 year, i64& seconds) {
  i64 day = 0;
  if (rule.take('M')) {
    i64 month = 0;
    i64 week = 0;
    i64 weekday = 0;
    if (!rule.number(month) || !rule.take('.') || !rule.number(week) || !rule.take('.') ||
        !rule.number(weekday) || month < 1 || month > 12 || week < 1 || week > 5 || weekday > 6) {
      return false;
    }
    const i64 first = days_of(year, month, 1);
    const i64 end = month == 12 ? days_of(year + 1, 1, 1) : days_of(year, month + 1, 1);
    // The first of January 1970 was a Thursday.
    i64 date = first + ((weekday - (first + 4)) % 7 + 7) % 7 + (week - 1) * 7;
    while (date >= end) date -= 7;
    day = date - days_of(year, 1, 1);
  } else if (rule.take('J')) {
    if (!rule.number(day) || day < 1 || day > 365) return false;
    day += (is_leap(year) && day > 59 ? 1 : 0) - 1;
  } else if (!rule.number(day) || day > 365) {
    return false;
  }
  i64 time = 2 * 3600;
  if (rule.take('/') && !rule.time(time)) return false;
  seconds = day * kDay + time;
  return true;
}

}  // namespace

// Offsets of rules are what to add to the wall's time to get UTC: the other way round.
bool offset_by_rule(std::string_view text, i64 when, i64& offset) {
  RuleText rule{text};
  i64 standard = 0;
  if (!rule.name() || !rule.time(standard)) return false;
  offset = -standard;
  if (rule.text.empty()) return true;
  i64 summer = standard - 3600;
  if (!rule.name()) return false;
  if (rule.front() != ',' && !rule.time(summer)) return false;
  const i64 year = year_of(when - standard);
  i64 begin = 0;
  i64 end = 0;
  if (!rule.take(',') || !take_change(rule, year, begin) || !rule.take(',') ||
      !take_change(rule, year, end) || !rule.text.empty()) {
    return false;
  }
  const i64 new_year = days_of(year, 1, 1) * kDay;
  begin += new_year + standard;
  end += new_year + summer;
  // South of the equator summer goes over the end of the year.
  const bool in_summer = begin < end ? begin <= when && when < end : when < end || begin <= when;
  if (in_summer) offset = -summer;
  return true;
}

// The second part of a file has times of 64 bits; the first one is for readers that know only 32.
bool offset_by_file(std::span<const u8> file, i64 when, i64& offset) {
  Header h = {};
  if (!read_header(file, h) || file[4] < '2') return false;
  const u64 skip = kHeaderBytes + h.bytes(4);
  if (skip > file.size() || !read_header(file.subspan(static_cast<std::size_t>(skip)), h)) {
    return false;
  }
  const u64 begin = skip + kHeaderBytes;
  const u64 end = begin + h.bytes(8);
  if (end > file.size()) return false;
  const u8* const times = file.data() + begin;
  const u8* const kinds = times + h.times * 8;
  const u8* const types = kinds + h.times;
  u64 passed = 0;
  while (passed < h.times && static_cast<i64>(big_endian(times + passed * 8, 8)) <= when) ++passed;
  if (passed == h.times) {
    const char* const line = reinterpret_cast<const char*>(file.data() + end);
    const std::string_view rest(line, static_cast<std::size_t>(file.size() - end));
    const std::size_t last = rest.find('\n', 1);
    if (rest.starts_with('\n') && last != std::string_view::npos && last > 1) {
      return offset_by_rule(piece_of(rest, 1, last - 1), when, offset);
    }
  }
  const u32 type = passed == 0 ? 0 : kinds[passed - 1];
  if (type >= h.types) return false;
  offset = static_cast<i32>(big_endian(types + type * kTypeBytes, 4));
  return true;
}

i64 utc_offset(i64 when) {
  const char* const zone = ::getenv("TZ");
  FixedText<256> path;
  if (zone == nullptr || zone[0] == '\0') {
    path.add(zone == nullptr ? "/etc/localtime" : "");
  } else {
    const char* const name = zone[0] == ':' ? zone + 1 : zone;
    i64 offset = 0;
    if (name == zone && offset_by_rule(zone, when, offset)) return offset;
    if (name[0] != '/') path.add("/usr/share/zoneinfo/");
    path.add(name);
  }
  u8 file[kMostFileBytes];
  const Result<u64> got = read_file(path.c_str(), file);
  i64 offset = 0;
  if (!got.ok()) return 0;
  if (!offset_by_file({file, static_cast<std::size_t>(got.value())}, when, offset)) return 0;
  return offset;
}

}  // namespace xmc
