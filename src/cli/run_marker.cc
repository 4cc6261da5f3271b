#include "cli/run_marker.h"

#include <charconv>

#include "xmc/hash.h"
#include "xmc/text.h"

namespace xmc {

namespace {

constexpr std::string_view kHeader = "xmc-lite work directory 2\n";
constexpr std::string_view kAnyVersion = "xmc-lite work directory ";
constexpr std::string_view kEmitted = "emitted";
constexpr std::string_view kChecksum = "checksum ";

// The same sum however the bytes come in pieces.
class Sum {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      bytes_[count_++] = static_cast<u8>(c);
      if (count_ == sizeof bytes_) take();
    }
  }
  u64 value() {
    take();
    return sum_;
  }

 private:
  void take() {
    sum_ = hash_bytes({bytes_, count_}, sum_);
    count_ = 0;
  }

  u8 bytes_[64];
  std::size_t count_ = 0;
  u64 sum_ = 0;
};

class MarkerFile {
 public:
  Status open(const char* path) { return file_.open(path); }
  void write(std::string_view text) {
    file_.write(text);
    sum_.add(text);
  }
  Status close(u64& checksum) {
    checksum = sum_.value();
    FixedText<64> line;
    line.add(kChecksum).format("%016llx\n", static_cast<unsigned long long>(checksum));
    file_.write(line.view());
    return file_.close();
  }

 private:
  OutputFile file_;
  Sum sum_;
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

Status take_line(const Line& line, RunMarker& marker, Options& options) {
  if (line.name == "option") return take_option(line, options);
  if (line.name == "model") marker.model = unescape(line.value, line.size);
  if (line.name == "layout") marker.emitted = unescape(line.value, line.size) == kEmitted;
  u64* const number = line.name == "hash"  ? &marker.model_hash
                      : line.name == "run" ? &marker.run
                                           : nullptr;
  if (number == nullptr) return {};
  const char* const end = line.value + line.size;
  const auto got = std::from_chars(line.value, end, *number, 16);
  return got.ec == std::errc() && got.ptr == end ? Status() : damaged();
}

}  // namespace

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
  line.format("run %016llx\n", static_cast<unsigned long long>(marker.run));
  out.write(line.view());
  out.write("model ");
  write_escaped(out, marker.model);
  line.clear();
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
  return out.close(marker.checksum);
}

Status read_marker(char* text, u64 size, RunMarker& marker, Options& options) {
  const std::string_view whole(text, static_cast<std::size_t>(size));
  const std::size_t last = whole.rfind(kChecksum);
  if (last == std::string_view::npos || !whole.starts_with(kHeader)) return damaged();
  Sum sum;
  sum.add(piece_of(whole, 0, last));
  marker.checksum = sum.value();
  FixedText<64> line;
  line.add(kChecksum).format("%016llx\n", static_cast<unsigned long long>(marker.checksum));
  if (piece_of(whole, last) != line.view()) return damaged();
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

}  // namespace xmc
