// A mutex of the C++ library throws when it cannot be locked, which takes a mistake of ours.
// Without this file, what throws would come along: exceptions, their names and messages in other
// languages, 60 KB of the image. Weak: where something else has them (tests, LLFIO) the library's
// own one counts. What says what was thrown by its name in the source takes another 48 KB, and
// whoever calls LLFIO throws nothing.
#include <cstdlib>

namespace std {

[[gnu::weak, noreturn]] void __throw_system_error(int) { abort(); }

}  // namespace std

namespace __gnu_cxx {

// By this name the C++ library knows it; declared, or a warning asks for that.
void __verbose_terminate_handler();
[[gnu::weak]] void __verbose_terminate_handler() { abort(); }

}  // namespace __gnu_cxx
