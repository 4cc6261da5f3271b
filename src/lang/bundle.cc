#include "lang/bundle.h"

#include <algorithm>
#include <charconv>

#include "xmc/text.h"

namespace xmc {

namespace {

Status damaged() {
  return Status::fail(Code::model,
                      "what follows the model's text (character 28) is not what this tool writes "
                      "there");
}

// The text up to a character, which is taken as well.
bool take_until(std::string_view& from, char end, std::string_view& out) {
  const std::size_t at = from.find(end);
  if (at == std::string_view::npos) return false;
  out = piece_of(from, 0, at);
  from = piece_of(from, at + 1);
  return true;
}

bool number_of(std::string_view text, u32& out) {
  const char* const end = text.data() + text.size();
  const auto got = std::from_chars(text.data(), end, out);
  return got.ec == std::errc() && got.ptr == end;
}

class Writer {
 public:
  explicit Writer(char* out) : out_(out) {}
  void add(std::string_view piece) {
    if (out_ != nullptr) std::copy(piece.begin(), piece.end(), out_ + size_);
    size_ += piece.size();
  }
  void number(u64 value) {
    FixedText<24> digits;
    add(digits.number(value).view());
  }
  u64 size() const { return size_; }

 private:
  char* out_;
  u64 size_ = 0;
};

u64 write_all(const Bundle& bundle, char* out) {
  Writer writer(out);
  writer.add(bundle.text);
  const bool alone =
      bundle.definitions.empty() && bundle.files.empty() && bundle.max_processes == 0;
  if (alone) return writer.size();
  writer.add({&kBundleMark, 1});
  for (u32 i = 0; i < bundle.definitions.size(); ++i) {
    writer.add("define ");
    writer.add(bundle.definitions[i]);
    writer.add("\n");
  }
  if (bundle.max_processes != 0) {
    writer.add("processes ");
    writer.number(bundle.max_processes);
    writer.add("\n");
  }
  for (u32 i = 0; i < bundle.files.size(); ++i) {
    writer.add("file ");
    writer.number(bundle.files[i].text.size());
    writer.add(" ");
    writer.add(bundle.files[i].name);
    writer.add("\n");
    writer.add(bundle.files[i].text);
  }
  return writer.size();
}

}  // namespace

Status Bundle::open(std::string_view whole) {
  const std::size_t mark = whole.find(kBundleMark);
  text = piece_of(whole, 0, mark);
  std::string_view rest =
      mark == std::string_view::npos ? std::string_view() : piece_of(whole, mark + 1);
  while (!rest.empty()) {
    std::string_view word;
    std::string_view value;
    if (!take_until(rest, ' ', word)) return damaged();
    if (word == "file") {
      u32 size = 0;
      std::string_view bytes;
      if (!take_until(rest, ' ', bytes) || !number_of(bytes, size)) return damaged();
      if (!take_until(rest, '\n', value) || size > rest.size() || files.full()) return damaged();
      files.push({value, piece_of(rest, 0, size)});
      rest = piece_of(rest, size);
      continue;
    }
    if (!take_until(rest, '\n', value)) return damaged();
    if (word == "define") {
      if (definitions.full()) return damaged();
      definitions.push(value);
    } else if (word != "processes" || !number_of(value, max_processes)) {
      return damaged();
    }
  }
  return {};
}

u64 Bundle::bytes() const { return write_all(*this, nullptr); }

std::string_view Bundle::write(char* out) const {
  return {out, static_cast<std::size_t>(write_all(*this, out))};
}

bool Bundle::find(std::string_view name, std::string_view& found) const {
  for (u32 i = 0; i < files.size(); ++i) {
    if (files[i].name != name) continue;
    found = files[i].text;
    return true;
  }
  return false;
}

std::string_view beside(std::string_view model, std::string_view name) {
  const std::size_t slash = model.rfind('/');
  if (slash == std::string_view::npos) return name;
  const std::string_view folder = piece_of(model, 0, slash + 1);
  return name.starts_with(folder) ? piece_of(name, folder.size()) : name;
}

}  // namespace xmc
