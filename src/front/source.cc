#include "front/source.h"

#include "xmc/check.h"
#include "xmc/limits.h"
#include "xmc/text.h"

namespace xmc {

namespace {

// A model may be one line of a megabyte: only this much of a line is shown, around the caret.
constexpr u32 kShownColumns = 100;
constexpr u32 kColumnsBefore = 60;

// The text is input: no byte of it may move the cursor of a terminal or break the caret's
// alignment.
char printable(char c) {
  if (c == '\t') return ' ';
  return c >= ' ' && c <= '~' ? c : '?';
}

void add_line_with_caret(Text& out, const Source::Place& place, u32 length) {
  const u32 line_bytes = static_cast<u32>(place.line_text.size());
  const u32 caret = place.column - 1;
  XMC_CHECK(caret <= line_bytes);
  u32 first = 0;
  u32 last = line_bytes;
  if (line_bytes > kShownColumns) {
    first = caret > kColumnsBefore ? caret - kColumnsBefore : 0;
    last = first + kShownColumns < line_bytes ? first + kShownColumns : line_bytes;
  }
  out.format("%5u | %s", static_cast<unsigned>(place.line), first > 0 ? "..." : "");
  for (u32 i = first; i < last; ++i) out.add(printable(place.line_text[i]));
  out.format("%s\n      | %s", last < line_bytes ? "..." : "", first > 0 ? "   " : "");
  for (u32 i = first; i < caret; ++i) out.add(' ');
  out.add('^');
  for (u32 i = 1; i < length && caret + i < last; ++i) out.add('~');
  out.add('\n');
}

}  // namespace

Source::Place Source::place(u32 offset) const {
  const u32 size = static_cast<u32>(text.size());
  if (offset > size) offset = size;
  Place place;
  place.line = 1;
  u32 line_begin = 0;
  for (u32 i = 0; i < offset; ++i) {
    if (text[i] != '\n') continue;
    ++place.line;
    line_begin = i + 1;
  }
  u32 line_end = offset;
  while (line_end < size && text[line_end] != '\n') ++line_end;
  place.column = offset - line_begin + 1;
  while (line_end > offset && text[line_end - 1] == '\r') --line_end;
  place.line_text = piece_of(text, line_begin, line_end - line_begin);
  return place;
}

Status Source::check_size() const {
  if (text.size() <= limits::kSourceBytes) return {};
  return Status::fail(Code::model, "%.*s: the text has %llu bytes; at most %u are read",
                      shown_bytes(name), name.data(), wide(text.size()),
                      static_cast<unsigned>(limits::kSourceBytes));
}

int shown_bytes(std::string_view piece) {
  return static_cast<int>(piece.size() < limits::kNameBytes ? piece.size() : limits::kNameBytes);
}

const Source& Diagnostics::source_at(u32 offset) const {
  for (const Source* source = included_; source != nullptr; source = source->next) {
    if (offset >= source->first) return *source;
  }
  return *source_;
}

void Diagnostics::show(const char* severity, u32 begin, u32 end, const char* pattern,
                       va_list args) {
  XMC_CHECK(begin <= end);
  const Source& source = source_at(base_ + begin);
  const Source::Place place = source.place(base_ + begin - source.first);
  FixedText<1024> out;
  sink_(self_, source.name);
  out.format(":%u:%u: %s: ", static_cast<unsigned>(place.line), static_cast<unsigned>(place.column),
             severity);
  out.vformat(pattern, args);
  out.add('\n');
  sink_(self_, out.view());
  out.clear();
  add_line_with_caret(out, place, end - begin);
  sink_(self_, out.view());
}

// Whether it is to be shown.
bool Diagnostics::count(Severity severity) {
  if (severity == Severity::note) return last_shown_;
  if (severity == Severity::error) {
    ++errors_;
    last_shown_ = errors_ <= kDiagnostics;
  } else {
    ++warnings_;
    last_shown_ = shown_ < kDiagnostics;
  }
  if (last_shown_) ++shown_;
  return last_shown_;
}

void Diagnostics::report(Severity severity, u32 begin, u32 end, const char* pattern, va_list args) {
  static constexpr const char* kNames[] = {"error", "warning", "note"};
  if (count(severity)) show(kNames[static_cast<u32>(severity)], begin, end, pattern, args);
}

void Diagnostics::error(u32 begin, u32 end, const char* pattern, ...) {
  va_list args;
  va_start(args, pattern);
  report(Severity::error, begin, end, pattern, args);
  va_end(args);
}

void Diagnostics::warning(u32 begin, u32 end, const char* pattern, ...) {
  va_list args;
  va_start(args, pattern);
  report(Severity::warning, begin, end, pattern, args);
  va_end(args);
}

void Diagnostics::note(u32 begin, u32 end, const char* pattern, ...) {
  va_list args;
  va_start(args, pattern);
  report(Severity::note, begin, end, pattern, args);
  va_end(args);
}

Status Diagnostics::status() const {
  if (errors_ == 0) return {};
  const int name_bytes = static_cast<int>(source_->name.size());
  if (errors_ > kDiagnostics) {
    return Status::fail(Code::model, "%.*s: %u errors, of which the first %u are shown", name_bytes,
                        source_->name.data(), static_cast<unsigned>(errors_),
                        static_cast<unsigned>(kDiagnostics));
  }
  return Status::fail(Code::model, "%.*s: %u error%s", name_bytes, source_->name.data(),
                      static_cast<unsigned>(errors_), errors_ == 1 ? "" : "s");
}

}  // namespace xmc
