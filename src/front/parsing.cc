#include "front/parsing.h"

#include <cstdarg>

namespace xmc {

void Messages::error(Span place, const char* pattern, ...) {
  va_list args;
  va_start(args, pattern);
  diagnostics.report(Diagnostics::Severity::error, place.begin, place.end, pattern, args);
  va_end(args);
}

void Messages::warning(Span place, const char* pattern, ...) {
  va_list args;
  va_start(args, pattern);
  diagnostics.report(Diagnostics::Severity::warning, place.begin, place.end, pattern, args);
  va_end(args);
}

void Messages::note(Span place, const char* pattern, ...) {
  va_list args;
  va_start(args, pattern);
  diagnostics.report(Diagnostics::Severity::note, place.begin, place.end, pattern, args);
  va_end(args);
}

}  // namespace xmc
