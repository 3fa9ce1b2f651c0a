adaptive-acquire (struct mutex *)
adaptive-release (struct mutex *)
adaptive-acquire-error (struct mutex *, int)
rw-acquire (uintptr_t, int)
rw-release (uintptr_t, int)
rw-downgrade (uintptr_t)
mutex: 1
writer: 1
reader: 1
downgrades: 1
error: 4
