$ dtrace -xcpu=0 -n BEGIN{trace(1); trace((char)65); trace((short)-2); trace(-3LL); trace("abc"); trace((unsigned short)65535); trace(7ULL);exit(0)}
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN           1  65    -2                  -3  abc                               65535                    7

! dtrace: description 'BEGIN' matched 1 probe
status 0
$ dtrace -qn BEGIN{trace(1); trace((char)65); trace((short)-2); trace(-3LL); trace("abc"); trace((unsigned short)65535); trace(7ULL);exit(0)}
165-2-3abc655357
status 0
$ dtrace -xcpu=0 -n struct pair { int a; char b[4]; }; BEGIN{this->p = (struct pair *)alloca(sizeof(struct pair)); this->p->a = 1; this->p->b[0] = 72; this->p->b[1] = 105; trace(*this->p); trace(this->p->b); exit(0)}
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN 
             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 01 00 00 00 48 69 00 00                          ....Hi..
  Hi                               

! dtrace: description 'struct pair ' matched 1 probe
status 0
$ dtrace -xcpu=0 -xrawbytes -n struct pair { int a; char b[4]; }; BEGIN{this->p = (struct pair *)alloca(sizeof(struct pair)); this->p->a = 1; this->p->b[0] = 72; trace(this->p->b); trace(5); exit(0)}
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN 
             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 48 00 00 00                                      H...
          5

! dtrace: description 'struct pair ' matched 1 probe
status 0
$ dtrace -qn struct pair { int a; char b[4]; }; BEGIN{this->p = (struct pair *)alloca(20); this->p->a = 1; this->p->b[0] = 72; this->p->b[1] = 105; tracemem(this->p, 20); tracemem(this->p, 20, 6); exit(0)}

             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 01 00 00 00 48 69 00 00 00 00 00 00 00 00 00 00  ....Hi..........
        10: 00 00 00 00                                      ....

             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 01 00 00 00 48 69                                ....Hi

status 0
$ dtrace -qn BEGIN{print(1); printf("|"); print((char)65); printf("|"); print("abc"); printf("|"); print((char)0); printf("|"); print(0); printf("|"); print(-1); exit(0)}
int 0x1|char 'A'|string "abc"|char '\0'|int 0|int 0xffffffff
status 0
$ dtrace -qn enum color { RED, GREEN = 5 }; struct pair { int a; enum color c; char b[4]; }; BEGIN{this->p = (struct pair *)alloca(sizeof(struct pair)); this->p->a = 16; this->p->c = GREEN; this->p->b[0] = 72; this->p->b[1] = 105; print(*this->p); exit(0)}
struct pair {
    int a = 0x10
    enum color c = GREEN
    char [4] b = [ "Hi" ]
}
status 0
0xADDR = *
                                            (struct pair) {
                                             .a = (int)16,
                                             .c = (enum color)GREEN,
                                             .b = (char [4]) [
                                              (char)'H',
                                             ],
                                            }

CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN 
    FRAME



              FRAME
next
$ dtrace -xcpu=0 -n BEGIN{usym(1); umod(1); uaddr(1); exit(0)}
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN   0x1                                                 0x1                                                 0x1                                               

! dtrace: description 'BEGIN' matched 1 probe
status 0
$ dtrace -xcpu=0 -n BEGIN{sym(1); func(1); mod(1); exit(0)}
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN   0x1                                                 0x1                                                 0x1                                               

! dtrace: description 'BEGIN' matched 1 probe
status 0
$ dtrace -qn BEGIN{usym(1); umod(1); exit(0)}
  0x1                                                 0x1                                               
status 0
