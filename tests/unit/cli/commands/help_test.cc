#include "cli/commands/help.h"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>

using namespace xmc;

namespace help_test {

namespace {

std::string g_text;

template <class Writer>
std::string text_of(Writer writer) {
  g_text.clear();
  char buffer[256];
  Output out(
      buffer,
      [](void*, std::string_view bytes) {
        g_text += bytes;
        return Status();
      },
      nullptr);
  writer(out);
  CHECK(out.flush().ok());
  return g_text;
}

std::string file_text(const char* path) {
  std::ifstream file(path);
  std::ostringstream contents;
  contents << file.rdbuf();
  return contents.str();
}

struct Shape {
  std::size_t lines = 0;
  std::size_t columns = 0;
};
Shape shape_of(const std::string& text) {
  Shape shape;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line); ++shape.lines)
    shape.columns = std::max(shape.columns, line.size());
  return shape;
}

}  // namespace

TEST_CASE("help names every option of its command, in lines of at most 80 columns") {
  for (u32 i = 0; i < kCommands; ++i) {
    const Command command = static_cast<Command>(i);
    const std::string text = text_of([&](Output& out) { write_help(out, command); });
    for (const OptionInfo& info : option_table()) {
      CAPTURE(info.name);
      const std::string line = "--" + std::string(info.name) + (info.metavar.empty() ? "" : " ");
      CHECK((text.find(line) != std::string::npos) == info.used_by(command));
    }
    CHECK(shape_of(text).columns <= 80);
  }
  const std::string text = text_of([](Output& out) { write_help_all(out); });
  CHECK(shape_of(text).columns <= 80);
  for (const CommandInfo& info : kCommandTable)
    CHECK(text.find("  " + std::string(info.name) + " ") != text.npos);
  CHECK(text.find("  75  stopped with a valid checkpoint;") != std::string::npos);
}

TEST_CASE("the first help fits a screen") {
  const std::string text = text_of([](Output& out) { write_help(out); });
  CHECK(shape_of(text).columns <= 80);
  CHECK(shape_of(text).lines <= 23);  // and the prompt
  for (const char* part : {"--ram SIZE", "--invariant EXPR", "--json FILE", "--help all", " resume",
                           "0 holds, 1 violated"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
  for (const CommandInfo& info : kCommandTable)
    CHECK(text.find(" " + std::string(info.name)) != std::string::npos);
}

TEST_CASE("the files under ports are what help prints") {
  CHECK(file_text("ports/man/xmc-lite.1") == text_of([](Output& out) { write_man_page(out); }));
  CHECK(file_text("ports/completions/xmc-lite.bash") ==
        text_of([](Output& out) { write_bash_completion(out); }));
  CHECK(file_text("ports/completions/_xmc-lite") ==
        text_of([](Output& out) { write_zsh_completion(out); }));
  CHECK(file_text("ports/completions/xmc-lite.fish") ==
        text_of([](Output& out) { write_fish_completion(out); }));
}

TEST_CASE("the man page has its sections and every option") {
  const std::string text = text_of([](Output& out) { write_man_page(out); });
  for (const char* section : {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "FILES",
                              "SIGNALS", "EXAMPLES"}) {
    CAPTURE(section);
    CHECK(text.find(std::string(".SH ") + section + "\n") != std::string::npos);
  }
  CHECK(text.find("\\-\\-trace\\-style\\fR \\fIdiff|full|none") != std::string::npos);
}

}  // namespace help_test
