// The text of each action.
#include "exec/emit/emit_body.h"
#include "ir/operands.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

using ir::Action;
using ir::BodyOp;

namespace {

bool reads_leaves(BodyOp op) {
  return op == BodyOp::load || op == BodyOp::load_at || op == BodyOp::copy || op == BodyOp::call;
}

i32 signed_of(u32 bits) { return static_cast<i32>(bits); }

}  // namespace

// The operands of an action in a pattern: $r $a $b are registers, #a #b #c are signed numbers.
void BodyEmitter::words(const char* pattern, const Action& x) {
  for (const char* at = pattern; *at != '\0'; ++at) {
    if (*at != '$' && *at != '#') {
      out_.add({at, 1});
      continue;
    }
    const bool is_register = *at == '$';
    ++at;
    const u32 operand = *at == 'r' ? x.r : *at == 'a' ? x.a : *at == 'b' ? x.b : x.c;
    if (is_register) {
      reg(operand);
    } else {
      number(signed_of(operand));
    }
  }
}

void BodyEmitter::actions(u32 first, u32 last, u32 depth) {
  for (u32 i = first; i < last; ++i) {
    if (i != first) label(i);
    action(i, flow_.has_value() ? flow_->attempt(i) : depth);
  }
}

void BodyEmitter::action(u32 at, u32 depth) {
  const Action& x = body_[at];
  if (flow_.has_value()) {
    from_ = reads_leaves(x.op) && flow_->reads_successor(at) ? "n" : "s";
  } else {
    from_ = begin_ != kNone && at > begin_ ? "n" : "s";
  }
  out_.add("  ");
  if (x.op == BodyOp::index || x.op == BodyOp::index_more) {
    index(at, depth);
  } else if (x.op == BodyOp::call) {
    call(x, depth);
  } else if (!place_action(at) && !value_action(x) && !check_action(x, depth) && !jump(at, depth) &&
             !end_action(x, depth) && !generator_action(at, depth)) {
    binary(x, depth);
  }
  out_.add("\n");
}

bool BodyEmitter::place_action(u32 at) {
  const Action& x = body_[at];
  switch (x.op) {
    case BodyOp::load:
      reg(x.r);
      out_.add(" = ");
      read(BodyPlace::leaf(x.a));
      out_.add(";");
      return true;
    case BodyOp::store: {
      const BodyPlace place = BodyPlace::leaf(x.a);
      open_write(place);
      reg(x.r);
      close_write(place);
      return true;
    }
    case BodyOp::load_at: {
      const BodyPlace place = places_.of(at);
      reg(x.r);
      out_.add(" = ");
      if (is_known(place, 1)) {
        read(place);
      } else {
        out_.format("places.read(%s, ", from_);
        words("#a + $b)", x);
      }
      out_.add(";");
      return true;
    }
    case BodyOp::store_at: {
      const BodyPlace place = places_.of(at);
      if (is_known(place, 1)) {
        open_write(place);
        reg(x.r);
        close_write(place);
      } else {
        words("places.write(n, #a + $b, $r);", x);
      }
      return true;
    }
    case BodyOp::copy:
      copy(at);
      return true;
    case BodyOp::fill:
      fill(at);
      return true;
    default:
      return false;
  }
}

void BodyEmitter::copy(u32 at) {
  const Action& x = body_[at];
  const BodyPlace to = places_.of(at);
  const BodyPlace source = places_.source(at);
  if (!is_known(to, x.c) || !is_known(source, x.c)) {
    out_.format("places.copy(%s, n, ", from_);
    return words("$a, $r, #c);", x);
  }
  for (u32 i = 0; i < x.c; ++i) {
    open_write(to.plus(i));
    read(source.plus(i));
    close_write(to);
  }
}

void BodyEmitter::fill(u32 at) {
  const Action& x = body_[at];
  const BodyPlace to = places_.of(at);
  if (!is_known(to, x.c)) return words("places.fill(n, $r, #c, $b);", x);
  for (u32 i = 0; i < x.c; ++i) {
    open_write(to.plus(i));
    reg(x.b);
    close_write(to);
  }
}

// One comparison: undefined and everything below the range are large as unsigned numbers.
void BodyEmitter::index(u32 at, u32 depth) {
  const Action& x = body_[at];
  words("{ const u64 digit = static_cast<u64>($a) - static_cast<u64>(i64{#b}); ", x);
  out_.format("if (digit >= %u) goto bad%u; x%u = static_cast<u32>(digit); ", x.c, depth, at);
  words(x.op == BodyOp::index ? "$r = " : "$r += ", x);
  out_.format("i64{x%u} * %u; }", at, x.d);
}

