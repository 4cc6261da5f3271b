#include "cli/run/work/run_marker.h"

#include <charconv>

#include "report/text_sum.h"
#include "xmc/hash.h"
#include "xmc/text.h"

namespace xmc {

namespace {

constexpr std::string_view kHeader = "xmc-lite work directory 2\n";
constexpr std::string_view kAnyVersion = "xmc-lite work directory ";
constexpr std::string_view kKeptHeader = "xmc-lite options 1\n";
constexpr std::string_view kEmitted = "emitted";
constexpr std::string_view kChecksum = "checksum ";

class MarkerFile {
 public:
  Status open(const char* path) { return file_.open(path); }
  void write(std::string_view text) {
    file_.write(text);
    sum_.add(text);
  }
  u64 bytes() const { return file_.bytes_written(); }
  Status close(u64& checksum) {
    checksum = sum_.value();
    FixedText<64> line;
    line.add(kChecksum).format("%016llx\n", wide(checksum));
    file_.write(line.view());
    return file_.close();
  }

 private:
  OutputFile file_;
  TextSum sum_;
};

void write_escaped(MarkerFile& out, std::string_view text) {
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
  line.name = piece_of(text, 0, blank);
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

Status take_hash(const Line& line, u64& hash) {
  const char* const end = line.value + line.size;
  const auto got = std::from_chars(line.value, end, hash, 16);
  return got.ec == std::errc() && got.ptr == end ? Status() : damaged();
}

Status take_line(const Line& line, RunMarker& marker, Options& options) {
  if (line.name == "option") return take_option(line, options);
  if (line.name == "model") marker.model = unescape(line.value, line.size);
  if (line.name == "layout") marker.emitted = unescape(line.value, line.size) == kEmitted;
  if (line.name == "property") marker.property_form = unescape(line.value, line.size);
  if (line.name == "property-name") marker.property_name = unescape(line.value, line.size);
  if (line.name == "property-hash") return take_hash(line, marker.property_hash);
  if (line.name == "run") return take_hash(line, marker.run);
  if (line.name == "memory") return take_hash(line, marker.memory);
  if (line.name == "work") return take_hash(line, marker.most_work);
  return line.name == "hash" ? take_hash(line, marker.model_hash) : Status();
}

void write_option(MarkerFile& out, Opt option, std::string_view value) {
  out.write("option ");
  out.write(info_of(option).name);
  out.write(" ");
  write_escaped(out, value);
}

void write_property(MarkerFile& out, const RunMarker& marker) {
  if (marker.property_form.empty()) return;
  out.write("property ");
  write_escaped(out, marker.property_form);
  out.write("property-name ");
  write_escaped(out, marker.property_name);
  FixedText<64> line;
  line.format("property-hash %016llx\n", wide(marker.property_hash));
  out.write(line.view());
}

Status write_path(MarkerFile& out, Opt option, std::string_view path) {
  char absolute[kPathBytes];
  if (path == "-") {
    write_option(out, option, path);
    return {};
  }
  XMC_TRY(absolute_path(path.data(), absolute));
  write_option(out, option, absolute);
  return {};
}

Status write_kept_option(MarkerFile& out, Opt option, const Options& options) {
  const OptionKind kind = info_of(option).kind;
  if (kind == OptionKind::path) return write_path(out, option, options.text(option));
  if (kind == OptionKind::paths) {
    for (const std::string_view path : options.traces()) XMC_TRY(write_path(out, option, path));
    return {};
  }
  // What comes from a checkpoint has no text.
  FixedText<24> number;
  const bool by_number = kind != OptionKind::flag && options.text(option).empty();
  if (by_number) number.number(options.number(option));
  write_option(out, option, by_number ? number.view() : options.text(option));
  return {};
}

// Where the lines end, if all of it has the right sum.
Result<u64> end_of_lines(std::string_view whole, std::string_view header, u64& checksum) {
  const std::size_t last = whole.rfind(kChecksum);
  if (last == std::string_view::npos || !whole.starts_with(header)) return damaged();
  TextSum sum;
  sum.add(piece_of(whole, 0, last));
  checksum = sum.value();
  FixedText<64> line;
  line.add(kChecksum).format("%016llx\n", wide(checksum));
  if (piece_of(whole, last) != line.view()) return damaged();
  return u64{last};
}

}  // namespace

u64 hash_of_text(std::string_view text) {
  return hash_bytes({reinterpret_cast<const u8*>(text.data()), text.size()});
}

bool is_marker(const char* path) {
  if (!is_regular_file(path)) return false;
  u8 text[kAnyVersion.size()];
  const Result<u64> got = read_beginning(path, text);
  if (!got.ok()) return false;
  return kAnyVersion.starts_with(
      {reinterpret_cast<const char*>(text), static_cast<std::size_t>(got.value())});
}

Status write_marker(const char* path, RunMarker& marker, const Options& options) {
  MarkerFile out;
  XMC_TRY(out.open(path));
  out.write(kHeader);
  FixedText<64> line;
  line.format("run %016llx\n", wide(marker.run));
  out.write(line.view());
  out.write("model ");
  write_escaped(out, marker.model);
  line.clear();
  line.format("hash %016llx\n", wide(marker.model_hash));
  line.add("layout ").add(marker.emitted ? kEmitted : "plain").add('\n');
  line.format("memory %llx\nwork %llx\n", wide(marker.memory), wide(marker.most_work));
  out.write(line.view());
  write_property(out, marker);
  for (u32 i = 0; i < kOptions; ++i) {
    const Opt option = static_cast<Opt>(i);
    if (!options.given(option) || !Options::is_of_run(option)) continue;
    if (may_repeat(info_of(option).kind)) {
      for (const std::string_view value : options.list(option)) write_option(out, option, value);
    } else {
      write_option(out, option, options.text(option));
    }
  }
  return out.close(marker.checksum);
}

Status read_marker(char* text, u64 size, RunMarker& marker, Options& options) {
  const std::string_view whole(text, static_cast<std::size_t>(size));
  XMC_LET(const u64 last, end_of_lines(whole, kHeader, marker.checksum));
  // What has the right sum was written by us, or by another version.
  for (std::size_t begin = whole.find('\n') + 1; begin < last;) {
    const std::size_t end = whole.find('\n', begin);
    Line next;
    if (!split(text + begin, end - begin, next)) return damaged();
    XMC_TRY(take_line(next, marker, options));
    begin = end + 1;
  }
  return {};
}

Status write_kept(const char* path, u64 marker_checksum, const Options& options, bool durable) {
  char aside[kPathBytes];
  Text name(aside, kPathBytes);
  name.add(path).add(".new");
  if (name.cut()) return Status::fail(Code::usage, "path is too long: %.64s...", path);
  MarkerFile out;
  XMC_TRY(out.open(aside));
  out.write(kKeptHeader);
  FixedText<64> line;
  line.format("marker %016llx\n", wide(marker_checksum));
  out.write(line.view());
  for (u32 i = 0; i < kOptions; ++i) {
    const Opt option = static_cast<Opt>(i);
    if (!options.given(option) || !Options::is_kept(option)) continue;
    XMC_TRY(write_kept_option(out, option, options));
  }
  u64 checksum = 0;
  const u64 bytes = out.bytes();
  XMC_TRY(out.close(checksum));
  if (bytes + line.size() > kKeptOptionBytes) {
    static_cast<void>(remove_file(aside));
    return Status::fail(Code::usage,
                        "the names of the outputs take %llu bytes; a work directory keeps %u",
                        wide(bytes), kKeptOptionBytes);
  }
  if (durable) XMC_TRY(sync_file(aside));
  return rename_file(aside, path);
}

Status read_kept(char* text, u64 size, u64& marker_checksum, Options& options) {
  const std::string_view whole(text, static_cast<std::size_t>(size));
  u64 checksum = 0;
  XMC_LET(const u64 last, end_of_lines(whole, kKeptHeader, checksum));
  for (std::size_t begin = whole.find('\n') + 1; begin < last;) {
    const std::size_t end = whole.find('\n', begin);
    Line next;
    if (!split(text + begin, end - begin, next)) return damaged();
    XMC_TRY(next.name == "option" ? take_option(next, options) : take_hash(next, marker_checksum));
    begin = end + 1;
  }
  return {};
}

}  // namespace xmc
