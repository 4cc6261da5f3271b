// The skeleton of an emitted checker for a generator; emit_template.cc says how skeletons are used.
// What is not made from a model is in xmc/native_generators.h.
#include "xmc/native.h"
#include "xmc/native_generators.h"

namespace {

using namespace xmc;
using namespace xmc::native;

//[[constants]]
constexpr char kFile[] = "toy.pml";
constexpr char kLanguage[] = "promela";
constexpr char kText[] = "bit x; active proctype P() { x = 1 }";
constexpr char kPropertyForm[] = "";
constexpr char kPropertyName[] = "";
constexpr char kProperty[] = "";
constexpr char kFairness[] = "none";
constexpr char kDialect[] = "";
constexpr char kReduce[] = "off";
constexpr u64 kProgramHash = 0;
constexpr u32 kWords = 1;
constexpr u32 kChainEnds = 0;
[[maybe_unused]] constexpr i64 kLeafCount = 1;
//[[end]]

using Sink = GeneratorSink<kWords, kChainEnds>;
using Places = TotalPlaces;

// Functions of small models are left to the compiler to inline.
#define XMC_RULE [[maybe_unused]] static

//[[program]]
[[maybe_unused]] constexpr LeafSlot kLeaf[] = {{0, 0, 1, 0}};

XMC_RULE void body_0(const Word* s, Sink& sink, i64*) {
  if (total<0, 0, 1, 0>(s) != 0) return;
  Word* __restrict n = sink.begin(s);
  put_total<0, 0, 1, 0>(n, 1);
  sink.yield(0);
}

inline u32 violated(const Word*, i64*, StepWork&) { return kNone; }
[[maybe_unused]] void ask(u32, const Word* s, Sink& sink, i64* cells) { body_0(s, sink, cells); }
inline void try_all(const Word* s, Sink& sink, i64* cells) {
  const auto go_on = [&](u32 rule, const Word* from) { ask(rule, from, sink, cells); };
  body_0(s, sink, cells);
  sink.follow(go_on);
}
//[[end]]

Expansion expand(const NativeScratch& scratch, const Word* s, const SuccessorBuffer& out) {
  Sink sink{out, scratch};
  sink.result.violated = violated(s, scratch.cells, *scratch.work);
  try_all(s, sink, scratch.cells);
  if (!sink.any && sink.result.errors == 0) sink.result.flags |= kDeadlock;
  return sink.result;
}

constexpr NativeModel kNative = {kFile,         kLanguage,     kText,     sizeof(kText) - 1,
                                 kPropertyForm, kPropertyName, kProperty, sizeof(kProperty) - 1,
                                 kFairness,     kDialect,      kReduce,   kProgramHash,
                                 kWords,        nullptr,       nullptr,   expand};

}  // namespace

int main(int argc, char** argv) { return xmc::run_cli(argc, argv, &kNative); }
