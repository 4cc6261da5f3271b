#include "report/json.h"

#include <cmath>

#include "report/characters.h"
#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc {

void JsonWriter::before_value() {
  XMC_CHECK(depth_ > 0 || !started_);
  XMC_CHECK(depth_ == 0 || !object_[depth_ - 1] || after_key_);
  if (depth_ > 0 && !after_key_) {
    if (has_members_[depth_ - 1]) out_->add(',');
    if (break_pending_) out_->add("\n ");
    break_pending_ = false;
  }
  if (depth_ > 0) has_members_[depth_ - 1] = true;
  after_key_ = false;
  started_ = true;
}

JsonWriter& JsonWriter::open(char bracket, bool object) {
  before_value();
  XMC_CHECK(depth_ < kDepth);
  object_[depth_] = object;
  has_members_[depth_] = false;
  ++depth_;
  out_->add(bracket);
  return *this;
}

JsonWriter& JsonWriter::close(char bracket, bool object) {
  XMC_CHECK(depth_ > 0);
  XMC_CHECK(object_[depth_ - 1] == object);
  XMC_CHECK(!after_key_);
  --depth_;
  break_pending_ = false;
  out_->add(bracket);
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  XMC_CHECK(depth_ > 0);
  XMC_CHECK(object_[depth_ - 1]);
  XMC_CHECK(!after_key_);
  if (has_members_[depth_ - 1]) out_->add(',');
  if (break_pending_) out_->add("\n ");
  break_pending_ = false;
  quoted(name);
  out_->add(':');
  after_key_ = true;
  return *this;
}

void JsonWriter::quoted(std::string_view text) {
  out_->add('"');
  while (!text.empty()) {
    const char c = text.front();
    const u32 length = utf8_length(text);
    if (length == 0) {
      out_->add("\\ufffd");
    } else if (c == '"' || c == '\\') {
      out_->add('\\').add(c);
    } else if (c == '\n') {
      out_->add("\\n");
    } else if (c == '\t') {
      out_->add("\\t");
    } else if (static_cast<u8>(c) < 0x20 || c == 0x7F) {
      out_->format("\\u%04x", static_cast<unsigned>(c));
    } else {
      out_->add(piece_of(text, 0, length));
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out_->add('"');
}

JsonWriter& JsonWriter::string(std::string_view text) {
  before_value();
  quoted(text);
  return *this;
}

JsonWriter& JsonWriter::number(u64 value) {
  before_value();
  out_->number(value);
  return *this;
}

JsonWriter& JsonWriter::signed_number(i64 value) {
  before_value();
  out_->signed_number(value);
  return *this;
}

JsonWriter& JsonWriter::real(double value, int digits) {
  if (!std::isfinite(value)) return null();
  before_value();
  out_->format("%.*f", digits, value);
  return *this;
}

JsonWriter& JsonWriter::small(double value) {
  if (!std::isfinite(value)) return null();
  before_value();
  out_->format("%.2e", value);
  return *this;
}

JsonWriter& JsonWriter::boolean(bool value) {
  before_value();
  out_->add(value ? "true" : "false");
  return *this;
}

JsonWriter& JsonWriter::null() {
  before_value();
  out_->add("null");
  return *this;
}

JsonWriter& JsonWriter::line_break() {
  break_pending_ = true;
  return *this;
}

}  // namespace xmc
