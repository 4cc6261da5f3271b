#include "cli/help.h"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>

using namespace xmc;

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

}  // namespace

TEST_CASE("help names every option of its command, in lines of at most 100 columns") {
  for (u32 i = 0; i < kCommands; ++i) {
    const Command command = static_cast<Command>(i);
    const std::string text = text_of([&](Output& out) { write_help(out, command); });
    for (const OptionInfo& info : option_table()) {
      CAPTURE(info.name);
      const std::string line = "--" + std::string(info.name) + (info.metavar.empty() ? "" : " ");
      CHECK((text.find(line) != std::string::npos) == info.used_by(command));
    }
  }
  const std::string text = text_of([](Output& out) { write_help(out); });
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 100);
  for (const CommandInfo& info : kCommandTable)
    CHECK(text.find("  " + std::string(info.name) + " ") != text.npos);
  CHECK(text.find("  75  stopped with a valid checkpoint\n") != std::string::npos);
}

TEST_CASE("the files under ports are what help prints") {
  CHECK(file_text("ports/man/xmc-lite.1") == text_of([](Output& out) { write_man_page(out); }));
  CHECK(file_text("ports/completions/xmc-lite.bash") ==
        text_of([](Output& out) { write_bash_completion(out); }));
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
