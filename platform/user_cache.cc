#include "platform/user_cache.h"

#include <cstdlib>

namespace xmc {

Status user_cache_folder(char* out) {
  char parent[kPathBytes];
  const char* const named = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  // Relative paths mean nothing there.
  if (named != nullptr && named[0] == '/') {
    XMC_TRY(join_path(parent, named, ""));
  } else if (home != nullptr && home[0] == '/') {
    XMC_TRY(join_path(parent, home, ".cache"));
  } else {
    return Status::fail(Code::unsupported, "there is neither XDG_CACHE_HOME nor HOME");
  }
  XMC_TRY(make_folder(parent));
  XMC_TRY(join_path(out, parent, "xmc-lite"));
  return make_folder(out);
}

}  // namespace xmc
