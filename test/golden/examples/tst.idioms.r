$ dtrace -qn BEGIN { @a["x"] = count(); @b["x"] = sum(10); @b["y"] = sum(5); printa("%-10s %@5d %@8d\n", @a, @b); exit(0); } END { trunc(@a); trunc(@b); }
y              0        5
x              1       10

status 0
$ dtrace -qn BEGIN { @a[1] = quantize(3); @b[1] = count(); printa("k=%d %@d c=%@d\n", @a, @b); exit(0); }
k=1 
           value  ------------- Distribution ------------- count    
               1 |                                         0        
               2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        
               4 |                                         0        
 c=1

status 0
$ dtrace -q -xaggsortkey -xaggsortkeypos=1 -n BEGIN { @["b", 1] = count(); @["a", 2] = count(); @["a", 1] = count(); exit(0); }

  a                                                         1                1
  b                                                         1                1
  a                                                         2                1
status 0
$ dtrace -q -xaggsortrev -n BEGIN { @["b"] = sum(3); @["a"] = sum(4); @["c"] = sum(-1); exit(0); }

  a                                                                 4
  b                                                                 3
  c                                                                -1
status 0
$ dtrace -q -xaggsortpos=1 -n BEGIN { @a["x"] = sum(1); @a["y"] = sum(2); @b["x"] = sum(9); @b["y"] = sum(3); printa(@a, @b); exit(0); }

  y                                                                 2                3
  x                                                                 1                9

status 0
$ dtrace -qn BEGIN { @[1] = sum(3); @[2] = sum(5); @[3] = sum(9); trunc(@, -2); exit(0); }

        1                3
        2                5
status 0
$ dtrace -qn BEGIN { start = timestamp; @["r"] = sum(1000000); } BEGIN { normalize(@, (timestamp - start) / 1000000000 + 1); exit(0); }

  r                                                           1000000
status 0
$ dtrace -qn BEGIN { self->a["x", 1] = 5; self->s[1] = "one"; printf("%d %d %s %d\n", self->a["x", 1], self->a["y", 2], self->s[1], self->s[2] == NULL); this->x = 7; } BEGIN { printf("%d\n", this->x); exit(0); }
5 0 one 1
7

status 0
$ dtrace -qn BEGIN { printf("%-20s|%5d|%05d|%+d|% d|%#x|%#o|%X|%10.2s|%-*d|\n", "abc", 42, 42, 42, 42, 255, 8, 255, "abcdef", 5, 42); exit(0); }
abc                 |   42|00042|+42| 42|0xff|010|FF|        ab|42   |

status 0
$ dtrace -qn BEGIN { printf("%u %x %u %x %d\n", -1, -1, -1LL, -1LL, (char)-1); printf("%S|%C|%c|%C|%d\n", "a\tb\n\"q\"", 9, 65, 0, strlen("a\0b")); exit(0); }
4294967295 ffffffff 18446744073709551615 ffffffffffffffff -1
a\tb\n\"q\"|\t|A|\0|1

status 0
$ dtrace -qn BEGIN { printf("%d %d %d %d\n", "abc" < "abd", "b" > "abc", "a" == "a", "a" <= ""); x = 3; printf("%s\n", x == 1 ? "one" : x == 2 ? "two" : x == 3 ? "three" : "many"); exit(0); }
1 1 1 0
three

status 0
$ dtrace -qn enum colour { RED, GREEN = 5, BLUE }; enum colour c; inline string state[int s] = s == 0 ? "idle" : s == 1 ? "busy" : "?"; BEGIN { c = GREEN; printf("%d %d %s %s\n", c, BLUE, state[1], state[2]); print(c); exit(0); }
5 6 busy ?
enum colour GREEN
status 0
$ dtrace -qn BEGIN { this->p = (char *)alloca(32); bcopy("hello", this->p, 6); printf("%s\n", stringof(this->p)); tracemem(this->p, 32, 5); tracemem(this->p, 32, 0); exit(0); }
hello

             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 68 65 6c 6c 6f                                   hello

status 0
$ dtrace -qn BEGIN { @ = lquantize(-5, 0, 10, 3); @ = lquantize(0, 0, 10, 3); @ = lquantize(9, 0, 10, 3); @ = lquantize(100, 0, 10, 3); exit(0); }


           value  ------------- Distribution ------------- count    
             < 0 |@@@@@@@@@@                               1        
               0 |@@@@@@@@@@                               1        
               3 |                                         0        
               6 |                                         0        
            >= 9 |@@@@@@@@@@@@@@@@@@@@                     2        

status 0
$ dtrace -qn syscall::openat:entry /pid == $target/ { self->file = copyinstr(arg1); } syscall::openat:return /self->file == "/no/such/0"/ { printf("%d %d %d %s\n", errno, errno == ENOENT, (int)arg0, self->file); self->file = 0; exit(0); } -c opens 1
2 1 -1 /no/such/0

status 0
$ dtrace -n BEGIN { trace($1); exit(0); }
! dtrace: invalid probe specifier: macro argument $1 is not defined
!   1 | BEGIN { trace($1); exit(0); }
!     |               ^~
status 1
$ dtrace -n BEGIN { printf("%s", $$2); exit(0); } 3
! dtrace: invalid probe specifier: macro argument $$2 is not defined
!   1 | BEGIN { printf("%s", $$2); exit(0); }
!     |                      ^~~
status 1
$ dtrace -q -xdefaultargs -n BEGIN { printf("[%s] %d", $$1, $2); exit(0); }
[] 0
status 0
$ dtrace -n BEGIN { printf("%s\n", 1); }
! dtrace: invalid probe specifier: in action list: printf( ) argument #2 is incompatible with conversion #1 prototype:
! 	conversion: %s
! 	 prototype: char [] or string (or use stringof)
! 	  argument: int
!   1 | BEGIN { printf("%s\n", 1); }
!     |                        ^
!   note: a string of the program is read by copyinstr(1), one of the kernel by stringof((char *)1)
status 1
$ dtrace -n BEGIN { @a["k"] = count(); @a["l"] = sum(1); }
! dtrace: invalid probe specifier: in action list: aggregation redefined: @a
! 	 current: @a = sum( )
! 	previous: @a = count( ) : line 1
!   1 | BEGIN { @a["k"] = count(); @a["l"] = sum(1); }
!     |                            ^~~~~~~~~~~~~~~~
status 1
