# Writes a C++ file with the commit of the sources as `const char kToolCommit[]`, and leaves it
# alone when it says so already. Without git, or where SOURCE is not the top of a repository, the
# commit is FALLBACK.
#
#   cmake -DSOURCE=folder -DFALLBACK=text -DOUTPUT=file.cc -P commit.cmake
set(commit "${FALLBACK}")
find_program(GIT git)
if(GIT AND EXISTS "${SOURCE}/.git")
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --abbrev=12
    OUTPUT_VARIABLE found RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed AND found MATCHES "^[-.+~A-Za-z0-9_/]+$")
    set(commit "${found}")
  endif()
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT [[
#include "report/target.h"

namespace xmc {
const char kToolCommit[] = "@commit@";
}  // namespace xmc
]] @ONLY)
