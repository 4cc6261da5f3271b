# ARMv8, 64 bits: Raspberry Pi 3 and later under a 64-bit system.
set(XMC_TARGET_ARCH arm64)
set(XMC_TARGET_TRIPLET aarch64-linux-gnu)
set(XMC_TARGET_PROCESSOR aarch64)
set(XMC_TARGET_QEMU aarch64)
set(XMC_TARGET_HOSTS aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake)
