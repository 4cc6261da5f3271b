// @FILE: arguments from a file, one a line. Blank lines and lines that begin with # are left out.
// What a file says is a default for its user: options that come after it on the command line
// replace it without a word.
#include <algorithm>
#include <iterator>

#include "cli/options/boards.h"
#include "cli/options/options.h"
#include "platform/files.h"
#include "xmc/check.h"

namespace xmc {

namespace {

bool is_comment(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first == std::string_view::npos || line[first] == '#';
}

// Pairs of options of which only one makes sense: the later one replaces the other, too.
constexpr struct {
  Opt later;
  Opt earlier;
} kReplaces[] = {
    {Opt::quiet, Opt::verbose}, {Opt::quiet, Opt::progress}, {Opt::quiet, Opt::every},
    {Opt::verbose, Opt::quiet}, {Opt::progress, Opt::quiet}, {Opt::every, Opt::quiet},
};

bool is_goal(Opt option) {
  return std::find(std::begin(kGoals), std::end(kGoals), option) != std::end(kGoals);
}

bool replaces(Opt later, Opt earlier) {
  if (is_goal(later)) return is_goal(earlier) && earlier != later;
  return std::any_of(std::begin(kReplaces), std::end(kReplaces), [&](const auto& pair) {
    return pair.later == later && pair.earlier == earlier;
  });
}

}  // namespace

Status Options::take_argument_file(const char* path) {
  // In the program's own data: arguments are read before there is an arena, and only once.
  static char contents[kArgumentFileBytes + 1];
  if (in_file_) return Status::fail(Code::usage, "@%s inside an argument file", path);
  if (file_used_) return Status::fail(Code::usage, "more than one @FILE");
  file_used_ = true;
  argument_file_ = path;
  const Result<u64> got = read_file(path, {reinterpret_cast<u8*>(contents), kArgumentFileBytes});
  if (!got.ok()) return Status::fail(Code::usage, "%s", got.status().c_str());
  in_file_ = true;
  XMC_TRY(take_lines(contents, static_cast<u32>(got.value())));
  in_file_ = false;
  if (!has_pending_) return {};
  return Status::fail(Code::usage, "%.200s ends with --%s, which needs a value: %s", path,
                      info_of(pending_).name.data(), info_of(pending_).metavar.data());
}

// One argument a line. There is room for a zero behind the last one.
Status Options::take_lines(char* contents, u32 size) {
  u32 begin = 0;
  for (u32 at = 0; at <= size; ++at) {
    if (at < size && contents[at] != '\n') continue;
    u32 end = at;
    if (end > begin && contents[end - 1] == '\r') --end;
    contents[at] = '\0';
    contents[end] = '\0';
    const std::string_view line(contents + begin, end - begin);
    if (!is_comment(line)) XMC_TRY(take(line));
    begin = at + 1;
  }
  return {};
}

// When everything else is known: what was given stays, and what the command does not take is left
// out.
Status Options::take_board() {
  static char contents[kBoardBytes + 1];
  if (!given(Opt::board)) return {};
  const std::string_view text = board_options(this->text(Opt::board));
  XMC_CHECK(!text.empty() && text.size() <= kBoardBytes);
  std::copy_n(text.data(), text.size(), contents);
  in_board_ = true;
  XMC_TRY(take_lines(contents, static_cast<u32>(text.size())));
  in_board_ = false;
  return {};
}

// An option is set that may be there already.
Status Options::replace(Opt option) {
  const OptionInfo& info = info_of(option);
  const OptionValue& slot = value_[static_cast<u32>(option)];
  if (slot.given && !may_repeat(info.kind)) {
    if (!slot.from_file && in_file_) {
      return Status::fail(Code::usage,
                          "--%s is given before an @FILE that gives it, too; options after it "
                          "override the file",
                          info.name.data());
    }
    if (!slot.from_file || in_file_)
      return Status::fail(Code::usage, "--%s is given twice", info.name.data());
    reset(option);
  }
  if (in_file_) return {};
  for (u32 i = 0; i < kOptions; ++i) {
    const Opt earlier = static_cast<Opt>(i);
    if (value_[i].from_file && replaces(option, earlier)) reset(earlier);
  }
  return {};
}

}  // namespace xmc
