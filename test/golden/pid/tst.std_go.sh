#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: strings of a Go program are text for %s, stringof(), print() and trace(), as arguments, in structures and behind pointers;
#   strings and slices have members for their address, length and capacity.
# @@tags: userland software
# @@timeout: 120
cat >"$tmpdir/shelf.go" <<'END'
package main

import (
	"fmt"
	"strings"
)

type Item struct {
	Name string
	Tags []string
}

//go:noinline
func greet(name string, n int, item *Item, tags []string) int {
	return len(name) + n + len(item.Name) + len(tags)
}

func main() {
	item := &Item{Name: "shelf", Tags: make([]string, 1, 4)}
	sum := greet("hello, gopher", 42, item, []string{"x", "yy"})
	sum += greet("", 0, &Item{}, nil)
	sum += greet(strings.Repeat("long ", 20), 1, item, make([]string, 3, 9))
	fmt.Println(sum)
}
END
cd "$tmpdir" || exit 1
HOME=$tmpdir GOCACHE=$tmpdir/cache GO111MODULE=off go build -o shelf shelf.go || exit 1
trace() {
  echo "== $1"
  "$dtrace" $dt_flags -q -n "pid\$target:shelf:main.greet:entry ${2-} { $1 }" -c ./shelf -o out || exit 1
  sed 's/0x[0-9a-f]*/ADDRESS/' out
  rm -f out
}
trace 'printf("%s|%d|%s|%d of %d\n", args[0], args[1], args[2]->Name, args[3].len, args[3].capacity);'
trace 'trace(args[0]); trace(args[0].len);'
trace 'print(args[0]);'
trace '@[stringof(args[0])] = count();'
trace 'printf("%d %d\n", strlen(stringof(args[0])), args[2]->Tags.capacity);'
trace 'printf("%s\n", copyinstr((uintptr_t)args[0].ptr, 5));' '/args[0].len/'
