lockstat:vmlinux::adaptive-block (struct mutex *, uint64_t)
lockstat:vmlinux::adaptive-spin (struct mutex *, uint64_t)
lockstat:vmlinux::spin-spin (uintptr_t, uint64_t)
lockstat:vmlinux::rw-block (uintptr_t, uint64_t, int)
lockstat:vmlinux::rw-spin (uintptr_t, uint64_t, int)
  note: the kernel reports locks only when a thread has to wait: lockstat:::adaptive-block, adaptive-spin, spin-spin, rw-block and rw-spin; where there is fbt, its functions (mutex_lock) report all
