== exec
exec libfirst.so:choice:entry 2
exec libfirst.so:decide:entry 2
exec libfirst.so:step:entry 1001
exec libfirst.so:step:return 1001
exec libfirst.so:step:step 1001
exec libsecond.so:other:entry 1001
exec libsecond.so:other:other 1001
== preinit
preinit libfirst.so:choice:entry 2
preinit libfirst.so:step:entry 1001
preinit libfirst.so:step:return 1001
preinit libfirst.so:step:step 1001
preinit libsecond.so:other:entry 1001
preinit libsecond.so:other:other 1001
== postinit
postinit libfirst.so:choice:entry 1
postinit libfirst.so:step:entry 1
postinit libfirst.so:step:return 1
postinit libfirst.so:step:step 1
postinit libsecond.so:other:entry 1
postinit libsecond.so:other:other 1
== main
main libfirst.so:choice:entry 1
main libfirst.so:step:entry 1
main libfirst.so:step:return 1
main libfirst.so:step:step 1
main libsecond.so:other:entry 1
main libsecond.so:other:other 1
== the linker
states 2, others 1001
