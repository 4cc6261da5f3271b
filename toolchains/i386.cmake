# x86, 32 bits: old netbooks.
set(XMC_TARGET_ARCH i386)
set(XMC_TARGET_TRIPLET i686-linux-gnu)
set(XMC_TARGET_PROCESSOR i686)
set(XMC_TARGET_QEMU i386)
set(XMC_TARGET_HOSTS i686)
set(XMC_TARGET_MULTIARCH i386-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake)
