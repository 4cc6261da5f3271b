#include <doctest/doctest.h>

#include <cerrno>
#include <string>

#include "xmc/status.h"
#include "xmc/text.h"

using namespace xmc;

namespace text_test {

TEST_CASE("what does not fit is cut and remembered") {
  FixedText<8> text;
  text.add("12345");
  CHECK_FALSE(text.cut());
  text.add("6789");
  CHECK(text.cut());
  CHECK(text.view() == "1234567");
  text.clear();
  text.format("%d-%d", 1234, 56789);
  CHECK(text.cut());
  CHECK(text.view() == "1234-56");
}

TEST_CASE("numbers, sizes and times read well") {
  FixedText<64> text;
  text.grouped(0).add(' ').grouped(999).add(' ').grouped(1000).add(' ').grouped(1234567);
  CHECK(text.view() == "0 999 1,000 1,234,567");
  text.clear();
  text.bytes(512).add(' ').bytes(1536).add(' ').bytes(u64{32} << 20);
  CHECK(text.view() == "512 B 1.5 KiB 32.0 MiB");
  text.clear();
  text.seconds(1.5).add(' ').seconds(130).add(' ').seconds(7380);
  CHECK(text.view() == "1.50 s 2 m 10 s 2 h 03 m");
  text.clear();
  text.number(~u64{0}).pad_to(24).add('|').pad_left("ab", 4);
  CHECK(text.view() == "18446744073709551615    |  ab");
}

TEST_CASE("a status carries its code, its message and the system's reason") {
  const Status status = Status::fail_os(Code::disk_full, ENOSPC, "writing %s", "run.0");
  CHECK_FALSE(status.ok());
  CHECK(status.code() == Code::disk_full);
  CHECK(status.os_error() == ENOSPC);
  CHECK(status.message() == "writing run.0: No space left on device");
  CHECK(Status().ok());
  const Result<int> good(5);
  CHECK(good.ok());
  CHECK(good.value() == 5);
  const Result<int> bad(Status::fail(Code::usage, "no"));
  CHECK(bad.status().message() == "no");
}

TEST_CASE("a copy of a status has its code, reason and message") {
  const Status failed = Status::fail_os(Code::io, EIO, "reading %s", "queue");
  Status copy = failed;
  CHECK(copy.code() == Code::io);
  CHECK(copy.os_error() == EIO);
  CHECK(copy.message() == failed.message());
  const Status& same = copy;
  copy = same;
  CHECK(copy.message() == failed.message());
  copy = Status();
  CHECK(copy.ok());
  CHECK(copy.os_error() == 0);
  CHECK(copy.message().empty());
  copy = failed;
  CHECK(copy.message() == failed.message());
}

}  // namespace text_test
