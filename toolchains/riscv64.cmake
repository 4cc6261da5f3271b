# RISC-V, 64 bits (rv64gc).
set(XMC_TARGET_ARCH riscv64)
set(XMC_TARGET_TRIPLET riscv64-linux-gnu)
set(XMC_TARGET_PROCESSOR riscv64)
set(XMC_TARGET_QEMU riscv64)
set(XMC_TARGET_HOSTS riscv64)
include(${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake)
