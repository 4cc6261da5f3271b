#include "engine/symbolic/saturation.h"

#include "xmc/check.h"

namespace xmc {

namespace {

constexpr Node kEnd = SetDiagram::kEnd;

// With a level behind it, one operand of the cache.
constexpr u32 kLevelBits = 12;

}  // namespace

void Saturation::init(SetDiagram& diagram, Relations& relations, Exploration& exploration,
                      u32 levels) {
  XMC_CHECK(levels < 1u << kLevelBits);
  d_ = &diagram;
  relations_ = &relations;
  exploration_ = &exploration;
  levels_ = levels;
}

// The relation stays alive even if it grows meanwhile, and is another one then.
Node Saturation::image(Node set, u32 group, u32 level) {
  const Node relation = relations_->joined(group);
  const u32 base = d_->mark();
  d_->push(0, relation);
  const Node result = d_->stopped() ? kEmptySet : image(set, relation, group, 0, level);
  d_->release(base);
  return result;
}

Node Saturation::image(Node set, Node relation, u32 group, u32 i, u32 level) {
  if (set == kEmptySet || relation == kEmptySet || d_->stopped()) return kEmptySet;
  const std::span<const Support> support = relations_->support(group);
  if (i == support.size()) return set;
  const u32 where = relations_->group(group).serial << kLevelBits | level;
  const bool memo = !d_->is_single(set);
  Node known = kEmptySet;
  if (memo && d_->cache().find(SetOp::image, set, relation, where, known)) return known;
  d_->count_work();
  const u32 base = d_->mark();
  if (support[i].level != level) {
    for (Node n = set; n != kEmptySet; n = d_->right(n)) {
      const Node below = image(d_->down(n), relation, group, i, level + 1);
      if (below != kEmptySet) d_->push(d_->value(n), below, n);
    }
  } else if (support[i].touch == Touch::read) {
    image_read(set, relation, group, i, level);
  } else if (support[i].touch == Touch::both) {
    image_both(set, relation, group, i, level);
  } else {
    image_written(set, relation, group, i, level);
  }
  if (d_->stopped()) {
    d_->release(base);
    return kEmptySet;
  }
  const Node result = d_->close_unsorted(base);
  if (memo && !d_->stopped()) d_->cache().keep(SetOp::image, set, relation, where, result);
  return result;
}

void Saturation::image_read(Node set, Node relation, u32 group, u32 i, u32 level) {
  Node r = relation;
  for (Node n = set; n != kEmptySet; n = d_->right(n)) {
    while (r != kEmptySet && d_->value(r) < d_->value(n)) r = d_->right(r);
    if (r == kEmptySet) return;
    if (d_->value(r) != d_->value(n)) continue;
    const Node below = image(d_->down(n), d_->down(r), group, i + 1, level + 1);
    if (below != kEmptySet) d_->push(d_->value(n), below, n);
  }
}

void Saturation::image_both(Node set, Node relation, u32 group, u32 i, u32 level) {
  Node r = relation;
  for (Node n = set; n != kEmptySet; n = d_->right(n)) {
    while (r != kEmptySet && d_->value(r) < d_->value(n)) r = d_->right(r);
    if (r == kEmptySet) return;
    if (d_->value(r) != d_->value(n)) continue;
    image_written(d_->down(n), d_->down(r), group, i, level);
  }
}

// A value is confirmed when something has it: domains would grow by what never occurs.
void Saturation::image_written(Node set, Node relation, u32 group, u32 i, u32 level) {
  const bool of_list = relations_->support(group)[i].touch == Touch::written;
  for (Node n = set; n != kEmptySet; n = of_list ? d_->right(n) : kEmptySet) {
    const Node from = of_list ? d_->down(n) : n;
    for (Node w = relation; w != kEmptySet; w = d_->right(w)) {
      const Node below = image(from, d_->down(w), group, i + 1, level + 1);
      if (below == kEmptySet) continue;
      d_->push(d_->value(w), below);
      exploration_->confirm(level, d_->value(w));
    }
  }
}

Node Saturation::successors(Node set) {
  for (u32 p = 0; p < exploration_->projections(); ++p) learn(p, set, 0);
  const u32 base = d_->mark();
  d_->push(0, kEmptySet);
  for (u32 g = 0; g < relations_->size() && !d_->stopped(); ++g) {
    if (relations_->group(g).role != Role::fires) continue;
    d_->add_to(base, image(set, g, 0));
  }
  const Node all = d_->at(base).down;
  d_->release(base);
  return d_->stopped() ? kEmptySet : all;
}

Node Saturation::preimage(Node set, u32 group) {
  const Node relation = relations_->joined(group);
  const u32 base = d_->mark();
  d_->push(0, relation);
  const Node result = d_->stopped() ? kEmptySet : preimage(set, relation, group, 0, 0);
  d_->release(base);
  return result;
}

Node Saturation::preimage(Node set, Node relation, u32 group, u32 i, u32 level) {
  if (set == kEmptySet || relation == kEmptySet || d_->stopped()) return kEmptySet;
  const std::span<const Support> support = relations_->support(group);
  if (i == support.size()) return set;
  const u32 where = relations_->group(group).serial << kLevelBits | level;
  Node known = kEmptySet;
  if (d_->cache().find(SetOp::preimage, set, relation, where, known)) return known;
  d_->count_work();
  const u32 base = d_->mark();
  if (support[i].level != level) {
    for (Node n = set; n != kEmptySet; n = d_->right(n)) {
      const Node below = preimage(d_->down(n), relation, group, i, level + 1);
      if (below != kEmptySet) d_->push(d_->value(n), below, n);
    }
  } else if (support[i].touch == Touch::read) {
    Node r = relation;
    for (Node n = set; n != kEmptySet; n = d_->right(n)) {
      while (r != kEmptySet && d_->value(r) < d_->value(n)) r = d_->right(r);
      if (r == kEmptySet) break;
      if (d_->value(r) != d_->value(n)) continue;
      const Node below = preimage(d_->down(n), d_->down(r), group, i + 1, level + 1);
      if (below != kEmptySet) d_->push(d_->value(n), below, n);
    }
  } else if (support[i].touch == Touch::both) {
    for (Node r = relation; r != kEmptySet; r = d_->right(r)) {
      const Node below = preimage_of_any(set, d_->down(r), group, i, level);
      if (below != kEmptySet) d_->push(d_->value(r), below);
    }
  } else {
    const Node below = preimage_of_any(set, relation, group, i, level);
    for (u32 v = 0; v < exploration_->value_count(level) && below != kEmptySet; ++v) {
      if (exploration_->is_confirmed(level, v)) d_->push(v, below);
    }
  }
  if (d_->stopped()) {
    d_->release(base);
    return kEmptySet;
  }
  const Node result = d_->close(base, kEmptySet);
  if (!d_->stopped()) d_->cache().keep(SetOp::preimage, set, relation, where, result);
  return result;
}

// What leads to any of the values that are written, below this level.
Node Saturation::preimage_of_any(Node set, Node written, u32 group, u32 i, u32 level) {
  const u32 base = d_->mark();
  d_->push(0, kEmptySet);
  Node n = set;
  for (Node w = written; w != kEmptySet && n != kEmptySet && !d_->stopped(); w = d_->right(w)) {
    while (n != kEmptySet && d_->value(n) < d_->value(w)) n = d_->right(n);
    if (n == kEmptySet || d_->value(n) != d_->value(w)) continue;
    d_->add_to(base, preimage(d_->down(n), d_->down(w), group, i + 1, level + 1));
  }
  const Node all = d_->at(base).down;
  d_->release(base);
  return d_->stopped() ? kEmptySet : all;
}

// A frame on the work stack: the set as it is; as it was after the last pass over what is below;
// then for each group of the level the set and the relation that it was last applied to.
Node Saturation::saturate(Node set, u32 level) {
  if (set <= kEnd || d_->stopped()) return set;
  const bool idle =
      relations_->first_with_top(level) == kNone && exploration_->first_projection(level) == kNone;
  const bool memo = !idle || !d_->is_single(set);
  Node known = kEmptySet;
  if (memo && d_->cache().find(SetOp::saturate, set, level, 0, known)) return known;
  const u32 base = d_->mark();
  d_->push(0, set);
  const u32 frame = d_->mark();
  d_->push(0, set);
  d_->push(0, kEmptySet);
  if (d_->stopped()) {
    d_->release(base);
    return set;
  }
  while (saturate_pass(frame, level)) {
  }
  const Node result = d_->at(frame).down;
  d_->release(base);
  if (d_->stopped()) return result;
  if (memo) d_->cache().keep(SetOp::saturate, set, level, 0, result);
  if (memo && result != set) d_->cache().keep(SetOp::saturate, result, level, 0, result);
  return result;
}

// False: nothing changed, or stopped.
bool Saturation::saturate_pass(u32 frame, u32 level) {
  const u64 rules = relations_->rules();
  const u32 projections = exploration_->projections();
  const Node before = d_->at(frame + 1).down;
  const Node below = saturate_below(d_->at(frame).down, before, level);
  if (below != kEmptySet) d_->at(frame).down = below;
  if (d_->stopped()) return false;
  d_->at(frame + 1).down = below;
  for (u32 p = exploration_->first_projection(level); p != kNone;
       p = exploration_->projection(p).next) {
    learn(p, below, level);
  }
  u32 memory = frame + 2;
  for (u32 g = relations_->first_with_top(level); g != kNone; g = relations_->group(g).next) {
    if (memory == d_->mark()) d_->push(0, kEmptySet);
    if (d_->stopped() || !fire(g, memory++, frame, level)) return false;
  }
  return d_->at(frame).down != below || relations_->rules() != rules ||
         exploration_->projections() != projections;
}

// Applies a group to what is new for it. False: stopped.
bool Saturation::fire(u32 group, u32 memory, u32 frame, u32 level) {
  const Node relation = relations_->joined(group);
  if (d_->stopped()) return false;
  SetDiagram::Element& last = d_->at(memory);
  const Node set = d_->at(frame).down;
  const u32 base = d_->mark();
  d_->push(0, relation);
  const Node fresh = last.from != relation ? set : changed_since(set, last.down);
  if (d_->stopped()) return false;
  last.down = set;
  last.from = relation;
  if (fresh == kEmptySet) {
    d_->release(base);
    return true;
  }
  d_->push(0, fresh);
  const Node more = image(fresh, relation, group, 0, level);
  d_->push(0, more);
  const Node all = d_->stopped() ? set : d_->unite(set, more);
  d_->release(base);
  if (d_->stopped()) return false;
  d_->at(frame).down = all;
  return true;
}

// Elements that the last pass left are closed below, and stay as they are.
Node Saturation::saturate_below(Node set, Node before, u32 level) {
  const u32 base = d_->mark();
  Node n = set;
  for (Node b = before; n != kEmptySet && n != b; n = d_->right(n)) {
    while (b != kEmptySet && d_->value(b) < d_->value(n)) b = d_->right(b);
    const Node down = d_->down(n);
    const bool closed = b != kEmptySet && d_->value(b) == d_->value(n) && d_->down(b) == down;
    d_->push(d_->value(n), closed ? down : saturate(down, level + 1), n);
    if (b != kEmptySet && d_->value(b) == d_->value(n)) b = d_->right(b);
  }
  return d_->close(base, n);
}

Node Saturation::changed_since(Node set, Node before) {
  if (before == kEmptySet) return set;
  const u32 base = d_->mark();
  Node b = before;
  for (Node n = set; n != kEmptySet && n != b; n = d_->right(n)) {
    while (b != kEmptySet && d_->value(b) < d_->value(n)) b = d_->right(b);
    const bool same = b != kEmptySet && d_->value(b) == d_->value(n) && d_->down(b) == d_->down(n);
    if (!same) d_->push(d_->value(n), d_->down(n), n);
    if (b != kEmptySet && d_->value(b) == d_->value(n)) b = d_->right(b);
  }
  return d_->close(base, kEmptySet);
}

void Saturation::learn(u32 projection, Node set, u32 level) {
  if (d_->stopped()) return;
  const u32 base = d_->mark();
  const Node vectors = project(set, projection, level);
  d_->push(0, vectors);
  const Node fresh =
      d_->stopped() ? kEmptySet : d_->subtract(vectors, exploration_->learned(projection));
  d_->push(0, fresh);
  if (!d_->stopped() && learn_words(projection, fresh, 0)) {
    const Node all = d_->unite(exploration_->learned(projection), vectors);
    if (!d_->stopped()) exploration_->learned(projection) = all;
  }
  d_->release(base);
}

bool Saturation::learn_words(u32 projection, Node vectors, u32 depth) {
  const std::span<u32> word = exploration_->vector();
  if (vectors == kEnd) return exploration_->learn(projection, word.first(depth));
  for (Node n = vectors; n != kEmptySet; n = d_->right(n)) {
    word[depth] = d_->value(n);
    if (!learn_words(projection, d_->down(n), depth + 1)) return false;
  }
  return !d_->stopped();
}

Node Saturation::project(Node set, u32 projection, u32 level) {
  if (set == kEmptySet || d_->stopped()) return kEmptySet;
  if (level > exploration_->projection(projection).last) return kEnd;
  const u32 where = exploration_->projection(projection).serial << kLevelBits | level;
  Node known = kEmptySet;
  if (d_->cache().find(SetOp::project, set, where, 0, known)) return known;
  const u32 base = d_->mark();
  const bool read = exploration_->projection_reads(projection, level);
  if (!read) d_->push(0, kEmptySet);
  for (Node n = set; n != kEmptySet && !d_->stopped(); n = d_->right(n)) {
    const Node below = project(d_->down(n), projection, level + 1);
    if (read) {
      d_->push(d_->value(n), below);
    } else {
      d_->add_to(base, below);
    }
  }
  Node result = kEmptySet;
  if (d_->stopped()) {
    d_->release(base);
    return kEmptySet;
  }
  if (read) {
    result = d_->close(base, kEmptySet);
  } else {
    result = d_->at(base).down;
    d_->release(base);
  }
  if (!d_->stopped()) d_->cache().keep(SetOp::project, set, where, 0, result);
  return result;
}

}  // namespace xmc
