// The skeleton of an emitted checker for a program with rules; emit_template.cc says how skeletons
// are used. What is not made from a model is in xmc/native_rules.h.
#include "xmc/native.h"
#include "xmc/native_rules.h"

namespace {

using namespace xmc;
using namespace xmc::native;

//[[constants]]
constexpr char kFile[] = "toy.m";
constexpr char kLanguage[] = "murphi";
constexpr char kText[] = "var x: 0..1; startstate x := 0 end; rule x = 0 ==> x := 1 end;";
constexpr char kPropertyForm[] = "";
constexpr char kPropertyName[] = "";
constexpr char kProperty[] = "";
constexpr char kFairness[] = "none";
constexpr char kDialect[] = "";
constexpr char kReduce[] = "off";
constexpr u64 kProgramHash = 0;
constexpr u32 kWords = 1;
[[maybe_unused]] constexpr i64 kLeafCount = 1;
//[[end]]

using Sink = RuleSink<kWords>;

// Functions of small models are left to the compiler to inline.
#define XMC_RULE [[maybe_unused]] static

//[[program]]
[[maybe_unused]] constexpr LeafSlot kLeaf[] = {{0, 0, 2, -1}};

XMC_RULE void rule_0(const Word* __restrict s, Sink& sink, i64*) {
  i64 r0 = leaf<0, 0, 2, -1>(s);
  if (r0 == kUndefined) return sink.failed(0, 1);
  if (r0 != 0) return;
  Word* __restrict n = sink.begin(s);
  put<0, 0, 2, -1>(n, 1);
  sink.step(0);
}

inline u32 violated(const Word*, i64*, StepWork&) { return kNone; }
inline void try_all(const Word* s, Sink& sink, i64* cells) { rule_0(s, sink, cells); }
//[[end]]

Expansion expand(const NativeScratch& scratch, const Word* s, const SuccessorBuffer& out) {
  Sink sink{out, *scratch.work};
  sink.result.violated = violated(s, scratch.cells, *scratch.work);
  try_all(s, sink, scratch.cells);
  if (!sink.any) sink.result.flags |= kDeadlock;
  return sink.result;
}

constexpr NativeModel kNative = {kFile,         kLanguage,     kText,     sizeof(kText) - 1,
                                 kPropertyForm, kPropertyName, kProperty, sizeof(kProperty) - 1,
                                 kFairness,     kDialect,      kReduce,   kProgramHash,
                                 kWords,        nullptr,       expand,    nullptr};

}  // namespace

int main(int argc, char** argv) { return xmc::run_cli(argc, argv, &kNative); }
