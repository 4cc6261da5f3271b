// JsonWriter: JSON onto an Output, token by token. Commas and colons come by themselves; a misuse
// (a value where a key belongs) is a bug and ends the process. Text is escaped as RFC 8259 asks;
// bytes that are not UTF-8 become U+FFFD, so that any file name gives a document that every reader
// accepts.
#pragma once

#include <string_view>

#include "report/output.h"
#include "xmc/types.h"

namespace xmc {

class JsonWriter {
 public:
  explicit JsonWriter(Output& out) : out_(&out) {}

  JsonWriter& begin_object() { return open('{', true); }
  JsonWriter& end_object() { return close('}', true); }
  JsonWriter& begin_array() { return open('[', false); }
  JsonWriter& end_array() { return close(']', false); }
  JsonWriter& key(std::string_view name);

  JsonWriter& string(std::string_view text);
  JsonWriter& number(u64 value);
  JsonWriter& signed_number(i64 value);
  JsonWriter& real(double value, int digits);  // fixed point; not finite becomes null
  JsonWriter& small(double value);             // with an exponent, three digits
  JsonWriter& boolean(bool value);
  JsonWriter& null();
  // A line break between members, for people; legal anywhere a token may begin.
  JsonWriter& line_break();

  bool done() const { return depth_ == 0 && started_; }

 private:
  JsonWriter& open(char bracket, bool object);
  JsonWriter& close(char bracket, bool object);
  void before_value();
  void quoted(std::string_view text);

  static constexpr u32 kDepth = 16;
  Output* out_;
  u32 depth_ = 0;
  bool object_[kDepth] = {};
  bool has_members_[kDepth] = {};
  bool after_key_ = false;
  bool started_ = false;
  bool break_pending_ = false;
};

}  // namespace xmc
