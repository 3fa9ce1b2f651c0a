#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a program whose run-time system moves its stacks (Go) computes what it does untraced while calls, returns and every
# instruction of its functions are probed, in many goroutines, and no return is missed. A function is entered anew when its
# stack has been moved, so entries may be more.
dtrace=$1
go=$(command -v go || echo /usr/lib/go-1.19/bin/go)
cat >"$tmpdir/main.go" <<'G'
package main

import "fmt"

//go:noinline
func work(n int) int { return n*3 + 1 }

//go:noinline
func deep(n int) int {
	var room [256]byte
	room[n%256] = byte(n)
	if n == 0 {
		return int(room[0])
	}
	return deep(n-1) + work(n) + int(room[n%256]) - n%256
}

func main() {
	sum := 0
	done := make(chan int)
	for i := 0; i < 20; i++ {
		go func() { done <- deep(2000) }()
	}
	for i := 0; i < 20; i++ {
		sum += <-done
	}
	fmt.Println("sum", sum)
}
G
cd "$tmpdir" || exit 1
HOME=$tmpdir GOCACHE=$tmpdir/cache GOFLAGS= "$go" build -o program main.go || exit 1
./program
$dtrace $dt_flags -q -c ./program -n 'pid$target:a.out:main.work:entry, pid$target:a.out:main.work:return,
  pid$target:a.out:main.deep:return { @[probefunc, probename] = count(); } pid$target:a.out:main.deep:entry { deep++; }
  END { printa("%s %s %@d\n", @); printf("deep %d\n", deep >= 40020); }' 2>&1 | grep . | sort
$dtrace $dt_flags -q -c ./program -n 'pid$target:a.out:main.deep: { n++; } END { printf("instructions %d\n", n > 40020 * 10); }' 2>&1 | grep .
$dtrace $dt_flags -q -c ./program -n 'pid$target:a.out:runtime.*stack*:entry, pid$target:a.out:main*:return { n++; } END { printf("%d\n", n > 80000); }' 2>&1 | grep .
