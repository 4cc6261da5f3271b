#include "engine/symbolic/relations.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

bool reads(Touch t) { return t != Touch::written; }
bool writes(Touch t) { return t != Touch::read; }
// Halves that lead on to a state.
bool of_system(Role r) { return r == Role::system || r == Role::system_lost; }
bool of_property(Role r) { return r == Role::move || r == Role::move_lost; }

Touch together(Touch a, Touch b) {
  const bool r = reads(a) || reads(b);
  const bool w = writes(a) || writes(b);
  return r && w ? Touch::both : r ? Touch::read : Touch::written;
}

u32 hash_of(Role role, u32 owner, u16 top, std::span<const Support> support) {
  u32 h = (static_cast<u32>(role) << 16 | top) * 0x9E37'79B1u ^ owner * 0x85EB'CA77u;
  for (const Support& s : support)
    h = (h ^ (u32{s.level} << 2 | static_cast<u32>(s.touch))) * 0x9E37'79B1u + (h >> 15);
  return h ^ h >> 16;
}

constexpr u64 kPerGroup = sizeof(Group) + sizeof(Node) + sizeof(u32);

}  // namespace

// The two groups that are joined, and whose new value counts where both write.
struct Relations::Halves {
  u32 serial = 0;
  std::span<const Support> left;
  std::span<const Support> right;
  bool left_wins = false;
};

u64 Relations::bytes_for(u32 levels, u64 groups, u64 supports) {
  return round_up(groups * kPerGroup + supports * sizeof(Support) + levels * sizeof(u32), 16);
}

void Relations::init(SetDiagram& diagram, std::span<u8> memory, u32 levels) {
  d_ = &diagram;
  // A group takes twelve supports where memory is divided between both.
  const u64 rest = memory.size() - levels * sizeof(u32);
  const u64 groups = std::min<u64>(rest / (kPerGroup + 12 * sizeof(Support)), kMostGroups);
  XMC_CHECK(groups > 1);
  u8* at = memory.data();
  const auto take = [&]<class T>(std::span<T>& out, u64 count) {
    out = {reinterpret_cast<T*>(at), static_cast<std::size_t>(count)};
    at += count * sizeof(T);
  };
  take(groups_, groups);
  take(relations_, groups);
  take(by_hash_, groups);
  take(by_top_, levels);
  take(supports_, groups * 12);
  for (u32& head : by_top_) head = kNone;
  for (u32& head : by_hash_) head = kNone;
  count_ = support_used_ = serials_ = 0;
  rules_ = 0;
  d_->add_roots(relations_);
}

bool Relations::append(const Group& group, std::span<const Support> support) {
  if (count_ == groups_.size() || serials_ == kMostSerials ||
      supports_.size() - support_used_ < support.size()) {
    d_->stop(SetDiagram::Stop::full);
    return false;
  }
  Group& g = groups_[count_];
  g = group;
  g.serial = serials_++;
  g.first_support = support_used_;
  g.support_count = static_cast<u16>(support.size());
  std::copy(support.begin(), support.end(), supports_.subspan(support_used_).begin());
  support_used_ += static_cast<u32>(support.size());
  relations_[count_] = kEmptySet;
  if (g.role == Role::fires) {
    // Behind the others: the order in which groups are applied is that in which they turned up.
    u32* link = &by_top_[g.top];
    while (*link != kNone) link = &groups_[*link].next;
    *link = count_;
  }
  ++count_;
  return true;
}

bool Relations::find(Role role, u32 owner, u16 top, std::span<const Support> support, u32& group) {
  u32& head = by_hash_[hash_of(role, owner, top, support) % by_hash_.size()];
  for (group = head; group != kNone; group = groups_[group].chain) {
    const Group& g = groups_[group];
    if (g.role != role || g.owner != owner || g.top != top) continue;
    const std::span<const Support> other = this->support(group);
    if (std::equal(other.begin(), other.end(), support.begin(), support.end())) return true;
  }
  group = count_;
  Group fresh;
  fresh.top = top;
  fresh.role = role;
  fresh.owner = owner;
  fresh.chain = head;
  if (!append(fresh, support)) return false;
  head = group;
  return join_with_all(group);
}

bool Relations::add(Role role, u32 owner, u16 top, const Rule& rule) {
  u32 g = 0;
  if (d_->stopped() || !find(role, owner, top, rule.support, g)) return false;
  const Node path = d_->word(rule.word);
  if (d_->stopped()) return false;
  const u32 base = d_->mark();
  d_->push(0, path);
  const Node more = d_->unite(relations_[g], path);
  d_->release(base);
  if (d_->stopped()) return false;
  if (more != relations_[g]) ++rules_;
  relations_[g] = more;
  return true;
}

// The last group of a chain of equal hashes is the first one in it.
void Relations::truncate(u32 size) {
  while (count_ > size) {
    const u32 g = --count_;
    const Group& group = groups_[g];
    XMC_CHECK(group.role == Role::question);
    by_hash_[hash_of(group.role, group.owner, group.top, support(g)) % by_hash_.size()] =
        group.chain;
    relations_[g] = kEmptySet;
    support_used_ = group.first_support;
  }
}

bool Relations::join_with_all(u32 half) {
  const Role role = groups_[half].role;
  for (u32 g = 0; g < half; ++g) {
    if (of_system(role) && of_property(groups_[g].role) && !add_joined(half, g)) return false;
    if (of_property(role) && of_system(groups_[g].role) && !add_joined(g, half)) return false;
  }
  return true;
}

