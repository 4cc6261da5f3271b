// Every compile-time limit of the tool, with the reason for its value. Reaching one is a message
// that names the number and the remedy; nothing in the tool grows without a line here or a byte
// budget.
#pragma once

#include "xmc/types.h"

namespace xmc::limits {

// --ram below this cannot hold the code, the stack and one I/O buffer.
inline constexpr u64 kRamMinimum = u64{4} << 20;
inline constexpr u64 kRamDefault = u64{32} << 20;

// A packed state. 128 words hold 1 KB: the widest BEEM model needs 169 bytes before packing, and a
// cache coherence protocol with data in its lines and messages about 1000.
inline constexpr u32 kStateWords = 128;

// A key of a store. The bits of a state are put in another order for a diagram, as digits of up to
// 8 bits that do not straddle words, so that each word but the last has at least 57 bits of the
// state. Engines that put numbers beside a state need no more: two words are the most.
inline constexpr u32 kKeyWords = kStateWords * 64 / 57 + 1;
static_assert(kKeyWords >= kStateWords + 2);

// Parentheses and unary chains of an expression: the parser recurses, so its stack is bounded here.
inline constexpr u32 kExpressionDepth = 256;

// Height of an expression tree, long chains of one operator included: evaluation recurses over it
// in the replayer, and 1000 levels cost about 100 KiB of stack.
inline constexpr u32 kTreeDepth = 1000;

// Statements, rulesets, records and arrays of Murphi, statements of Promela one inside the other:
// parsers and consumers of the tree recurse.
inline constexpr u32 kBlockDepth = 64;

// Simple values that one type of Murphi holds, array elements and record fields counted through:
// far beyond kStateWords, and small enough for 32-bit sums.
inline constexpr u32 kLeaves = 1u << 20;

// Model text, in bytes; positions in it are 32-bit.
inline constexpr u32 kSourceBytes = u32{256} << 20;

// An identifier; longer ones are an error, never cut.
inline constexpr u32 kNameBytes = 255;

// Elements of one array and cells of one buffered channel.
inline constexpr u32 kArrayElements = 4096;

// Elements of an array that --reduce dead looks at: a step to where they are all dead has an
// assignment for each.
inline constexpr u32 kDeadElements = 64;

// Steps of a model that --reduce steps leaves some out of: what a step does to each of the others
// is a table of bits, 2 MiB at most.
inline constexpr u32 kReducedSteps = 4096;

// Processes of a system: step labels and lock-step tables use 16-bit process numbers.
inline constexpr u32 kProcesses = 1024;

// Local states of one process.
inline constexpr u32 kLocations = 65535;

// Values carried by one synchronisation.
inline constexpr u32 kSyncValues = 64;

// Successors of one state: the plan reserves a buffer for the static bound of the model.
inline constexpr u32 kSuccessors = 1u << 20;

// Rendezvous pairs (sender transition, receiver transition) that a model may have in its text.
inline constexpr u32 kSteps = 1u << 22;

// Depth of the evaluation stack of one expression in the bytecode machine.
inline constexpr u32 kVmStack = 512;

// Values of all scalarsets that symmetry reduction permutes: its search for a canonical form has a
// partition of them for each.
inline constexpr u32 kAtoms = 256;

// Covers, and instances of liveness properties: each kind is told by the bits of one word.
inline constexpr u32 kMarks = 32;

// Calls of routines in one another, in languages that have routines.
inline constexpr u32 kCallDepth = 64;

// Of the statements behind a step that keep control: states that are remembered meanwhile, those on
// the way and those that are still to be followed; and ways in which they end, each a successor.
inline constexpr u32 kChainStates = 4096;
inline constexpr u32 kChainEnds = 4096;

// The states that are remembered take that much at most, in each machine; wide ones are fewer.
inline constexpr u32 kChainBytes = 256 << 10;

// States inside of chains that are followed one by one; behind these, a state that comes again is
// not followed again. So few that short chains are not slowed down by keeping them in mind.
inline constexpr u32 kChainPlain = 256;

// Ways round, each an error, that are told apart in the chains of one state: their number has no
// bound in the size of the model.
inline constexpr u32 kChainRounds = 4096;

// Turns of loops, calls of routines and states of chains in one step: about a minute of them. It is
// the same on every machine, so that a run ends with the same answer everywhere; --step-work has
// another number.
inline constexpr u64 kStepWork = u64{1} << 32;

// Iterations of a loop that need not end by itself. CMurphi has the same limit.
inline constexpr u32 kLoopTurns = 1000;

// Preprocessor of Promela. Macros in arguments of macros and parentheses of #if recurse; the number
// of expansions bounds what macros that name each other twice can do.
inline constexpr u32 kMacroDepth = 64;
inline constexpr u32 kMacroParameters = 32;
inline constexpr u32 kMacroExpansions = 1u << 20;
inline constexpr u32 kIncludeDepth = 16;
inline constexpr u32 kConditionalDepth = 64;

// Tokens of a Promela model after its preprocessor; and those that are read in all, bodies of
// inlines counted at each of their calls.
inline constexpr u32 kTokens = 1u << 20;
inline constexpr u32 kTokensRead = 1u << 22;

// Processes and channels of Promela that are alive at once: numbers of both are bytes, 0 is no
// channel.
inline constexpr u32 kPromelaNumbers = 255;

// Where no bound on the processes of a Promela model is proved, it gets room for as many as keep
// within these: statements, each counted for all that it can be about (slots, places, channels,
// receivers), and bits of a state. --max-procs says otherwise.
inline constexpr u32 kAssumedStatements = 4096;
inline constexpr u32 kAssumedBits = 1024;

// Statements inside one d_step: more are an endless loop.
inline constexpr u32 kIndivisibleSteps = 1000000;

// --threads. In most engines the main thread inserts what all of them expand, so that more would
// only wait.
inline constexpr u32 kThreads = 16;

// Owners of a divided search.
inline constexpr u32 kOwners = 64;
static_assert(kThreads <= kOwners);

// Propositions of a formula or automaton: a valuation is one 32-bit word.
inline constexpr u32 kPropositions = 32;

// Text of a formula, and of an automaton from elsewhere.
inline constexpr u32 kFormulaBytes = 64 << 10;
inline constexpr u32 kAutomatonBytes = 4 << 20;

// Operators of a formula one inside the other: parser and translation recurse.
inline constexpr u32 kFormulaDepth = 256;

// Different subformulas, those that rewriting makes included: 16 bytes each.
inline constexpr u32 kFormulaNodes = 1u << 12;

// Subformulas that a state of a tableau can owe to the next one: a set of them is four words.
inline constexpr u32 kObligations = 256;

// Ways in which all obligations of one state can be met at once, and edges that leave it.
inline constexpr u32 kTableauTerms = 1u << 12;

// Acceptance sets of a generalized automaton: one word of marks on each edge.
inline constexpr u32 kAcceptanceSets = 64;

// Cubes of one guard in an automaton from elsewhere.
inline constexpr u32 kGuardCubes = 1024;

// States and edges (one cube each) of an automaton while it is made or read. The product with a
// model multiplies its states by these: an automaton of that size is of no use.
inline constexpr u32 kAutomatonStates = 4096;
inline constexpr u32 kAutomatonEdges = 1u << 16;

// Elementary steps of a translation, about a second's worth: comparisons of edges and cubes.
inline constexpr u64 kTranslationSteps = u64{1} << 28;

// Named carves that the arena can list in a plan.
inline constexpr u32 kCarves = 48;

// Size of the message in a Status.
inline constexpr u32 kMessageBytes = 320;

}  // namespace xmc::limits
