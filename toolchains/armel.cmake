# ARMv5TE with soft floating point: Raspberry Pi 1 and Zero, old NAS boards.
set(XMC_TARGET_ARCH armel)
set(XMC_TARGET_TRIPLET arm-linux-gnueabi)
set(XMC_TARGET_PROCESSOR armv5tel)
set(XMC_TARGET_QEMU arm)
include(${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake)
