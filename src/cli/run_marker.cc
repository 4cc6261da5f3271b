#include "cli/run_marker.h"

#include <charconv>

#include "xmc/text.h"

namespace xmc {

namespace {

constexpr std::string_view kHeader = "xmc-lite work directory 1";
constexpr std::string_view kEmitted = "emitted";

void write_escaped(OutputFile& out, std::string_view text) {
  for (const char& c : text) {
    if (c == '\\') {
      out.write("\\\\");
    } else if (c == '\n') {
      out.write("\\n");
    } else {
      out.write({&c, 1});
    }
  }
  out.write("\n");
}

// In place, with a zero at the end; the text before had one byte more.
std::string_view unescape(char* text, u64 size) {
  u64 to = 0;
  for (u64 from = 0; from < size; ++from) {
    char c = text[from];
    if (c == '\\' && from + 1 < size) {
      c = text[++from];
      if (c == 'n') c = '\n';
    }
    text[to++] = c;
  }
  text[to] = '\0';
  return {text, static_cast<std::size_t>(to)};
}

Status damaged() {
  return Status::fail(Code::corrupt, "the marker of the work directory is damaged");
}

struct Line {
  std::string_view name;
  char* value = nullptr;
  u64 size = 0;
};

// Splits at the first blank. False for a line without one.
bool split(char* at, u64 size, Line& line) {
  const std::string_view text(at, static_cast<std::size_t>(size));
  const std::size_t blank = text.find(' ');
  if (blank == std::string_view::npos) return false;
  line.name = text.substr(0, blank);
  line.value = at + blank + 1;
  line.size = size - blank - 1;
  return true;
}

Status take_option(const Line& line, Options& options) {
  Line option;
  if (!split(line.value, line.size, option)) return damaged();
  // restore() looks at the name while the value is being unescaped behind it.
  return options.restore(option.name, unescape(option.value, option.size));
}

Status take_line(const Line& line, RunMarker& marker, Options& options) {
  if (line.name == "option") return take_option(line, options);
  if (line.name == "model") marker.model = unescape(line.value, line.size);
  if (line.name == "layout") marker.emitted = unescape(line.value, line.size) == kEmitted;
  if (line.name != "hash") return {};
  const char* const end = line.value + line.size;
  const auto got = std::from_chars(line.value, end, marker.model_hash, 16);
  return got.ec == std::errc() && got.ptr == end ? Status() : damaged();
}

}  // namespace

Status write_marker(const char* path, const RunMarker& marker, const Options& options) {
  OutputFile out;
  XMC_TRY(out.open(path));
  out.write(kHeader);
  out.write("\nmodel ");
  write_escaped(out, marker.model);
  FixedText<64> line;
  line.format("hash %016llx\n", static_cast<unsigned long long>(marker.model_hash));
  line.add("layout ").add(marker.emitted ? kEmitted : "plain").add('\n');
  out.write(line.view());
  for (u32 i = 0; i < kOptions; ++i) {
    const Opt option = static_cast<Opt>(i);
    if (!options.given(option) || !Options::is_of_run(option)) continue;
    out.write("option ");
    out.write(info_of(option).name);
    out.write(" ");
    write_escaped(out, options.text(option));
  }
  return out.close();
}

Status read_marker(char* text, u64 size, RunMarker& marker, Options& options) {
  bool first = true;
  u64 lines = 0;
  for (u64 begin = 0; begin < size;) {
    u64 end = begin;
    while (end < size && text[end] != '\n') ++end;
    // A file that was cut has a last line without an end.
    if (end == size) return damaged();
    const std::string_view whole(text + begin, static_cast<std::size_t>(end - begin));
    Line line;
    if (first) {
      if (whole != kHeader) return damaged();
    } else {
      if (!split(text + begin, end - begin, line)) return damaged();
      if (line.name != "option") ++lines;
      XMC_TRY(take_line(line, marker, options));
    }
    first = false;
    begin = end + 1;
  }
  return lines >= 3 ? Status() : damaged();
}

}  // namespace xmc