bool BodyEmitter::value_action(const Action& x) {
  switch (x.op) {
    case BodyOp::constant:
      words("$r = ", x);
      number(static_cast<i64>(u64{x.b} << 32 | x.a));
      out_.add(";");
      return true;
    case BodyOp::move:
      words("$r = $a;", x);
      return true;
    case BodyOp::address:
      words("$r = kLeafCount + (fp - cells) + #a;", x);
      return true;
    case BodyOp::offset:
      words("$r = $a + #b;", x);
      return true;
    case BodyOp::widen:
      words("$r = $a == kUndefined ? kUndefined : $a + #b;", x);
      return true;
    case BodyOp::member:
      words("$r = $a >= #b && $a <= #c;", x);
      return true;
    case BodyOp::is_undefined:
      words("$r = $a == kUndefined;", x);
      return true;
    case BodyOp::negate:
      words("$r = -$a;", x);
      return true;
    case BodyOp::logical_not:
      words("$r = $a == 0;", x);
      return true;
    default:
      return false;
  }
}

bool BodyEmitter::check_action(const Action& x, u32 depth) {
  switch (x.op) {
    case BodyOp::defined:
      words("if ($r == kUndefined)", x);
      break;
    case BodyOp::in_range:
      words("if ($r != kUndefined && ($r < #a || $r > #b))", x);
      break;
    case BodyOp::narrow:
      words("$r = $a == kUndefined ? kUndefined : $a - #b; ", x);
      words("if ($r != kUndefined && ($r < 0 || $r >= #c))", x);
      break;
    case BodyOp::bit_not:
      words("if (!arith64::bit_not($a, $r))", x);
      break;
    case BodyOp::repeat:
      words("if (++$r > #a)", x);
      break;
    default:
      return false;
  }
  out_.format(" goto bad%u;", depth);
  return true;
}

void BodyEmitter::binary(const Action& x, u32 depth) {
  static constexpr const char* kWords[] = {"if (!arith64::multiply($a, $b, $r))",
                                           "if (!arith64::divide($a, $b, $r))",
                                           "if (!arith64::modulo($a, $b, $r))",
                                           "if (!arith64::add($a, $b, $r))",
                                           "if (!arith64::subtract($a, $b, $r))",
                                           "if (!arith64::shift_left($a, $b, $r))",
                                           "if (!arith64::shift_right($a, $b, $r))",
                                           "$r = $a < $b;",
                                           "$r = $a <= $b;",
                                           "$r = $a > $b;",
                                           "$r = $a >= $b;",
                                           "$r = $a == $b;",
                                           "$r = $a != $b;",
                                           "if (!arith64::bit_and($a, $b, $r))",
                                           "if (!arith64::bit_xor($a, $b, $r))",
                                           "if (!arith64::bit_or($a, $b, $r))"};
  XMC_CHECK(x.op >= BodyOp::multiply);
  XMC_CHECK(x.op <= BodyOp::bit_or);
  words(kWords[static_cast<u32>(x.op) - static_cast<u32>(BodyOp::multiply)], x);
  if (x.op < BodyOp::less || x.op > BodyOp::not_equal) out_.format(" goto bad%u;", depth);
}

void BodyEmitter::spend() { out_.format("if (!work.spend()) %s ", leave_); }

bool BodyEmitter::jump(u32 at, u32 depth) {
  const Action& x = body_[at];
  switch (x.op) {
    case BodyOp::jump:
      if (x.a <= at) spend();
      break;
    case BodyOp::jump_zero:
      words("if ($r == 0) ", x);
      break;
    case BodyOp::jump_not_zero:
      words("if ($r != 0) ", x);
      break;
    case BodyOp::jump_above:
      words("if ($r > #b) ", x);
      break;
    case BodyOp::jump_greater:
      words("if ($r > $b) ", x);
      break;
    case BodyOp::jump_less:
      words("if ($r < $b) ", x);
      break;
    default:
      return false;
  }
  go_to(x.a, depth);
  return true;
}

bool BodyEmitter::end_action(const Action& x, u32 depth) {
  switch (x.op) {
    case BodyOp::begin:
      if (priorities_) out_.format("if (sink.guards_only) goto off%u;\n  ", depth);
      out_.add("n = sink.begin(s);");
      return true;
    case BodyOp::sort:
      if (touches(x.a, x.b * x.c)) out_.format("sort(kLeaf + %u, %u, %u, n);", x.a, x.b, x.c);
      return true;
    case BodyOp::end:
      out_.format("sink.step(t%u); goto off%u;", depth, depth);
      return true;
    case BodyOp::disabled:
    case BodyOp::abandon:
      if (flow_.has_value()) {
        out_.add("return;");
      } else {
        out_.format("goto off%u;", depth);
      }
      return true;
    case BodyOp::result:
      words("return $r != 0;", x);
      return true;
    case BodyOp::leave:
      out_.add("return Left::back;");
      return true;
    case BodyOp::fail:
      out_.format("goto bad%u;", depth);
      return true;
    default:
      return false;
  }
}

// Before `begin` there is no successor, and nothing is written.
void BodyEmitter::call(const Action& x, u32 depth) {
  out_.format("if (calls + %u >= %u) goto bad%u;", x.c, limits::kCallDepth, depth);
  if (x.a == kNone) return;
  out_.add("\n  ");
  spend();
  out_.format("switch (routine_%u(%s, n, fp + %u, cells, calls + %u, work)) {", x.a, from_, x.b,
              x.c + 1);
  out_.format(" case Left::failed: goto bad%u; case Left::abandoned: goto off%u; default: break; }",
              depth, depth);
}

}  // namespace xmc
