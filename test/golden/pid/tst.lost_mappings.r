ready
libm.so.6 cbrt
