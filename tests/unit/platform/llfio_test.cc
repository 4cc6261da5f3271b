// What the backend of LLFIO has to know of its handles; the conformance suites do the rest. Only
// what stands in for LLFIO can be told to fail.
#ifdef XMC_LLFIO_STAND_IN

#include <doctest/doctest.h>

#include <cerrno>
#include <cstdlib>
#include <llfio/v2.0/file_handle.hpp>
#include <string>

#include "rigs.h"

namespace xmc::test {
namespace llfio_test {

TEST_CASE("a sync of LLFIO is the barrier after which data is durable") {
  FileRig rig(*llfio_backend(), true);
  Device* device = open_or_fail(rig.folder(), "data", Folder::Open::create);
  append_pattern(*device, 2, 1);
  const unsigned before = llfio_stand_in::g_durable_barriers;
  CHECK(device->sync().ok());
  CHECK(llfio_stand_in::g_durable_barriers == before + 1);
  rig.folder().close(device);
}

TEST_CASE("a handle of LLFIO that cannot be closed is given up, and its place is free") {
  TempFolder temp;
  FileBackend& backend = *llfio_backend();
  const std::string path = temp.file("data");
  const FileBackend::Opened first = backend.open(path.c_str(), true, true).value();
  llfio_stand_in::g_close_error = EIO;
  backend.close({first.handle, "data"});
  const FileBackend::Opened second = backend.open(path.c_str(), false, true).value();
  CHECK(second.handle == first.handle);
  backend.close({second.handle, "data"});
}

TEST_CASE("a handle of LLFIO that is open at the end does not change how a process ends") {
  TempFolder temp;
  const std::string path = temp.file("data");
  CHECK(status_of_child([&] {
          static_cast<void>(llfio_backend()->open(path.c_str(), true, true));
          llfio_stand_in::g_close_error = EIO;
          std::exit(0);
        }) == 0);
}

}  // namespace llfio_test
}  // namespace xmc::test

#endif  // XMC_LLFIO_STAND_IN
