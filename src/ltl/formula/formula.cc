#include "ltl/formula/formula.h"

#include <algorithm>

#include "xmc/bytes.h"

namespace xmc::ltl {

namespace {

constexpr u32 kTableSize = 2 * limits::kFormulaNodes;
static_assert((kTableSize & (kTableSize - 1)) == 0);

u32 hash_of(const Node& node) {
  u32 h = static_cast<u32>(node.op) * 0x9E3779B1u;
  h = (h ^ node.a) * 0x85EBCA77u;
  h = (h ^ (h >> 15) ^ node.b) * 0xC2B2AE3Du;
  return h ^ (h >> 16);
}

}  // namespace

Formulas::Formulas(Arena& arena)
    : nodes_(static_cast<Node*>(arena.scratch("formulas", limits::kFormulaNodes * sizeof(Node))),
             limits::kFormulaNodes),
      table_(static_cast<u32*>(arena.scratch("formulas", kTableSize * sizeof(u32))), kTableSize) {
  fill_zero(table_);
  make(Op::falsity);
  make(Op::truth);
}

u32& Formulas::slot(const Node& node) {
  u32 at = hash_of(node) & (kTableSize - 1);
  while (table_[at] != 0) {
    const Node& other = nodes_[table_[at] - 1];
    if (other.op == node.op && other.a == node.a && other.b == node.b) break;
    at = (at + 1) & (kTableSize - 1);
  }
  return table_[at];
}

// Etessami and Holzmann's classes, on formulas in negation normal form.
void Formulas::classify(Node& node) const {
  const auto both = [&](bool Node::*which) {
    return nodes_[node.a].*which && nodes_[node.b].*which;
  };
  switch (node.op) {
    case Op::falsity:
    case Op::truth:
      node.eventual = node.universal = true;
      return;
    case Op::next:
      node.eventual = nodes_[node.a].eventual;
      node.universal = nodes_[node.a].universal;
      return;
    case Op::finally:
      node.eventual = true;
      node.universal = nodes_[node.a].universal;
      return;
    case Op::globally:
      node.universal = true;
      node.eventual = nodes_[node.a].eventual;
      return;
    case Op::conjunction:
    case Op::disjunction:
      node.eventual = both(&Node::eventual);
      node.universal = both(&Node::universal);
      return;
    case Op::until:
      node.eventual = nodes_[node.b].eventual;
      node.universal = both(&Node::universal);
      return;
    case Op::release:
      node.eventual = both(&Node::eventual);
      node.universal = nodes_[node.b].universal;
      return;
    default:
      return;
  }
}

void Formulas::refuse() {
  status_ = Status::fail(Code::model,
                         "the formula has more than %u different parts; check its conjuncts one "
                         "by one",
                         limits::kFormulaNodes);
}

Formula Formulas::make(Op op, u32 a, u32 b) {
  if (!status_.ok()) return kFalse;
  Node node{.op = op, .a = a, .b = b};
  u32& found = slot(node);
  if (found != 0) return found - 1;
  u32 depth = 0;
  if (is_unary(op) || is_binary(op)) depth = nodes_[a].depth;
  if (is_binary(op)) depth = std::max<u32>(depth, nodes_[b].depth);
  if (depth == limits::kFormulaDepth) {
    status_ = Status::fail(Code::model,
                           "the formula is nested more than %u operators deep; long chains of one "
                           "operator need parentheses around parts of them",
                           limits::kFormulaDepth);
    return kFalse;
  }
  if (size_ == nodes_.size()) {
    refuse();
    return kFalse;
  }
  node.depth = static_cast<u16>(depth + 1);
  classify(node);
  nodes_[size_] = node;
  found = ++size_;
  return size_ - 1;
}

}  // namespace xmc::ltl
