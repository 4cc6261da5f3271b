#include "cli/run/output/levels_file.h"

#include <charconv>

#include "xmc/text.h"

namespace xmc {

namespace {

// The rows that a checkpoint covers, as far as a file has them.
struct Rows {
  u64 wanted = 0;  // levels that were finished
  u64 count = 0;
  u64 bytes = 0;  // with the header
  u64 states = 0;
  u64 transitions = 0;  // of all levels
  bool header = false;

  // Takes the next line; false when it does not belong here.
  bool take(std::string_view line);
};

// level,states,transitions,total_states,total_transitions,seconds
bool Rows::take(std::string_view line) {
  constexpr u32 kNumbers = 5;
  if (!header) {
    header = line == kLevelsHeader;
    if (header) bytes = line.size();
    return header;
  }
  u64 numbers[kNumbers] = {};
  const char* at = line.data();
  const char* const end = at + line.size();
  for (u64& number : numbers) {
    const auto got = std::from_chars(at, end, number);
    if (got.ec != std::errc() || got.ptr == end || *got.ptr != ',') return false;
    at = got.ptr + 1;
  }
  if (count == wanted || numbers[0] != count) return false;
  ++count;
  bytes += line.size();
  states += numbers[1];
  transitions = numbers[4];
  return true;
}

Status read_rows(const char* path, Rows& rows) {
  StreamFile file;
  XMC_TRY(file.open(path));
  u8 piece[512];
  FixedText<200> line;
  while (true) {
    XMC_LET(const u64 got, file.read(piece, {}));
    if (got == 0) return {};
    for (u64 i = 0; i < got; ++i) {
      line.add(static_cast<char>(piece[i]));
      if (line.cut()) return {};
      if (piece[i] != '\n') continue;
      if (!rows.take(line.view())) return {};
      line.clear();
    }
  }
}

}  // namespace

Status LevelsFile::open(const char* path) {
  XMC_TRY(file_.open_beside(path));
  file_.write(kLevelsHeader);
  unsynced_ = true;
  return file_.publish();
}

Status LevelsFile::open_again(const char* path, const Manifest& checkpoint) {
  // Of several owners, what all of them have.
  const bool divided = checkpoint.has("next-of-all");
  const u64 next = checkpoint.number_or_zero(divided ? "next-of-all" : "next");
  const u64 level_end = checkpoint.number_or_zero(divided ? "level-end-of-all" : "level-end");
  const u64 transitions = checkpoint.number_or_zero("stat.transitions");
  Rows rows;
  rows.wanted = checkpoint.number_or_zero("level");
  if (next != 0 && next == level_end) ++rows.wanted;
  if (identity_of(path).regular) XMC_TRY(read_rows(path, rows));
  const bool whole = rows.header && rows.count == rows.wanted;
  if (!whole || rows.states > next || rows.transitions > transitions) {
    table_.go_on_from(0, transitions);
    return open(path);
  }
  // Of the level that the checkpoint is in, these were expanded before it.
  table_.go_on_from(next - rows.states, rows.transitions);
  return file_.open_at(path, rows.bytes);
}

void LevelsFile::add(const Progress& progress, double seconds) {
  FixedText<kLevelsRow> row;
  if (!table_.update(progress, seconds, row)) return;
  file_.write(row.view());
  unsynced_ = true;
}

void LevelsFile::sync() {
  if (!is_open() || !unsynced_) return;
  static_cast<void>(file_.sync());
  unsynced_ = false;
}

}  // namespace xmc
