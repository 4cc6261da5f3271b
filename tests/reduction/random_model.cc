#include "random_model.h"

#include <random>
#include <vector>

namespace xmc_test {

namespace {

struct Variable {
  std::string name;
  u32 size = 0;  // 0: a scalar
};

struct Channel {
  std::string name;
  bool buffered = false;
  u32 values = 0;
  bool typed = false;
};

class Maker {
 public:
  explicit Maker(u64 seed) : random_(seed) {}
  RandomModel make();

 private:
  u32 below(u32 n) { return static_cast<u32>(random_() % n); }
  bool chance(u32 percent) { return below(100) < percent; }
  std::string number(u32 n) { return std::to_string(below(n)); }
  std::string declare(const std::string& name, std::vector<Variable>& into, u32 array_percent);
  const Variable& pick(bool writes);
  std::string place(bool writes);
  std::string index(u32 size);
  std::string atom();
  std::string value(u32 depth);
  std::string condition(u32 depth);
  std::string effects();
  std::string transition(u32 process, u32 from, u32 to);
  std::string process(u32 number);
  std::string property();
  std::string observed();

  std::mt19937_64 random_;
  std::vector<Variable> globals_;
  std::vector<Variable> locals_;
  std::vector<Channel> channels_;
  u32 processes_ = 0;
  u32 locations_ = 0;
  u32 me_ = 0;
  bool fails_ = false;  // steps may
};

std::string Maker::declare(const std::string& name, std::vector<Variable>& into,
                           u32 array_percent) {
  const u32 size = chance(array_percent) ? 2 + below(2) : 0;
  into.push_back({name, size});
  std::string text = chance(75) ? "byte " : "int ";
  if (size != 0) return text + name + "[" + std::to_string(size) + "];\n";
  return text + name + (chance(50) ? " = " + number(3) : "") + ";\n";
}

// Its own variables mostly, and of the global ones mostly that of its number.
const Variable& Maker::pick(bool writes) {
  if (!locals_.empty() && chance(60)) return locals_[below(static_cast<u32>(locals_.size()))];
  if (chance(writes ? 70 : 55)) return globals_[me_ % globals_.size()];
  return globals_[below(static_cast<u32>(globals_.size()))];
}

std::string Maker::index(u32 size) {
  if (chance(45)) return number(size);
  const std::string inner = atom();
  return fails_ && chance(30) ? inner : "(" + inner + ") % " + std::to_string(size);
}

std::string Maker::place(bool writes) {
  const Variable v = pick(writes);
  return v.size == 0 ? v.name : v.name + "[" + index(v.size) + "]";
}

std::string Maker::atom() {
  if (chance(30)) return number(3);
  const Variable v = pick(false);
  return v.size == 0 ? v.name : v.name + "[" + number(v.size) + "]";
}

std::string Maker::value(u32 depth) {
  if (depth == 0 || chance(35)) return chance(60) ? place(false) : number(3);
  if (fails_ && chance(12)) return value(depth - 1) + " - 1";
  if (fails_ && chance(8)) return "(2 / " + atom() + ")";
  const char* const operators[] = {" + ", " * ", " - "};
  const u32 op = below(fails_ ? 3 : 2);
  return "((" + value(depth - 1) + ")" + operators[op] + value(depth - 1) + ") % 3";
}

std::string Maker::condition(u32 depth) {
  if (depth != 0 && chance(35)) {
    return "(" + condition(depth - 1) + (chance(50) ? " and " : " or ") + condition(depth - 1) +
           ")";
  }
  // Only processes that are declared before.
  if (me_ != 0 && chance(12)) return "P" + number(me_) + ".s" + number(2);
  const char* const comparisons[] = {" == ", " != ", " < ", " >= "};
  return place(false) + comparisons[below(4)] + (chance(70) ? number(3) : place(false));
}

std::string Maker::effects() {
  std::string text;
  const u32 count = below(4);
  for (u32 i = 0; i < count; ++i)
    text += (i == 0 ? "effect " : ", ") + place(true) + " = " + value(2);
  return count == 0 ? text : text + "; ";
}

std::string Maker::transition(u32 process, u32 from, u32 to) {
  me_ = process;
  std::string text = " s" + std::to_string(from) + " -> s" + std::to_string(to) + " { ";
  if (chance(60)) text += "guard " + condition(2) + "; ";
  if (!channels_.empty() && chance(30)) {
    const Channel& c = channels_[below(static_cast<u32>(channels_.size()))];
    const bool sends = chance(50);
    text += "sync " + c.name + (sends ? "!" : "?");
    // A partner may hand over no value, or take none.
    const u32 values = c.typed && chance(35) ? 0 : c.values;
    if (values > 1) text += "{";
    for (u32 k = 0; k < values; ++k)
      text += (k == 0 ? "" : ", ") + (sends ? value(1) : place(true));
    if (values > 1) text += "}";
    text += "; ";
  }
  return text + effects() + "}";
}

std::string Maker::process(u32 n) {
  locals_.clear();
  me_ = n;
  std::string text = "process P" + std::to_string(n) + " {\n";
  text += "byte x" + std::string(chance(50) ? " = 1" : "") + ";\n";
  locals_.push_back({"x", 0});
  const char* const names[] = {"y", "z"};
  for (u32 i = below(3); i-- > 0;) text += declare(names[i], locals_, 30);
  locations_ = 2 + below(4);
  text += "state s0";
  for (u32 i = 1; i < locations_; ++i) text += ", s" + std::to_string(i);
  text += ";\ninit s" + number(locations_) + ";\n";
  if (chance(15)) text += "commit s" + number(locations_) + ";\n";
  if (chance(15)) text += "assert s" + number(locations_) + ": " + condition(1) + ";\n";
  text += "trans\n";
  const u32 count = locations_ + below(locations_ + 1);
  for (u32 i = 0; i < count; ++i) {
    // A ring, mostly, so that what is written is read and written again.
    const u32 from = i < locations_ ? i : below(locations_);
    const u32 to = chance(60) ? (from + 1) % locations_ : below(locations_);
    text += transition(n, from, to) + (i + 1 == count ? ";\n" : ",\n");
  }
  return text + "}\n";
}

std::string Maker::observed() {
  const Variable& g = globals_[below(static_cast<u32>(globals_.size()))];
  const std::string left = chance(40)
                               ? "P" + number(processes_) + "->x"
                               : (g.size == 0 ? g.name : g.name + "[" + number(g.size) + "]");
  return left + (chance(50) ? " == " : " != ") + number(3);
}

std::string Maker::property() {
  const char* const shapes[] = {
      "state q0, q1; init q0; accept q1; trans q0 -> q0 {}, q0 -> q1 { guard A; },"
      " q1 -> q1 { guard A; };\n",
      "state q0, q1; init q0; accept q1; trans q0 -> q0 {}, q0 -> q1 { guard A; },"
      " q1 -> q0 { guard B; };\n",
      "state q0, q1, q2; init q0; accept q2; trans q0 -> q0 {}, q0 -> q1 { guard A; },"
      " q1 -> q1 {}, q1 -> q2 { guard B; }, q2 -> q2 { guard B; };\n"};
  std::string text;
  for (const char c : std::string(shapes[below(3)])) {
    if (c == 'A' || c == 'B') {
      text += observed();
    } else {
      text += c;
    }
  }
  return "process Q {\n" + text + "}\n";
}

RandomModel Maker::make() {
  RandomModel model;
  fails_ = chance(35);
  const char* const names[] = {"g", "h", "k", "m"};
  const u32 globals = 2 + below(3);
  for (u32 i = 0; i < globals; ++i) model.text += declare(names[i], globals_, 30);
  for (u32 i = below(3); i-- > 0;) {
    Channel c{"c" + std::to_string(i), chance(40), below(3)};
    c.typed = c.buffered || c.values > 1 || (c.values == 1 && chance(60));
    if (c.buffered && c.values == 0) c.values = 1;
    const std::string capacity = c.buffered ? std::to_string(1 + below(2)) : "0";
    model.text += "channel ";
    for (u32 k = 0; k < c.values && c.typed; ++k) model.text += k == 0 ? "{byte" : ", int";
    model.text += (c.typed ? "} " + c.name + "[" + capacity + "]" : c.name) + ";\n";
    channels_.push_back(c);
  }
  processes_ = 2 + below(2);
  for (u32 i = 0; i < processes_; ++i) model.text += process(i);
  model.has_property = chance(35);
  if (model.has_property) model.text += property();
  model.text += model.has_property ? "system async property Q;\n" : "system async;\n";
  if (!model.has_property && chance(25)) model.invariant = observed();
  if (!model.has_property && model.invariant.empty() && chance(25)) model.reach = observed();
  return model;
}

}  // namespace

RandomModel random_model(u64 seed) { return Maker(seed).make(); }

}  // namespace xmc_test
