#!/bin/bash
# ASSERTION: what is typed every day prints what the guides show: aggregations joined, sorted and cut; formats at their
#   edges; strings, enumerations, inlines and scratch memory; opens as one-liners write them; and mistakes are reported.
# SECTION: Aggregations, 5; Output formats, 6
. "$(dirname "$0")/../../runner/show.sh"
run -qn 'BEGIN { @a["x"] = count(); @b["x"] = sum(10); @b["y"] = sum(5); printa("%-10s %@5d %@8d\n", @a, @b); exit(0); } END { trunc(@a); trunc(@b); }'
run -qn 'BEGIN { @a[1] = quantize(3); @b[1] = count(); printa("k=%d %@d c=%@d\n", @a, @b); exit(0); }'
run -q -xaggsortkey -xaggsortkeypos=1 -n 'BEGIN { @["b", 1] = count(); @["a", 2] = count(); @["a", 1] = count(); exit(0); }'
run -q -xaggsortrev -n 'BEGIN { @["b"] = sum(3); @["a"] = sum(4); @["c"] = sum(-1); exit(0); }'
run -q -xaggsortpos=1 -n 'BEGIN { @a["x"] = sum(1); @a["y"] = sum(2); @b["x"] = sum(9); @b["y"] = sum(3); printa(@a, @b); exit(0); }'
run -qn 'BEGIN { @[1] = sum(3); @[2] = sum(5); @[3] = sum(9); trunc(@, -2); exit(0); }'
run -qn 'BEGIN { start = timestamp; @["r"] = sum(1000000); } BEGIN { normalize(@, (timestamp - start) / 1000000000 + 1); exit(0); }'
run -qn 'BEGIN { self->a["x", 1] = 5; self->s[1] = "one"; printf("%d %d %s %d\n", self->a["x", 1], self->a["y", 2], self->s[1], self->s[2] == NULL); this->x = 7; } BEGIN { printf("%d\n", this->x); exit(0); }'
run -qn 'BEGIN { printf("%-20s|%5d|%05d|%+d|% d|%#x|%#o|%X|%10.2s|%-*d|\n", "abc", 42, 42, 42, 42, 255, 8, 255, "abcdef", 5, 42); exit(0); }'
run -qn 'BEGIN { printf("%u %x %u %x %d\n", -1, -1, -1LL, -1LL, (char)-1); printf("%S|%C|%c|%C|%d\n", "a\tb\n\"q\"", 9, 65, 0, strlen("a\0b")); exit(0); }'
run -qn 'BEGIN { printf("%d %d %d %d\n", "abc" < "abd", "b" > "abc", "a" == "a", "a" <= ""); x = 3; printf("%s\n", x == 1 ? "one" : x == 2 ? "two" : x == 3 ? "three" : "many"); exit(0); }'
run -qn 'enum colour { RED, GREEN = 5, BLUE }; enum colour c; inline string state[int s] = s == 0 ? "idle" : s == 1 ? "busy" : "?"; BEGIN { c = GREEN; printf("%d %d %s %s\n", c, BLUE, state[1], state[2]); print(c); exit(0); }'
run -qn 'BEGIN { this->p = (char *)alloca(32); bcopy("hello", this->p, 6); printf("%s\n", stringof(this->p)); tracemem(this->p, 32, 5); tracemem(this->p, 32, 0); exit(0); }'
run -qn 'BEGIN { @ = lquantize(-5, 0, 10, 3); @ = lquantize(0, 0, 10, 3); @ = lquantize(9, 0, 10, 3); @ = lquantize(100, 0, 10, 3); exit(0); }'
run -qn 'syscall::openat:entry /pid == $target/ { self->file = copyinstr(arg1); } syscall::openat:return /self->file == "/no/such/0"/ { printf("%d %d %d %s\n", errno, errno == ENOENT, (int)arg0, self->file); self->file = 0; exit(0); }' -c "$triggers/opens 1" | sed "s,$triggers/,,"
run -n 'BEGIN { trace($1); exit(0); }'
run -n 'BEGIN { printf("%s", $$2); exit(0); }' 3
run -q -xdefaultargs -n 'BEGIN { printf("[%s] %d", $$1, $2); exit(0); }'
run -n 'BEGIN { printf("%s\n", 1); }'
run -n 'BEGIN { @a["k"] = count(); @a["l"] = sum(1); }'
