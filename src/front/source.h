// Source: a model text with its line map, and located diagnostics with a caret.
#pragma once

#include <cstdarg>
#include <string_view>

#include "xmc/arena.h"
#include "xmc/status.h"
#include "xmc/text.h"
#include "xmc/types.h"

namespace xmc {

// A byte range of the texts of a model. The text that is checked begins at 0; each text that it
// includes has the bytes behind those before it.
struct Span {
  u32 begin = 0;
  u32 end = 0;
};

// From the first to the last; `b` may be the place of something wrong, which has none, or that of a
// macro's use in front of `a`.
inline Span join(Span a, Span b) { return {a.begin, b.end > a.begin ? b.end : a.end}; }

struct Source {
  std::string_view name;  // as shown in messages
  std::string_view text;
  u32 first = 0;                 // where an included text begins among all texts of a model
  const Source* next = nullptr;  // the text that was included before it

  struct Place {
    u32 line = 0;    // from 1
    u32 column = 0;  // from 1, in bytes
    std::string_view line_text;
  };
  Place place(u32 offset) const;
  // Where a piece of the text is.
  Span span_of(std::string_view piece) const {
    const u32 begin = static_cast<u32>(piece.data() - text.data());
    return {begin, begin + static_cast<u32>(piece.size())};
  }
  // Positions are 32-bit: Code::model for a text that is too long for them.
  Status check_size() const;
};

// For "%.*s" of a text piece in messages: a length that leaves room for the rest of the message.
int shown_bytes(std::string_view piece);

// Collects what is wrong with a model. Messages go to a sink as they are found:
//
//     model.dve:12:9: error: unknown name 'fork'
//        12 |   guard fork == 1;
//           |         ^~~~
//
// At most kDiagnostics errors are shown, and warnings only while fewer than that many messages have
// been shown at all; the rest is counted. A note belongs to the message before it and is hidden
// along with it.
class Diagnostics {
 public:
  static constexpr u32 kDiagnostics = 20;
  using Sink = void (*)(void* self, std::string_view text);

  // Places are counted from `base` on: what is parsed may be a piece of the source.
  Diagnostics(const Source& source, Sink sink, void* self, u32 base = 0)
      : source_(&source), sink_(sink), self_(self), base_(base) {}

  [[gnu::format(printf, 4, 5)]] void error(u32 begin, u32 end, const char* pattern, ...);
  [[gnu::format(printf, 4, 5)]] void warning(u32 begin, u32 end, const char* pattern, ...);
  [[gnu::format(printf, 4, 5)]] void note(u32 begin, u32 end, const char* pattern, ...);

  // A text that the source includes; places from `included.first` on are in it. It has to stay.
  void include(Source& included) {
    included.next = included_;
    included_ = &included;
  }

  enum class Severity : u8 { error, warning, note };
  // The same for a parser that has helpers with such patterns of its own.
  void report(Severity severity, u32 begin, u32 end, const char* pattern, va_list args);

  u32 error_count() const { return errors_; }
  u32 warning_count() const { return warnings_; }
  // "model.dve: 2 errors"
  Status status() const;

 private:
  bool count(Severity severity);
  const Source& source_at(u32 offset) const;
  void show(const char* severity, u32 begin, u32 end, const char* pattern, va_list args);

  const Source* source_;
  const Source* included_ = nullptr;
  Sink sink_;
  void* self_;
  u32 base_;
  u32 errors_ = 0;
  u32 warnings_ = 0;
  u32 shown_ = 0;
  bool last_shown_ = false;
};

}  // namespace xmc
