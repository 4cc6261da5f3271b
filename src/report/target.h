// What this binary is: the machine it was built for, as "aarch64-linux", its version, the commit of
// its sources and the compiler.
#pragma once

namespace xmc {

#if defined(__aarch64__)
#define XMC_TARGET_CPU "aarch64"
#elif defined(__arm__) && __ARM_ARCH >= 7
#define XMC_TARGET_CPU "armv7"
#elif defined(__arm__) && __ARM_ARCH == 6
#define XMC_TARGET_CPU "armv6"
#elif defined(__arm__)
#define XMC_TARGET_CPU "armv5"
#elif defined(__x86_64__)
#define XMC_TARGET_CPU "x86_64"
#elif defined(__i386__)
#define XMC_TARGET_CPU "i386"
#elif defined(__riscv) && __riscv_xlen == 64
#define XMC_TARGET_CPU "riscv64"
#elif defined(__powerpc64__)
#define XMC_TARGET_CPU "powerpc64"
#elif defined(__s390x__)
#define XMC_TARGET_CPU "s390x"
#elif defined(__mips__)
#define XMC_TARGET_CPU "mips"
#else
#define XMC_TARGET_CPU "unknown"
#endif

#if defined(__linux__)
inline constexpr const char* kTarget = XMC_TARGET_CPU "-linux";
#else
inline constexpr const char* kTarget = XMC_TARGET_CPU "-other";
#endif

#undef XMC_TARGET_CPU

#ifndef XMC_VERSION
#define XMC_VERSION "0.0.0"
#endif
inline constexpr const char* kToolName = "xmc-lite";
inline constexpr const char* kToolVersion = XMC_VERSION;

// As git describes it, "-dirty" with changes that were not committed; "unknown" outside a
// repository. Its definition is written at every build (tools/commit.cmake), and alone in a file,
// so that a commit compiles nothing else anew.
extern const char kToolCommit[];

#if defined(__clang__)
inline constexpr const char* kCompiler = "clang " __clang_version__;
#else
inline constexpr const char* kCompiler = "gcc " __VERSION__;
#endif

}  // namespace xmc
