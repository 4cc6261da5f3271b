#include "store/symbolic/saved_sets.h"

namespace xmc {

namespace {

constexpr Node kEmpty = SetDiagram::kEmpty;
constexpr Node kEnd = SetDiagram::kEnd;

// A node that is made has the levels below its list and its new number in the place of its word. No
// node of a file looks like that, for none leads down to nothing.
u64 made_word(u32 levels, Node node) { return ListNodes::word_of(levels, kEmpty, node); }
bool is_made(u64 word) { return ListNodes::down_of(word) == kEmpty; }

}  // namespace

Status SetWriter::write(WordWriter& out) {
  const ListNodes& nodes = d_.nodes();
  nodes_ = d_.nodes().number_marked();
  for (Node n = kEnd + 1; n < nodes.capacity(); ++n) {
    if (!nodes.is_marked(n)) continue;
    const Word word[] = {ListNodes::word_of(nodes.value(n), nodes.number_of(nodes.down(n)),
                                            nodes.number_of(nodes.right(n)))};
    XMC_TRY(out.add(word));
  }
  return {};
}

// With as much room as a collection has to leave: none may come while nodes are made.
Status SetReader::read(WordReader& in, u64 at, u64 nodes) {
  const u64 most = d_.node_capacity() - d_.node_capacity() / 10;
  const std::span<u64> memory = d_.cache().lend();
  if (nodes > memory.size() || d_.used_nodes() + nodes > most) {
    d_.stop(SetDiagram::Stop::full);
    return {};
  }
  words_ = memory.first(static_cast<std::size_t>(nodes));
  XMC_TRY(in.read(at, words_));
  for (const u64 word : words_) {
    if (is_made(word)) return Status::fail(Code::corrupt, "a set of the checkpoint has no end");
  }
  return {};
}

bool SetReader::make(u64 number, Node& set) {
  set = kEmpty;
  const u32 base = d_.mark();
  const bool made = number == kEmpty || make_list(number, levels_, set);
  d_.release(base);
  return made;
}

// The elements of the list that are not made are on the work stack, as numbers of the file.
bool SetReader::make_list(u64 number, u32 levels, Node& list) {
  list = kEnd;
  if (levels == 0) return number == kEnd;
  list = kEmpty;
  const u32 base = d_.mark();
  u32 least = 0;
  for (u64 n = number; n != kEmpty;) {
    if (n <= kEnd || n - kEnd > words_.size()) return false;
    const u64 word = words_[static_cast<std::size_t>(n - kEnd - 1)];
    const bool made = is_made(word);
    if (made) list = ListNodes::right_of(word);
    const u32 value = made ? d_.value(list) : ListNodes::value_of(word);
    if (value < least || (made && ListNodes::value_of(word) != levels)) return false;
    if (made) break;
    d_.push(static_cast<u32>(n), kEmpty);
    if (d_.stopped()) return false;
    least = value + 1;
    n = ListNodes::right_of(word);
  }
  for (u32 top = d_.mark(); top > base; --top) {
    u64& word = words_[d_.at(top - 1).value - kEnd - 1];
    Node below = kEmpty;
    if (!make_list(ListNodes::down_of(word), levels - 1, below)) return false;
    list = d_.nodes().find_or_add(ListNodes::value_of(word), below, list);
    if (list == kEmpty) d_.stop(SetDiagram::Stop::full);
    if (list == kEmpty) return false;
    word = made_word(levels, list);
  }
  d_.release(base);
  return list != kEmpty;
}

}  // namespace xmc
