// Expressions: each leaves its value in a register. What may be undefined is checked where the
// language says that undefined is an error, and nowhere else.
#pragma once

#include "lower/murphi/code.h"
#include "lower/murphi/scope.h"

namespace xmc::murphi_lower {

u32 value(Code& code, const Scope& scope, ExprId id, bool maybe_undefined = false);
// Goes to `to` if the condition is `when`.
void branch(Code& code, const Scope& scope, ExprId id, Label& to, bool when);
// A designator that is undefined makes its target undefined; any other expression fails, and so
// does a designator in rumur's dialect.
void assign(Code& code, const Scope& scope, const Place& to, ExprId from, Span where);
// Of what is about to be stored as a value of type `to`; undefined is no matter here.
void check_range(Code& code, const Scope& scope, u32 r, ExprId from, TypeId to, Span where);
// Where its result is.
u32 call(Code& code, const Scope& scope, ExprId id);

// What value() asks for, by kinds of expressions.
u32 binary(Code& code, const Scope& scope, ExprId id);
u32 converted(Code& code, const Scope& scope, ExprId id, bool maybe_undefined);
u32 member(Code& code, const Scope& scope, ExprId id);
u32 truth(Code& code, const Scope& scope, ExprId id);
u32 chosen(Code& code, const Scope& scope, ExprId id);
u32 quantified(Code& code, const Scope& scope, ExprId id);
u32 count(Code& code, const Scope& scope, ExprId id);

}  // namespace xmc::murphi_lower
