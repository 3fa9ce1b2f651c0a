#!/bin/bash
# ASSERTION: what trace(), print(), tracemem(), stacks and symbols look like in a row, in quiet mode, as raw bytes.
# SECTION: Output formats, 6.3 to 6.7
. "$(dirname "$0")/../../runner/show.sh"
all='trace(1); trace((char)65); trace((short)-2); trace(-3LL); trace("abc"); trace((unsigned short)65535); trace(7ULL)'
run -xcpu=0 -n "BEGIN{$all;exit(0)}"
run -qn "BEGIN{$all;exit(0)}"
run -xcpu=0 -n 'struct pair { int a; char b[4]; }; BEGIN{this->p = (struct pair *)alloca(sizeof(struct pair)); this->p->a = 1; this->p->b[0] = 72; this->p->b[1] = 105; trace(*this->p); trace(this->p->b); exit(0)}'
run -xcpu=0 -xrawbytes -n 'struct pair { int a; char b[4]; }; BEGIN{this->p = (struct pair *)alloca(sizeof(struct pair)); this->p->a = 1; this->p->b[0] = 72; trace(this->p->b); trace(5); exit(0)}'
run -qn 'struct pair { int a; char b[4]; }; BEGIN{this->p = (struct pair *)alloca(20); this->p->a = 1; this->p->b[0] = 72; this->p->b[1] = 105; tracemem(this->p, 20); tracemem(this->p, 20, 6); exit(0)}'
run -qn 'BEGIN{print(1); printf("|"); print((char)65); printf("|"); print("abc"); printf("|"); print((char)0); printf("|"); print(0); printf("|"); print(-1); exit(0)}'
run -qn 'enum color { RED, GREEN = 5 }; struct pair { int a; enum color c; char b[4]; }; BEGIN{this->p = (struct pair *)alloca(sizeof(struct pair)); this->p->a = 16; this->p->c = GREEN; this->p->b[0] = 72; this->p->b[1] = 105; print(*this->p); exit(0)}'
"$dtrace" -qn 'enum color { RED, GREEN = 5 }; struct pair { int a; enum color c; char b[4]; }; BEGIN{this->p = (struct pair *)alloca(sizeof(struct pair)); this->p->a = 16; this->p->c = GREEN; this->p->b[0] = 72; print(this->p); exit(0)}' | sed '1s/^0x[0-9a-f]* /0xADDR /'
"$dtrace" -xcpu=0 -xstackindent=4 -n 'BEGIN{stack(1); exit(0)}' 2>/dev/null | sed 's|[a-z0-9]*`[A-Za-z_0-9+]*|FRAME|'
"$dtrace" -qn 'BEGIN{stack(1); trace("next"); exit(0)}' | sed 's|[a-z0-9]*`[A-Za-z_0-9+]*|FRAME|'
run -xcpu=0 -n 'BEGIN{usym(1); umod(1); uaddr(1); exit(0)}'
run -xcpu=0 -n 'BEGIN{sym(1); func(1); mod(1); exit(0)}'
run -qn 'BEGIN{usym(1); umod(1); exit(0)}'
