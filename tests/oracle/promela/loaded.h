// A Promela model from a file, with what it includes and what was said about it.
#pragma once

#include <fstream>
#include <iterator>
#include <list>
#include <string>
#include <vector>

#include "front/promela/parser.h"

namespace xmc::promela_test {

class Loaded {
 public:
  explicit Loaded(const std::string& path, const std::vector<promela::Definition>& definitions = {})
      : region_(std::size_t{64} << 20),
        arena_(region_),
        name_(path),
        is_read_(read_file(path, text_)),
        source_{name_, text_},
        diagnostics_(source_, collect, &messages),
        system(arena_),
        status(promela::parse(source_, {definitions, {read_included, this}}, diagnostics_, arena_,
                              system)) {}
  Loaded(const Loaded&) = delete;

  bool ok() const { return is_read_ && status.ok(); }
  u64 peak_bytes() const { return arena_.peak_bytes(); }

 private:
  static void collect(void* self, std::string_view text) {
    static_cast<std::string*>(self)->append(text);
  }
  static bool read_file(const std::string& path, std::string& text) {
    std::ifstream file(path, std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    return file.good() || file.eof();
  }
  static bool read_included(void* self, std::string_view name, std::string_view& text) {
    Loaded& loaded = *static_cast<Loaded*>(self);
    loaded.included_.emplace_back();
    std::ifstream file(std::string(name), std::ios::binary);
    if (!file) return false;
    loaded.included_.back().assign(std::istreambuf_iterator<char>(file),
                                   std::istreambuf_iterator<char>());
    text = loaded.included_.back();
    return true;
  }

  std::vector<u8> region_;
  Arena arena_;
  std::list<std::string> included_;
  std::string name_;
  std::string text_;
  bool is_read_;
  Source source_;

 public:
  std::string messages;

 private:
  Diagnostics diagnostics_;

 public:
  promela::System system;
  Status status;
};

}  // namespace xmc::promela_test
