# ARMv7 with hardware floating point: Raspberry Pi 2 and later. It does not run on a Pi 1 or Zero.
set(XMC_TARGET_ARCH armhf)
set(XMC_TARGET_TRIPLET arm-linux-gnueabihf)
set(XMC_TARGET_PROCESSOR armv7l)
set(XMC_TARGET_QEMU arm)
set(XMC_TARGET_HOSTS armv7l)
include(${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake)
