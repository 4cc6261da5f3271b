// Feeds arbitrary bytes to the Murphi parser and checks what comes out: what every consumer of an
// accepted model takes for granted.
//
// With libFuzzer:   clang++ -fsanitize=fuzzer,address,undefined ... tools/fuzz_murphi.cc
// src/front/*.cc src/front/murphi/*.cc src/core/*.cc
//                   ./fuzz_murphi -dict=tests/fuzz/murphi.dict -runs=1000000 CORPUS
//                                 tests/fuzz/murphi
// Without:          g++ -DXMC_FUZZ_STANDALONE -fsanitize=address,undefined ... the same sources
//                   ./fuzz_murphi --seed 1 --runs 1000000 tests/fuzz/murphi/*
//
// An input is a model, parsed in both dialects; what follows its last form feed, if there is one,
// is an expression in the manner of --invariant. The arena is small on purpose: running out of it
// is part of the test, and ends that input by a jump.
#include <csetjmp>
#include <cstdlib>
#include <string_view>

#include "front/murphi/parser.h"
#include "tests/murphi/tree_check.h"
#include "xmc/check.h"

namespace {

using namespace xmc;
using murphi::System;

constexpr u64 kRegionBytes = u64{2} << 20;
alignas(64) u8 region[kRegionBytes];
std::jmp_buf arena_exhausted;

void on_exhaustion(const Arena&, const char*, u64) { std::longjmp(arena_exhausted, 1); }

u64 message_bytes = 0;
u64 accepted = 0;
void count_message(void*, std::string_view text) { message_bytes += text.size(); }

void parse_and_check(std::string_view input, murphi::Dialect dialect) {
  const std::size_t feed = input.rfind('\f');
  const std::string_view model = input.substr(0, feed);
  Arena arena(region);
  arena.set_exhaustion_hook(on_exhaustion);
  const Source source{"fuzz.m", model};
  Diagnostics diagnostics(source, count_message, nullptr);
  System system(arena);
  const Status parsed = murphi::parse(source, diagnostics, arena, dialect, system);
  XMC_CHECK(parsed.ok() == (diagnostics.error_count() == 0));
  if (!parsed.ok()) return;
  ++accepted;
  murphi_test::check_tree(system);
  if (feed == std::string_view::npos) return;
  const Source command{"--invariant", input.substr(feed + 1)};
  Diagnostics command_diagnostics(command, count_message, nullptr);
  const Result<murphi::ExprId> made =
      murphi::parse_expression(command, command_diagnostics, arena, dialect, system);
  XMC_CHECK(made.ok() == (command_diagnostics.error_count() == 0));
  if (!made.ok()) return;
  XMC_CHECK(system.expressions[made.value()].type == murphi::kBooleanType);
  murphi_test::check_tree(system);
}

void run_one(std::string_view input) {
  if (setjmp(arena_exhausted) == 0) parse_and_check(input, murphi::Dialect::cmurphi);
  if (setjmp(arena_exhausted) == 0) parse_and_check(input, murphi::Dialect::rumur);
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
    "rule ",
    "ruleset ",
    "startstate ",
    "invariant ",
    "function ",
    "procedure ",
    "const ",
    "type ",
    "var ",
    "begin ",
    "end;",
    "if ",
    "then ",
    "elsif ",
    "else ",
    "switch ",
    "case ",
    "for ",
    "while ",
    "do ",
    "alias ",
    "choose ",
    "forall ",
    "exists ",
    "endforall ",
    "record ",
    "array [",
    "] of ",
    "enum {",
    "scalarset(",
    "union {",
    "multiset [",
    "boolean",
    "0..3",
    "return ",
    "undefine ",
    "clear ",
    "error \"",
    "assert ",
    "put ",
    "isundefined(",
    "ismember(",
    "multisetcount(",
    "multisetadd(",
    "multisetremove(",
    "multisetremovepred(",
    "undefined",
    "assume ",
    "cover ",
    "liveness ",
    "real(1, 2)",
    "pctl ",
    "externfun ",
    ":=",
    "==>",
    "..",
    "->",
    "=",
    "!=",
    "<=",
    "&",
    "|",
    "!",
    "-",
    "+",
    "*",
    "/",
    "%",
    "?",
    ":",
    ";",
    ",",
    ".",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "~",
    "<<",
    "^",
    "\"",
    "--",
    "/*",
    "*/",
    "\f",
    "0",
    "1",
    "-1",
    "9223372036854775807",
    "2147483648",
    " to ",
    " by ",
    "\xE2\x88\x80",
    "x",
    "y",
    "a[0]",
    "r.f",
    "m",
    "i",
    "\xFF",
    "\n",
};

}  // namespace

int main(int argc, char** argv) {
  const int status =
      fuzz_text::main({"fuzz_murphi", kPieces,
                       "var x: 0..1; startstate begin end; rule begin x := 1; end;", run_one},
                      argc, argv);
  std::fprintf(stderr, "%llu bytes of messages, %llu models accepted\n",
               static_cast<unsigned long long>(message_bytes),
               static_cast<unsigned long long>(accepted));
  return status;
}

#endif
