call_first 8
cases 64
condition 30
do_while 21
early 17
fixed_loop 9
in_cold 1
in_header 25
inner 16
nested_loops 8
outer 8
plain 62
rare 30
tight 30
two_stores 128
while_loop 8
gcc -O0: the same
gcc -O1: the same
gcc -O2: the same
gcc -O2 -gdwarf-4: the same
gcc -O3: the same
gcc -O3 WIDER: the same
gcc -Os: the same
gcc -O2 -flto: the same
gcc -O3 -flto: do_while nested_loops 
gcc -O2 -gsplit-dwarf: the same
gcc -O3 -gsplit-dwarf -gdwarf-4: the same
gcc -O2 -funroll-loops: do_while 
gcc -O2 -fprofile-generate: while_loop 
clang-19 -O0: the same
clang-19 -O2: cases condition in_header plain tight 
clang-19 -O2 -gsplit-dwarf: cases condition in_header plain tight 
clang-19 -O2 -gsplit-dwarf -gdwarf-4: cases condition in_header plain tight 
clang-19 -O2 -fno-unroll-loops: condition in_header tight 
clang-19 -O3 -fno-unroll-loops -flto -fuse-ld=bfd: condition in_header tight 
== told
gcc -O2 -flto: plain: may fire more or less than once for a call: the compiler does not say where all copies of its code begin
clang-19 -O2: plain: may fire more or less than once for a call: the compiler does not say where all copies of its code begin
gcc -O2 -fprofile-generate: while_loop: may fire more or less than once for a call: the compiler does not say where all copies of its code begin
gcc -O2 -funroll-loops: do_while: not at all inlined calls: the call in line 61: its code begins with a loop, and a conditional jump leads into it
