# Where LLFIO comes from: its CMake package, three given folders, or the network. Sets
# XMC_HAVE_LLFIO, XMC_LLFIO_FROM (for the summary) and XMC_LLFIO_INCLUDES.
#
#   -DXMC_FETCH=ON                                  pinned commits, fetched while configuring
#   -DFETCHCONTENT_SOURCE_DIR_LLFIO=FOLDER          a folder that goes first; the same for
#   -DFETCHCONTENT_SOURCE_DIR_QUICKCPPLIB=FOLDER    each of the three
#   -DFETCHCONTENT_SOURCE_DIR_OUTCOME=FOLDER
#
# LLFIO is used header-only, so nothing of it is built here. Its submodules are for Windows and for
# compilers older than C++20.
set(xmc_llfio_parts llfio quickcpplib outcome)
set(xmc_pin_llfio b505d7d2128ce9ad7ced27f425c012daa127c15f)
set(xmc_pin_quickcpplib 22c31eb347b266ffa923d2e4d4bff7995f30bb20)
set(xmc_pin_outcome 32f203695dea0073722699890d8f3faca58ff9bb)
set(xmc_header_llfio llfio/v2.0/file_handle.hpp)
set(xmc_header_quickcpplib quickcpplib/config.hpp)
set(xmc_header_outcome outcome/outcome.hpp)

# Fetches what was not given, and leaves the three folders in XMC_<PART>_ROOT.
macro(xmc_fetch_llfio)
  include(FetchContent)
  foreach(part ${xmc_llfio_parts})
    # A subfolder that does not exist keeps the project's own CMakeLists.txt out of this build.
    FetchContent_Declare(${part}
      GIT_REPOSITORY https://github.com/ned14/${part}.git
      GIT_TAG ${xmc_pin_${part}}
      GIT_SUBMODULES ""
      GIT_PROGRESS ON
      SOURCE_SUBDIR header_only)
  endforeach()
  message(STATUS "fetching LLFIO, quickcpplib and Outcome; where there is no network, give "
    "-DFETCHCONTENT_SOURCE_DIR_LLFIO, _QUICKCPPLIB and _OUTCOME")
  FetchContent_MakeAvailable(${xmc_llfio_parts})
  foreach(part ${xmc_llfio_parts})
    string(TOUPPER ${part} name)
    set(XMC_${name}_ROOT ${${part}_SOURCE_DIR})
  endforeach()
endmacro()

# Sets `variable` if the headers of all three are in their folders, else names the first that lacks.
function(xmc_check_llfio_roots variable lacking)
  set(${variable} ON PARENT_SCOPE)
  foreach(part ${xmc_llfio_parts})
    string(TOUPPER ${part} name)
    if(NOT EXISTS "${XMC_${name}_ROOT}/include/${xmc_header_${part}}")
      set(${variable} OFF PARENT_SCOPE)
      set(${lacking} "${XMC_${name}_ROOT}/include/${xmc_header_${part}}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

set(XMC_HAVE_LLFIO OFF)
set(XMC_LLFIO_FROM "no: XMC_IO=${XMC_IO}")
if(XMC_FETCH AND XMC_IO MATCHES "^(posix|uring)$")
  message(FATAL_ERROR "XMC_FETCH=ON fetches LLFIO, which XMC_IO=${XMC_IO} does not use: "
    "give -DXMC_IO=llfio or leave XMC_FETCH out")
endif()
if(XMC_IO MATCHES "^(auto|llfio)$")
  find_package(llfio CONFIG QUIET)
  xmc_check_llfio_roots(xmc_llfio_given xmc_llfio_lacking)
  if(llfio_FOUND)
    set(XMC_HAVE_LLFIO ON)
    set(XMC_LLFIO_FROM "yes, the CMake package in ${llfio_DIR}")
    set(XMC_LLFIO_INCLUDES "$<TARGET_PROPERTY:llfio::hl,INTERFACE_INCLUDE_DIRECTORIES>")
  elseif(xmc_llfio_given OR XMC_FETCH)
    if(NOT xmc_llfio_given)
      xmc_fetch_llfio()
      xmc_check_llfio_roots(xmc_llfio_given xmc_llfio_lacking)
    endif()
    if(NOT xmc_llfio_given)
      message(FATAL_ERROR "XMC_FETCH: ${xmc_llfio_lacking} does not exist; the folders given by "
        "-DFETCHCONTENT_SOURCE_DIR_LLFIO, _QUICKCPPLIB and _OUTCOME must be those projects")
    endif()
    set(XMC_HAVE_LLFIO ON)
    set(XMC_LLFIO_FROM "yes, sources in ${XMC_LLFIO_ROOT}")
    set(XMC_LLFIO_INCLUDES
      ${XMC_LLFIO_ROOT}/include ${XMC_QUICKCPPLIB_ROOT}/include ${XMC_OUTCOME_ROOT}/include)
  elseif(XMC_IO STREQUAL "llfio")
    message(FATAL_ERROR "XMC_IO=llfio: LLFIO was not found; -DXMC_FETCH=ON fetches it, or install "
      "its CMake package, or give -DXMC_LLFIO_ROOT, -DXMC_QUICKCPPLIB_ROOT and -DXMC_OUTCOME_ROOT")
  else()
    set(XMC_LLFIO_FROM "no: -DXMC_FETCH=ON fetches it")
  endif()
endif()
