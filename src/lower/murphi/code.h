// What becomes of a Murphi text: actions, what it says where they can fail, its covers, and what of
// it is refused.
#pragma once

#include "front/murphi/ast.h"
#include "front/source.h"
#include "lower/body_code.h"
#include "lower/murphi/text.h"
#include "xmc/limits.h"

namespace xmc::murphi_lower {

using ir::BodyOp;

class Code : public BodyCode {
 public:
  Code(const Source& source, Diagnostics& diagnostics, Arena& arena, NameStore& names)
      : BodyCode(arena, names),
        source_(source),
        diagnostics_(diagnostics),
        cover_bodies_(arena, "rules") {}

  // The actions behind this one that can fail are about this piece of the text.
  u16 note(Span place, std::string_view text = {});
  void fail(ir::Failure reason, Span place, std::string_view text = {});
  // What is not done yet is refused where it stands, and never run wrongly.
  void refuse(Span place, const char* what);
  void warn(Span place, const char* what);

  // Covers have one bit each; those of statements, which are lowered among rules, have no body.
  u32 add_cover(std::string_view name, Span place, u32 body);
  const Pool<u32, 5, 1>& cover_bodies() const { return cover_bodies_; }
  // Where covers stand in the text, by their bits.
  std::span<const CoverPlace> cover_places() const { return {cover_places_, cover_bodies_.size()}; }

 private:
  const Source& source_;
  Diagnostics& diagnostics_;
  Pool<u32, 5, 1> cover_bodies_;
  CoverPlace cover_places_[limits::kMarks];
};

}  // namespace xmc::murphi_lower
