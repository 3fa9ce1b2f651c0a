io:vmlinux::start (bufinfo_t *, devinfo_t *, fileinfo_t *)
io:vmlinux::done (bufinfo_t *, devinfo_t *, fileinfo_t *)
