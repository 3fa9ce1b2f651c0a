== prog0
struct wide {
    long double ld = +1.5000000e+00
    __int128 i = 0xfffffffffffffffa0000000000000007
    __int128 unsigned u = 0x50000000000000abc
    _Float128 q = +2.2500000e+00
    double d = +3.5000000e+00
}
-1234.625000 -1234.625000 -1234.62 1.500
-1234.62
__int128 0x10000000000000009
__int128 0xffffffffffffffff0000000000000004
__int128 unsigned 0x50000000000000abc
             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 07 00 00 00 00 00 00 00 fa ff ff ff ff ff ff ff  ................
2.250000
__int128 0x1000000000000000f
  -1234.62                                                          1
dtrace: invalid probe specifier: in action list: the value of args[3] is not available in pidN:a.out:use:entry: it is in a floating-point or vector register, which the kernel does not show to probes
dtrace: invalid probe specifier: in action list: operands have incompatible types: "__int128" + "int"
"value":{"ld":1.5,"i":"-110680464442257309689","u":"92233720368547760828","q":2.25,"d":3.5}}
== prog2
struct wide {
    long double ld = +1.5000000e+00
    __int128 i = 0xfffffffffffffffa0000000000000007
    __int128 unsigned u = 0x50000000000000abc
    _Float128 q = +2.2500000e+00
    double d = +3.5000000e+00
}
-1234.625000 -1234.625000 -1234.62 1.500
-1234.62
__int128 0x10000000000000009
__int128 0xffffffffffffffff0000000000000004
__int128 unsigned 0x50000000000000abc
             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 07 00 00 00 00 00 00 00 fa ff ff ff ff ff ff ff  ................
2.250000
__int128 0x1000000000000000f
  -1234.62                                                          1
dtrace: invalid probe specifier: in action list: the value of args[3] is not available in pidN:a.out:use:entry: it is in a floating-point or vector register, which the kernel does not show to probes
dtrace: invalid probe specifier: in action list: operands have incompatible types: "__int128" + "int"
"value":{"ld":1.5,"i":"-110680464442257309689","u":"92233720368547760828","q":2.25,"d":3.5}}
