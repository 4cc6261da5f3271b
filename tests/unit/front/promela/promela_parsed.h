// A Promela model parsed for a test, with its messages, and printers of tokens and graphs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "front/promela/parser.h"
#include "messages.h"
#include "tests/promela/system_check.h"

namespace xmc::test {

// Files that a text of a test may include: "one.h" and "two.h"; "self.h" includes itself.
inline bool read_included(void*, std::string_view name, std::string_view& text) {
  if (name == "folder/one.h") text = "byte one;\n#include \"sub/two.h\"\n";
  if (name == "folder/sub/two.h") text = "#define TWO 22\nbyte two\n";
  if (name == "folder/self.h") text = "#include \"self.h\"\n";
  if (name == "folder/open.h") text = "#if 1\nbyte open;\n";
  if (name == "folder/wrong.h") text = "byte x;\nbyte x;\n";
  return !text.empty();
}

struct ParsedPromela {
  explicit ParsedPromela(std::string_view model,
                         const std::vector<promela::Definition>& definitions = {})
      : text(model),
        region(std::size_t{16} << 20),
        arena(region),
        source{"folder/test.pml", text.view()},
        diagnostics(source, collect, &messages),
        system(arena),
        status(promela::parse(source, {definitions, {read_included, nullptr}}, diagnostics, arena,
                              system)) {
    if (status.ok()) promela_test::check_system(system);
  }
  ParsedPromela(const ParsedPromela&) = delete;

  bool ok() const { return status.ok(); }
  bool says(std::string_view what) const { return messages.find(what) != std::string::npos; }

  ExactText text;
  std::vector<u8> region;
  Arena arena;
  Source source;
  std::string messages;
  Diagnostics diagnostics;
  promela::System system;
  Status status;
};

// What the preprocessor makes of a text: its tokens with blanks in between, or its messages. An
// implied semicolon is shown as ";;".
inline std::string tokens_of(std::string_view text,
                             const std::vector<promela::Definition>& definitions = {}) {
  const ExactText exact(text);
  std::vector<u8> region(std::size_t{16} << 20);
  Arena arena(region);
  const Source source{"folder/test.pml", exact.view()};
  std::string messages;
  Diagnostics diagnostics(source, collect, &messages);
  promela::Files files(arena, "files");
  promela::Tokens tokens(arena, "tokens");
  promela::preprocess(source, definitions, {read_included, nullptr}, {}, diagnostics, arena, files,
                      tokens);
  if (diagnostics.error_count() > 0) return messages;
  std::string out;
  for (u32 i = 0; i + 1 < tokens.size(); ++i) {
    if (i > 0) out += ' ';
    out += tokens[i].is_implied ? ";;" : std::string(tokens[i].text);
  }
  return out;
}

// The graph of the first proctype: its places in the order in which they are met, each with the
// texts of its statements, where they lead, '+' for those that keep control, and '^' for escapes.
inline std::string graph_of(const ParsedPromela& parsed) {
  if (!parsed.ok()) return parsed.messages;
  const promela::System& system = parsed.system;
  const promela::Proctype& proctype = system.proctypes[0];
  std::vector<promela::PlaceId> met{proctype.start};
  const auto number = [&](promela::PlaceId place) -> std::string {
    if (system.places[place].is_last) return "end";
    for (std::size_t i = 0; i < met.size(); ++i) {
      if (met[i] == place) return std::to_string(i);
    }
    met.push_back(place);
    return std::to_string(met.size() - 1);
  };
  std::string out;
  for (std::size_t i = 0; i < met.size(); ++i) {
    const promela::Place& place = system.places[met[i]];
    if (place.is_last) continue;
    out += std::to_string(i) + (place.is_indivisible ? "d:" : ":");
    for (u32 j = 0; j < place.option_count; ++j) {
      const promela::Option& option = system.options[place.first_option + j];
      const promela::Action& action = system.actions[option.action];
      out += j > 0 ? ", " : " ";
      out += option.escape != 0 ? "^" : "";
      const auto size = action.place.end - action.place.begin;
      out += std::string(piece_of(parsed.source.text, action.place.begin, size));
      if (action.body != kNone) out += " [" + number(action.body) + "]";
      out += (action.keeps_control ? " +" : " ") + number(action.next);
    }
    out += "\n";
  }
  return out;
}

inline std::string graph_of_body(std::string_view body) {
  return graph_of(ParsedPromela("byte x, y; active proctype P() { " + std::string(body) + " }"));
}

}  // namespace xmc::test
