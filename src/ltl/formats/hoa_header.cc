#include "ltl/formats/hoa_header.h"

#include "ltl/graph/graph.h"
#include "xmc/text.h"

namespace xmc::ltl {

namespace {

class HeaderReader {
 public:
  HeaderReader(HoaCursor& cursor, Arena& arena, HoaHeader& out)
      : cursor_(cursor), arena_(arena), out_(out) {}

  void read() {
    read_version();
    while (!cursor_.failed() && !cursor_.is(HoaSign::body)) {
      if (!cursor_.is(HoaSign::header)) return cursor_.expected("a header or --BODY--");
      read_item();
    }
    if (!cursor_.failed() && !out_.has_acceptance) cursor_.expected("Acceptance: before the body");
    cursor_.advance();
  }

 private:
  void read_version() {
    if (!cursor_.is_header("HOA")) return cursor_.expected("HOA: at the beginning");
    cursor_.advance();
    if (!cursor_.is_word("v1")) return cursor_.expected("v1, the only version that is read");
    cursor_.advance();
  }

  void read_item() {
    const HoaToken name = cursor_.now();
    const std::string_view text = cursor_.text();
    cursor_.advance();
    if (text == "States") {
      out_.states = cursor_.need_number("the number of states", limits::kAutomatonStates + 1);
    } else if (text == "Start") {
      read_start();
    } else if (text == "AP") {
      read_propositions(name);
    } else if (text == "Alias") {
      read_alias();
    } else if (text == "Acceptance") {
      read_acceptance();
    } else if (text == "acc-name") {
      acceptance_name_ = skip_words();
    } else if (text[0] >= 'A' && text[0] <= 'Z') {
      cursor_.fail(name, Status::fail(Code::model,
                                      "this header changes the meaning of the "
                                      "automaton, and is not known here"));
    } else {
      skip_words();
    }
  }

  // The text up to the next header.
  std::string_view skip_words() {
    const char* const begin = cursor_.text().data();
    const char* end = begin;
    while (!cursor_.failed() && !cursor_.is(HoaSign::header) && !cursor_.is(HoaSign::body) &&
           !cursor_.is(HoaSign::end)) {
      end = cursor_.text().data() + cursor_.text().size();
      cursor_.advance();
    }
    return {begin, static_cast<std::size_t>(end - begin)};
  }

  void read_start() {
    const HoaToken token = cursor_.now();
    const u32 state = cursor_.need_number("the number of a state", limits::kAutomatonStates);
    if (cursor_.is_mark('&')) return refuse_alternation();
    if (out_.start_count == HoaHeader::kStarts) {
      return cursor_.fail(token, Status::fail(Code::model, "there are more than %u initial states",
                                              HoaHeader::kStarts));
    }
    out_.starts[out_.start_count++] = state;
  }

  void refuse_alternation() {
    cursor_.fail(cursor_.now(),
                 Status::fail(Code::unsupported, "alternating automata are not read"));
  }

  void read_propositions(const HoaToken& name) {
    if (out_.has_propositions) {
      return cursor_.fail(name, Status::fail(Code::model, "AP: is given twice"));
    }
    out_.has_propositions = true;
    const u32 count = cursor_.need_number("the number of propositions", limits::kPropositions + 1);
    for (u32 i = 0; i < count && !cursor_.failed(); ++i) {
      if (!cursor_.is(HoaSign::string)) return cursor_.expected("a proposition in quotes");
      out_.propositions[i] = without_escapes(cursor_.text());
      cursor_.advance();
    }
    out_.proposition_count = count;
  }

  std::string_view without_escapes(std::string_view text) {
    if (text.find('\\') == std::string_view::npos) return text;
    const std::span<char> bytes = scratch_array<char>(arena_, text.size());
    std::size_t size = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\\' && i + 1 < text.size()) ++i;
      bytes[size++] = text[i];
    }
    return {bytes.data(), size};
  }

  void read_alias() {
    if (!cursor_.is(HoaSign::alias)) return cursor_.expected("an alias: @name");
    const std::string_view name = cursor_.text();
    cursor_.advance();
    const Formula label = cursor_.parse_label(out_.proposition_count);
    cursor_.define_alias(name, label);
  }

  void read_acceptance() {
    out_.has_acceptance = true;
    const HoaToken first = cursor_.now();
    out_.sets = cursor_.need_number("the number of acceptance sets", limits::kAcceptanceSets + 1);
    if (read_condition()) return;
    const int size = static_cast<int>(acceptance_name_.size() < 60 ? acceptance_name_.size() : 60);
    cursor_.fail(first, Status::fail(Code::unsupported,
                                     "acceptance%s%.*s is not read: only Buchi, generalized-Buchi, "
                                     "all and none are, as t, f, or Inf() joined by &",
                                     size > 0 ? " " : "", size, acceptance_name_.data()));
  }

  // acceptance = term { & term }, with parentheses. False for anything else.
  bool read_condition() {
    do {
      if (!read_term(0)) return false;
    } while (cursor_.take_mark('&'));
    return !cursor_.is_mark('|');
  }

  bool read_term(u32 nesting) {
    if (cursor_.is_word("t") || cursor_.is_word("f")) {
      out_.never = out_.never || cursor_.is_word("f");
      cursor_.advance();
      return true;
    }
    if (cursor_.is_word("Inf")) {
      cursor_.advance();
      cursor_.need_mark('(');
      if (cursor_.is_mark('!')) return false;
      out_.required |= u64{1} << cursor_.need_number("the number of a set", out_.sets);
      cursor_.need_mark(')');
      return true;
    }
    if (nesting > limits::kFormulaDepth || !cursor_.take_mark('(')) return false;
    do {
      if (!read_term(nesting + 1)) return false;
    } while (cursor_.take_mark('&'));
    if (!cursor_.is_mark(')')) return false;
    cursor_.advance();
    return true;
  }

  HoaCursor& cursor_;
  Arena& arena_;
  HoaHeader& out_;
  std::string_view acceptance_name_;
};

}  // namespace

void read_hoa_header(HoaCursor& cursor, Arena& arena, HoaHeader& out) {
  HeaderReader(cursor, arena, out).read();
}

}  // namespace xmc::ltl
