// From the text of a model, and the texts that it includes, to tokens of Promela: what cpp does for
// other checkers, as far as models use it. Macros with and without parameters, # and ##, #undef,
// #include "file", #if and its relatives, #error and #warning; #line and #pragma are ignored.
//
// Every table has a limit of xmc/limits.h; reaching one is a message, and the rest is not read.
#pragma once

#include <span>
#include <string_view>

#include "front/promela/text/tokens.h"
#include "front/source.h"
#include "xmc/arena.h"

namespace xmc::promela {

// A macro from outside the text: NAME=VALUE of --define; no value is 1.
struct Definition {
  std::string_view name;
  std::string_view value;
};

// How the text of an included file is read: its name is relative to the folder of the first text,
// or to wherever that one is relative to. False: there is no such file. The text has to stay.
struct IncludeReader {
  bool (*read)(void* self, std::string_view name, std::string_view& text) = nullptr;
  void* self = nullptr;
};

// Expressions and formulas from elsewhere that are read behind the text, as ltl blocks without a
// name would be: macros of the model are known in them. Their places are counted on behind it.
using AskedTexts = std::span<const Source>;

using Files = Pool<Source, 3, 64>;

// Fills `tokens`, the last one is Tok::end, and `files` with the source and all that it includes.
// What is wrong is reported.
void preprocess(const Source& source, std::span<const Definition> definitions,
                const IncludeReader& reader, AskedTexts asked, Diagnostics& diagnostics,
                Arena& arena, Files& files, Tokens& tokens);

}  // namespace xmc::promela