bool Relations::add_joined(u32 left, u32 right) {
  const std::span<const Support> a = support(left);
  const std::span<const Support> b = support(right);
  if (supports_.size() - support_used_ < a.size() + b.size()) {
    d_->stop(SetDiagram::Stop::full);
    return false;
  }
  // Merged where append() puts it.
  const std::span<Support> all = supports_.subspan(support_used_);
  u32 size = 0;
  for (u32 i = 0, j = 0; i < a.size() || j < b.size();) {
    if (j == b.size() || (i < a.size() && a[i].level < b[j].level)) {
      all[size++] = a[i++];
    } else if (i == a.size() || b[j].level < a[i].level) {
      all[size++] = b[j++];
    } else {
      all[size++] = {a[i].level, together(a[i].touch, b[j].touch)};
      ++i;
      ++j;
    }
  }
  Group g;
  g.left = left;
  g.right = right;
  g.top = std::min(groups_[left].top, groups_[right].top);
  return append(g, all.first(size));
}

Node Relations::joined(u32 g) {
  Group& group = groups_[g];
  if (group.left == kNone) return relations_[g];
  const Node a = relations_[group.left];
  const Node b = relations_[group.right];
  if (a == group.left_seen && b == group.right_seen) return relations_[g];
  const Halves halves{group.serial, support(group.left), support(group.right),
                      groups_[group.left].role == Role::system_lost};
  const Node both = join(halves, a, 0, b, 0);
  if (d_->stopped()) return kEmptySet;
  group.left_seen = a;
  group.right_seen = b;
  if (both != relations_[g]) ++rules_;
  relations_[g] = both;
  return both;
}

// One rule of `a` and one of `b`, from supports i and j on. How far both are together says how far
// each of them is.
Node Relations::join(const Halves& h, Node a, u32 i, Node b, u32 j) {
  if (a == kEmptySet || b == kEmptySet) return kEmptySet;
  if (i == h.left.size()) return b;
  if (j == h.right.size()) return a;
  const u32 where = h.serial << 12 | (i + j);
  Node known = kEmptySet;
  if (d_->cache().find(SetOp::join, a, b, where, known)) return known;
  const u32 la = h.left[i].level;
  const u32 lb = h.right[j].level;
  const Node made = la == lb ? join_both(h, a, i, b, j) : join_one(h, a, i, b, j, la < lb);
  if (!d_->stopped()) d_->cache().keep(SetOp::join, a, b, where, made);
  return made;
}

// The next level is one of the left half only, or of the right.
Node Relations::join_one(const Halves& h, Node a, u32 i, Node b, u32 j, bool left) {
  const Touch touch = left ? h.left[i].touch : h.right[j].touch;
  const auto rest = [&](Node below) {
    return left ? join(h, below, i + 1, b, j) : join(h, a, i, below, j + 1);
  };
  const u32 base = d_->mark();
  for (Node x = left ? a : b; x != kEmptySet && !d_->stopped(); x = d_->right(x)) {
    Node below = d_->down(x);
    if (touch == Touch::both) {
      const u32 inner = d_->mark();
      for (Node y = d_->down(x); y != kEmptySet && !d_->stopped(); y = d_->right(y)) {
        const Node sub = rest(d_->down(y));
        if (sub != kEmptySet) d_->push(d_->value(y), sub);
      }
      below = d_->close(inner, kEmptySet);
    } else {
      below = rest(below);
    }
    if (below != kEmptySet) d_->push(d_->value(x), below);
  }
  return d_->close(base, kEmptySet);
}

// Both have something to say about the level. Where one reads it, its values come first.
Node Relations::join_both(const Halves& h, Node a, u32 i, Node b, u32 j) {
  const Touch ta = h.left[i].touch;
  const Touch tb = h.right[j].touch;
  const bool a_first = reads(ta);
  const bool a_writes = writes(ta) && (h.left_wins || !writes(tb));
  const bool any_write = writes(ta) || writes(tb);
  const u32 base = d_->mark();
  // Pairs of alternatives: of a list, or what stands alone.
  const auto pair = [&](Node as, bool a_list, Node bs, bool b_list) {
    for (Node x = as; x != kEmptySet && !d_->stopped(); x = a_list ? d_->right(x) : 0) {
      for (Node y = bs; y != kEmptySet && !d_->stopped(); y = b_list ? d_->right(y) : 0) {
        const Node sub = join(h, a_list ? d_->down(x) : x, i + 1, b_list ? d_->down(y) : y, j + 1);
        const u32 w = !any_write ? 0 : a_writes ? d_->value(x) : d_->value(y);
        if (sub != kEmptySet) d_->push(w, sub);
      }
    }
  };
  if (!reads(ta) && !reads(tb)) {
    pair(a, true, b, true);
    return d_->close_unsorted(base);
  }
  for (Node x = a_first ? a : b; x != kEmptySet && !d_->stopped(); x = d_->right(x)) {
    const u32 v = d_->value(x);
    Node other = a_first ? b : a;
    const Touch to = a_first ? tb : ta;
    if (reads(to)) {
      while (other != kEmptySet && d_->value(other) < v) other = d_->right(other);
      if (other == kEmptySet || d_->value(other) != v) continue;
      other = d_->down(other);
    }
    const u32 inner = d_->mark();
    const Node mine = d_->down(x);
    pair(a_first ? mine : other, writes(ta), a_first ? other : mine, writes(tb));
    Node below = kEmptySet;
    if (any_write) {
      below = d_->close_unsorted(inner);
    } else if (d_->mark() != inner) {
      below = d_->at(inner).down;
      d_->release(inner);
    }
    if (below != kEmptySet) d_->push(v, below);
  }
  return d_->close(base, kEmptySet);
}

}  // namespace xmc
