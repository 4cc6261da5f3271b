# Shared by the toolchain files: a target of Debian's cross compilers.
#
#   set(XMC_TARGET_ARCH armhf)                     Debian's name of the architecture
#   set(XMC_TARGET_TRIPLET arm-linux-gnueabihf)    prefix of the compiler, and its folder under /usr
#   set(XMC_TARGET_PROCESSOR armv7l)               as uname -m says
#   set(XMC_TARGET_QEMU arm)                       suffix of qemu-user's program
#   set(XMC_TARGET_HOSTS aarch64)                  optional: hosts that are this target
cmake_host_system_information(RESULT xmc_host QUERY OS_PLATFORM)
if(xmc_host IN_LIST XMC_TARGET_HOSTS)
  return()
endif()

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${XMC_TARGET_PROCESSOR})
set(CMAKE_C_COMPILER ${XMC_TARGET_TRIPLET}-gcc)
set(CMAKE_CXX_COMPILER ${XMC_TARGET_TRIPLET}-g++)
# Debian's multiarch name where it differs from the compiler's prefix (i386).
if(NOT XMC_TARGET_MULTIARCH)
  set(XMC_TARGET_MULTIARCH ${XMC_TARGET_TRIPLET})
endif()
set(CMAKE_LIBRARY_ARCHITECTURE ${XMC_TARGET_MULTIARCH})

# Libraries only from the target. Headers are given by full path where they are needed: Debian's
# cross compilers search /usr/include after their own, which is right for header-only packages.
set(CMAKE_FIND_ROOT_PATH /usr/${XMC_TARGET_TRIPLET})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)

# A 64-bit machine often runs its 32-bit relative. A program that says what machine it runs on
# tells: qemu, also where the kernel starts it, names the machine that it plays. OFF asks for the
# emulator.
if(NOT DEFINED XMC_RUNS_HERE)
  set(xmc_probe ${CMAKE_BINARY_DIR}/toolchain/machine)
  file(WRITE ${xmc_probe}.c "#include <stdio.h>
#include <sys/utsname.h>
int main(void) { struct utsname name; return uname(&name) != 0 || puts(name.machine) < 0; }
")
  execute_process(COMMAND ${CMAKE_C_COMPILER} -static -o ${xmc_probe} ${xmc_probe}.c
    OUTPUT_QUIET ERROR_QUIET)
  # By Python: CMake, as execvp does, gives a program that this machine cannot run to the shell, as
  # a script, and what that makes of its bytes may be anything.
  find_program(XMC_PROBE_PYTHON python3)
  execute_process(COMMAND ${XMC_PROBE_PYTHON} -c
    "import subprocess, sys; sys.exit(subprocess.run([sys.argv[1]]).returncode)" ${xmc_probe}
    WORKING_DIRECTORY ${CMAKE_BINARY_DIR}/toolchain OUTPUT_VARIABLE xmc_machine ERROR_QUIET
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(xmc_runs OFF)
  if(xmc_machine STREQUAL xmc_host)
    set(xmc_runs ON)
  endif()
  set(XMC_RUNS_HERE ${xmc_runs} CACHE BOOL "this machine runs the target's programs by itself")
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES XMC_RUNS_HERE)
if(NOT XMC_RUNS_HERE)
  find_program(XMC_EMULATOR NAMES qemu-${XMC_TARGET_QEMU}-static qemu-${XMC_TARGET_QEMU})
  if(XMC_EMULATOR)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${XMC_EMULATOR} -L /usr/${XMC_TARGET_TRIPLET})
  endif()
endif()

# libc6-dev-*-cross ships libm.a of x86 as a linker script that names the files by their place in
# a native installation. A copy with the right folder, earlier in the search path, makes static
# links work.
set(xmc_libm /usr/${XMC_TARGET_TRIPLET}/lib/libm.a)
if(EXISTS ${xmc_libm})
  file(READ ${xmc_libm} xmc_libm_head LIMIT 512 HEX)
  if(xmc_libm_head MATCHES "^2f2a20474e55")  # "/* GNU": not an archive
    file(READ ${xmc_libm} xmc_libm_text)
    string(REGEX REPLACE "/(usr/)?lib/[a-z0-9_]+-linux-gnu[a-z0-9]*/"
           "/usr/${XMC_TARGET_TRIPLET}/lib/" xmc_libm_text "${xmc_libm_text}")
    file(WRITE ${CMAKE_BINARY_DIR}/toolchain/libm.a "${xmc_libm_text}")
    set(CMAKE_EXE_LINKER_FLAGS_INIT "-L${CMAKE_BINARY_DIR}/toolchain")
  endif()
endif()
