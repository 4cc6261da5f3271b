#include "store/checkpoint/owner_lines.h"

#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc {

namespace {

constexpr std::string_view kFileLines[] = {"file ", "plain "};
constexpr std::string_view kOwner = "owner.";

using LineStart = FixedText<48>;

void start_of(u32 owner, LineStart& start) { start.add(kOwner).number(owner).add('.'); }

// "file " or "plain ", or nothing.
std::string_view file_line(std::string_view line) {
  for (const std::string_view kind : kFileLines) {
    if (line.starts_with(kind)) return kind;
  }
  return {};
}

std::string_view without(std::string_view line, std::string_view start) {
  line.remove_prefix(start.size());
  return line;
}

template <class F>
void for_lines(std::string_view text, F f) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    f(piece_of(text, 0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

bool is_owned(std::string_view file, std::string_view prefix) {
  if (!prefix.empty()) return file.starts_with(prefix);
  return file.empty() || file[0] < '0' || file[0] > '9';
}

}  // namespace

OwnerPrefix::OwnerPrefix(u32 owner, u64 division) {
  Text text(text_, kMostBytes);
  if (division != 0) text.number(division).add('.');
  if (owner != 0 || division != 0) text.number(owner).add('-');
  XMC_CHECK(!text.cut());
  size_ = text.size();
}

void add_owner_lines(Manifest& into, u32 owner, std::string_view prefix, const Manifest& lines) {
  LineStart start;
  if (owner != 0) start_of(owner, start);
  for_lines(lines.text(), [&](std::string_view line) {
    const std::string_view kind = file_line(line);
    if (kind.empty()) {
      into.add_line(start.view(), line);
    } else {
      LineStart named;
      named.add(kind).add(prefix);
      into.add_line(named.view(), without(line, kind));
    }
  });
}

void take_owner_lines(const Manifest& from, u32 owner, std::string_view prefix, Manifest& lines) {
  lines.clear();
  LineStart start;
  start_of(owner, start);
  for_lines(from.text(), [&](std::string_view line) {
    const std::string_view kind = file_line(line);
    if (!kind.empty()) {
      const std::string_view file = without(line, kind);
      if (is_owned(file, prefix)) lines.add_line(kind, without(file, prefix));
    } else if (owner == 0 && !line.starts_with(kOwner)) {
      lines.add_line("", line);
    } else if (owner != 0 && line.starts_with(start.view())) {
      lines.add_line("", without(line, start.view()));
    }
  });
}

}  // namespace xmc
