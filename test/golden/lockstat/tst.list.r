lockstat:vmlinux::adaptive-block (struct mutex *, uint64_t)
lockstat:vmlinux::adaptive-spin (struct mutex *, uint64_t)
lockstat:vmlinux::spin-spin (spinlock_t *, uint64_t)
lockstat:vmlinux::rw-block (uintptr_t, uint64_t, int)
lockstat:vmlinux::rw-spin (rwlock_t *, uint64_t, int)
  note: the programs of dtrace take spin locks themselves, so those that are free are not reported: lockstat:::spin-spin fires for those that are waited for
