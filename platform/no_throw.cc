// A mutex of the C++ library throws when it cannot be locked, which takes a mistake of ours.
// Without this file, what throws would come along: exceptions, their names and messages in other
// languages, 60 KB of the image. Weak: where something else has them (tests, LLFIO) the library's
// own one counts.
#include <cstdlib>

namespace std {

[[gnu::weak, noreturn]] void __throw_system_error(int) { abort(); }

}  // namespace std
