// Shows that the guard can fail: allocates after a seal in the way that the argument names, and
// returns 0 only if the guard let it pass.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "xmc/arena.h"

int main(int count, char** arguments) {
  static xmc::u8 region[4096];
  int* volatile early = new int(1);
  xmc::Arena arena{region};
  arena.seal();
  const char* way = count > 1 ? arguments[1] : "none";
  if (std::strcmp(way, "malloc") == 0) {
    void* volatile p = std::malloc(8);
    return p == nullptr;
  }
  if (std::strcmp(way, "new") == 0) {
    int* volatile p = new int(2);
    return p == nullptr;
  }
  if (std::strcmp(way, "delete") == 0) {
    delete early;
    return 0;
  }
  if (std::strcmp(way, "libc") == 0) {  // stdio takes its stream from the heap
    FILE* volatile file = std::fopen("/dev/null", "r");
    return file == nullptr;
  }
  return 0;
}
