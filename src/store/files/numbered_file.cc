#include "store/files/numbered_file.h"

#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc {

FileName::FileName(const char* file) {
  Text text(text_, kMostBytes);
  text.add(file);
  XMC_CHECK(!text.cut());
}

FileName::FileName(const char* file, u64 number) {
  Text text(text_, kMostBytes);
  text.add(file).add('.').number(number);
  XMC_CHECK(!text.cut());
}

FileName::FileName(std::string_view prefix, const char* file) {
  Text text(text_, kMostBytes);
  text.add(prefix).add(file);
  XMC_CHECK(!text.cut());
}

}  // namespace xmc
