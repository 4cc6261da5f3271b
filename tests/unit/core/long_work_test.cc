#include "xmc/long_work.h"

#include <doctest/doctest.h>

#include "xmc/go_on.h"

using namespace xmc;

namespace long_work_test {

TEST_CASE("what is under way, and the share of it that is done") {
  LongWork work;
  work.set(1, 2);
  CHECK(work.name() == nullptr);
  CHECK(work.percent() == 0);
  {
    const LongWork::Scope scope(&work, "merging");
    CHECK(std::string_view(work.name()) == "merging");
    work.set(43, 100);
    CHECK(work.percent() == 43);
    work.set(20, 100);
    CHECK(work.percent() == 43);  // it does not go back
    work.set(7, 0);
    CHECK(work.percent() == 43);
    work.set(300, 200);
    CHECK(work.percent() == 100);
  }
  CHECK(work.name() == nullptr);
}

TEST_CASE("work inside of work, and parts inside of parts") {
  LongWork work;
  const LongWork::Scope outer(&work, "comparing");
  {
    const LongWork::Part second(&work, 2, 4, 8);
    CHECK(work.percent() == 25);
    const LongWork::Part half(&work, 1, 2, 2);
    work.set(1, 2);
    CHECK(work.percent() == 43);
    const LongWork::Scope inner(&work, "merging");
    CHECK(work.percent() == 0);
    work.set(1, 3);
    CHECK(work.percent() == 33);
  }
  CHECK(std::string_view(work.name()) == "comparing");
  CHECK(work.percent() == 43);
  work.set(3, 4);
  CHECK(work.percent() == 75);
}

TEST_CASE("nobody wants to know") {
  const LongWork::Scope scope(nullptr, "merging");
  const LongWork::Part part(nullptr, 1, 2, 3);
  CHECK(GoOn()(1, 2).ok());
}

TEST_CASE("who asks says how far it is") {
  LongWork work;
  const LongWork::Scope scope(&work, "merging");
  const GoOn go_on{nullptr, [](void*) { return Status(); }, &work};
  CHECK(go_on(1, 4).ok());
  CHECK(work.percent() == 25);
  CHECK(go_on().ok());
  CHECK(work.percent() == 25);
}

}  // namespace long_work_test
