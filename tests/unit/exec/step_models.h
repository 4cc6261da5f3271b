// Random small models for reductions: a few processes over shared numbers, an array with variable
// indexes, rendezvous with values, a buffered channel, committed locations and effects that may be
// erroneous.
#pragma once

#include <string>
#include <vector>

#include "trial.h"

namespace xmc::test {

class StepModel {
 public:
  explicit StepModel(u32 seed) : random_(seed) {
    processes_ = 2 + roll(3);
    errs_ = roll(5) == 0;
    channel_ = roll(2) == 0;
    buffer_ = roll(3) == 0;
    commits_ = roll(4) == 0;
    for (u32 p = 0; p < processes_; ++p) {
      locations_.push_back(2 + roll(3));
      local_.push_back(roll(2) == 0);
    }
  }

  // The system without its last line.
  std::string text() {
    std::string out = "byte x = " + number(roll(2)) + "; byte y; byte i; byte a[2];\n";
    if (channel_) out += "channel c, d;\n";
    if (buffer_) out += "channel {byte} b[" + number(1 + roll(2)) + "];\n";
    for (u32 p = 0; p < processes_; ++p) out += process(p);
    return out;
  }

  std::string atom() {
    const u32 p = roll(processes_);
    const u32 q = roll(processes_);
    switch (roll(8)) {
      case 0:
      case 1:
      case 2:
        return place(p);
      case 3:
        return "x == " + number(roll(4));
      case 4:
        return "a[" + number(roll(2)) + "] " + comparison() + " " + number(roll(3));
      case 5:
        return "x " + comparison() + " y";
      case 6:
        return place(p) + " + " + place(q) + " " + (roll(2) == 0 ? "== " : "> ") + number(roll(2));
      default:
        return "i + y > " + number(roll(4));
    }
  }
  std::string goal() {
    switch (roll(4)) {
      case 0:
        return atom();
      case 1:
        return "(" + atom() + ") or (" + atom() + ")";
      default:
        return "(" + atom() + ") and " + (roll(3) == 0 ? "not " : "") + "(" + atom() + ")";
    }
  }

  // Automata that stuttering does not change, of two atoms.
  static constexpr u32 kShapes = 7;
  std::string property(u32 shape) {
    const std::string p = "(" + atom() + ")";
    const std::string q = "(" + atom() + ")";
    const auto edge = [](const char* from, const char* to, const std::string& guard) {
      return std::string(from) + " -> " + to +
             (guard.empty() ? " {}" : " { guard " + guard + "; }");
    };
    std::string t;
    std::string accept = "m";
    switch (shape) {
      case 0:  // F p
        t = edge("n", "n", "not " + p) + "," + edge("n", "m", p) + "," + edge("m", "m", "");
        break;
      case 1:  // G not p
        accept = "n";
        t = edge("n", "n", "not " + p) + "," + edge("m", "m", "");
        break;
      case 2:  // F G not p
        t = edge("n", "n", "") + "," + edge("n", "m", "not " + p) + "," +
            edge("m", "m", "not " + p);
        break;
      case 3:  // G F p, G F q
        t = edge("n", "n", "") + "," + edge("n", "k", p) + "," + edge("k", "k", "") + "," +
            edge("k", "m", q) + "," + edge("m", "m", q) + "," + edge("m", "n", "") + "," +
            edge("n", "m", p + " and " + q);
        break;
      case 4:  // F (p and G not q)
        t = edge("n", "n", "") + "," + edge("n", "m", p + " and not " + q) + "," +
            edge("m", "m", "not " + q);
        break;
      case 5:  // (not p) U q
        t = edge("n", "n", "not " + p) + "," + edge("n", "m", q) + "," + edge("m", "m", "");
        break;
      default:  // F (p and F q)
        t = edge("n", "n", "") + "," + edge("n", "k", p) + "," + edge("k", "k", "") + "," +
            edge("k", "m", q) + "," + edge("m", "m", "") + "," + edge("n", "m", p + " and " + q);
        break;
    }
    return "process N { state n, k, m; init n; accept " + accept + "; trans " + t + "; }\n";
  }

  u32 roll(u32 below) { return random_() % below; }

 private:
  static std::string number(u32 n) { return std::to_string(n); }
  std::string comparison() {
    static const char* const kAll[] = {"==", "!=", "<", ">"};
    return kAll[roll(4)];
  }
  static std::string name(u32 p) { return "P" + number(p); }
  std::string place(u32 p) { return name(p) + ".s" + number(roll(locations_[p])); }

