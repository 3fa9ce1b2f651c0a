libm.so.6 cbrt entry

