// Feeds arbitrary bytes to the preprocessor and parser of Promela and checks what comes out: what
// every consumer of an accepted model takes for granted.
//
// With libFuzzer:   clang++ -fsanitize=fuzzer,address,undefined ... tools/fuzz_promela.cc
// src/front/*.cc src/front/promela/*.cc src/core/*.cc
//                   ./fuzz_promela -dict=tests/fuzz/promela.dict -runs=1000000 CORPUS
//                                  tests/fuzz/promela
// Without:          g++ -DXMC_FUZZ_STANDALONE -fsanitize=address,undefined ... the same sources
//                   ./fuzz_promela --seed 1 --runs 1000000 tests/fuzz/promela/*
//
// An input is a model; what follows its last form feed, if there is one, is the text of every file
// that it includes. The arena is small on purpose: running out of it is part of the test, and ends
// that input by a jump.
#include <csetjmp>
#include <cstdlib>
#include <string_view>

#include "front/promela/parser.h"
#include "tests/promela/system_check.h"
#include "xmc/check.h"

namespace {

using namespace xmc;
using promela::System;

constexpr u64 kRegionBytes = u64{3} << 20;
alignas(64) u8 region[kRegionBytes];
std::jmp_buf arena_exhausted;

void on_exhaustion(const Arena&, const char*, u64) { std::longjmp(arena_exhausted, 1); }

u64 message_bytes = 0;
u64 accepted = 0;
void count_message(void*, std::string_view text) { message_bytes += text.size(); }

bool read_included(void* self, std::string_view, std::string_view& text) {
  text = *static_cast<std::string_view*>(self);
  return true;
}

void parse_and_check(std::string_view input) {
  const std::size_t feed = input.rfind('\f');
  const std::string_view model = input.substr(0, feed);
  std::string_view included = feed == std::string_view::npos ? "" : input.substr(feed + 1);
  Arena arena(region);
  arena.set_exhaustion_hook(on_exhaustion);
  const Source source{"folder/fuzz.pml", model};
  Diagnostics diagnostics(source, count_message, nullptr);
  System system(arena);
  const promela::Definition definitions[] = {{"N", "2"}, {"FLAG", ""}};
  const Status parsed =
      promela::parse(source, {definitions, {read_included, &included}}, diagnostics, arena, system);
  XMC_CHECK(parsed.ok() == (diagnostics.error_count() == 0));
  if (!parsed.ok()) return;
  ++accepted;
  promela_test::check_system(system);
}

void run_one(std::string_view input) {
  if (setjmp(arena_exhausted) == 0) parse_and_check(input);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  run_one({reinterpret_cast<const char*>(data), size});
  return 0;
}

#ifdef XMC_FUZZ_STANDALONE

#include "tools/fuzz_text.h"

namespace {

constexpr std::string_view kPieces[] = {
    "active ",
    "proctype ",
    "init ",
    "never ",
    "ltl ",
    "inline ",
    "typedef ",
    "mtype ",
    "chan ",
    "byte ",
    "bit ",
    "short ",
    "int ",
    "unsigned ",
    "hidden ",
    "if ",
    "fi ",
    "do ",
    "od ",
    ":: ",
    "else ",
    "-> ",
    "; ",
    "goto ",
    "break ",
    "atomic {",
    "d_step {",
    "unless {",
    "for (",
    "select (",
    "run ",
    "assert(",
    "printf(\"",
    "provided (",
    "priority ",
    "timeout ",
    "len(",
    "full(",
    "eval(",
    "enabled(",
    "np_ ",
    "skip ",
    "true ",
    "return ",
    "xr ",
    "_pid",
    "_nr_pr",
    "_last",
    "_priority",
    "_",
    "P[0]@L",
    "P:x",
    "L: ",
    "end: ",
    "accept: ",
    " of {",
    "[2]",
    "[0]",
    "[1] of {",
    "..",
    " in ",
    "!",
    "!!",
    "?",
    "??",
    "?[",
    "?<",
    "=",
    "==",
    "!=",
    "<=",
    "<<",
    "&&",
    "||",
    "&",
    "|",
    "^",
    "~",
    "-",
    "+",
    "++",
    "--",
    "*",
    "/",
    "%",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ".",
    ":",
    "@",
    "[] ",
    "<> ",
    " U ",
    " W ",
    " X ",
    "<->",
    "#define A ",
    "#define F(a) ",
    "#undef ",
    "#if ",
    "#ifdef ",
    "#elif ",
    "#else\n",
    "#endif\n",
    "#include \"f\"\n",
    "#error ",
    "##",
    "#",
    "\\\n",
    "\n",
    "//",
    "/*",
    "*/",
    "'",
    "\"",
    "\f",
    "0",
    "1",
    "255",
    "4294967295",
    "x",
    "c",
    "m",
    "N",
    "A",
    "F(",
    "T ",
    "t.a",
    "a[0]",
    "\xFF",
    "c_code {",
};

}  // namespace

int main(int argc, char** argv) {
  const int status = fuzz_text::main(
      {"fuzz_promela", kPieces, "byte x; active proctype P() { x = 1 }", run_one}, argc, argv);
  std::fprintf(stderr, "%llu bytes of messages, %llu models accepted\n",
               static_cast<unsigned long long>(message_bytes),
               static_cast<unsigned long long>(accepted));
  return status;
}

#endif