  std::string cell(u32 p, bool store) {
    switch (roll(store ? 5 : 6)) {
      case 0:
        return "x";
      case 1:
        return "y";
      case 2:
        return local_[p] ? "l" : "i";
      case 3:
        return "a[" + number(roll(2)) + "]";
      case 4:
        return errs_ ? "a[i]" : "a[i % 2]";
      default:
        return number(roll(4));
    }
  }
  std::string condition(u32 p) {
    const std::string one = cell(p, false) + " " + comparison() + " " + cell(p, false);
    switch (roll(10)) {
      case 0:
        return one + " and " + cell(p, true) + " < " + number(1 + roll(3));
      case 1:
        return "(" + one + " or " + cell(p, true) + " == " + number(roll(3)) + ")";
      case 2:
        return place(roll(processes_));
      case 3:
        return cell(p, true) + " " + comparison() + " " + number(roll(3)) + " and not (" + one +
               ")";
      case 4:  // an index that is looked at just where it fits, or where it does not
        if (errs_ && roll(2) == 0)
          return "a[i] " + comparison() + " " + number(roll(3)) + " and " + one;
        return "i < 2 and a[i] " + comparison() + " " + number(roll(3));
      case 5:
        return "(i > 1 or a[i] " + comparison() + " " + number(roll(3)) + " or " + one + ")";
      default:
        return cell(p, true) + " " + comparison() + " " + number(roll(3));
    }
  }
  std::string effect(u32 p, std::string& guard) {
    const std::string to = cell(p, true);
    switch (roll(7)) {
      case 0:
        return to + " = " + number(roll(3));
      case 1:
        if (!errs_) guard += (guard.empty() ? "" : " and ") + to + " < 3";
        return to + " = " + to + " + 1";
      case 2:
        if (!errs_ || roll(2) == 0) guard += (guard.empty() ? "" : " and ") + to + " > 0";
        return to + " = " + to + " - 1";
      case 3:
        return to + " = (" + cell(p, false) + " + 1) % 3";
      case 4:
        return to + " = " + cell(p, false) + ", " + cell(p, true) + " = " + number(roll(2));
      case 5:
        return to + " = 1 - " + to + " % 2";
      default:
        return to + " = " + cell(p, false);
    }
  }
  std::string synchronisation(u32 p) {
    const u32 kind = roll(6);
    if (buffer_ && kind < 2) return kind == 0 ? "b!" + cell(p, false) : "b?" + cell(p, true);
    if (!channel_ || kind > 3) return "";
    const std::string channel = roll(2) == 0 ? "c" : "d";
    if (kind < 2) return channel + "!" + cell(p, false);
    return channel + "?" + cell(p, true);
  }
  std::string transition(u32 p, u32 from) {
    std::string guard = roll(2) == 0 ? condition(p) : "";
    const std::string effects = roll(3) != 0 ? effect(p, guard) : "";
    const std::string sync = synchronisation(p);
    std::string out = "s" + number(from) + " -> s" + number(roll(locations_[p])) + " { ";
    if (!guard.empty()) out += "guard " + guard + "; ";
    if (!sync.empty()) out += "sync " + sync + "; ";
    if (!effects.empty()) out += "effect " + effects + "; ";
    return out + "}";
  }
  std::string process(u32 p) {
    std::string out = "process " + name(p) + " { ";
    if (local_[p]) out += "byte l; ";
    out += "state s0";
    for (u32 l = 1; l < locations_[p]; ++l) out += ", s" + number(l);
    out += "; ";
    if (commits_ && roll(2) == 0) out += "commit s" + number(1 + roll(locations_[p] - 1)) + "; ";
    out += "init s0;\n trans ";
    const u32 count = 1 + roll(4);
    for (u32 k = 0; k < count; ++k) {
      if (k > 0) out += ",\n  ";
      out += transition(p, k < locations_[p] && roll(4) != 0 ? k : roll(locations_[p]));
    }
    return out + "; }\n";
  }

  xmc_test::Random random_;
  u32 processes_ = 2;
  bool errs_ = false;
  bool channel_ = false;
  bool buffer_ = false;
  bool commits_ = false;
  std::vector<u32> locations_;
  std::vector<bool> local_;
};

}  // namespace xmc::test
