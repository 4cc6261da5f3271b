// The main program of every unit test: each folder of tests/unit becomes one executable with it.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
// Said by doctest's first half, which is precompiled.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
