pid$target:libc.so.6:clock:entry: libc.so.6 fires
pid$target:libc.so:clock:entry: libc.so.6 fires
pid$target:libc:clock:entry: libc.so.6 fires
pid$target:lib*.so:clock:entry: libc.so.6 fires
pid$target:libc.s:clock:entry: D_PDESC_ZERO
p*d$target:a.out:spin_here:entry: spin fires
*$target:a.out:spin_here:entry: spin fires
pi[a-z]$target:a.out:spin_here:entry: spin fires
x*d$target:a.out:spin_here:entry: D_PDESC_ZERO
