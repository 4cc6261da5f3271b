#include "front/promela/system.h"

namespace xmc::promela {

System::System(Arena& arena)
    : files(arena, "files"),
      records(arena, "records"),
      fields(arena, "fields"),
      mtype_lists(arena, "mtype lists"),
      mtype_names(arena, "mtype names"),
      globals(arena, "globals"),
      locals(arena, "locals"),
      global_leaves(arena, "global leaves"),
      local_leaves(arena, "local leaves"),
      global_initials(arena, "global initials"),
      local_initials(arena, "local initials"),
      channels(arena, "channels"),
      message_leaves(arena, "message leaves"),
      references(arena, "references"),
      indexes(arena, "indexes"),
      expressions(arena, "expressions"),
      arguments(arena, "arguments"),
      patterns(arena, "patterns"),
      proctypes(arena, "proctypes"),
      actions(arena, "actions"),
      options(arena, "options"),
      places(arena, "places"),
      labels(arena, "labels"),
      formulas(arena, "formulas"),
      properties(arena, "properties") {}

}  // namespace xmc::promela
