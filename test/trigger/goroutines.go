// SPDX-License-Identifier: Apache-2.0
// goroutines COUNT: deep recursion in so many goroutines, so that the run-time system moves their stacks; prints the sum of
// one of them, if they all have the same.
package main

import (
	"fmt"
	"os"
	"strconv"
)

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
	count, _ := strconv.Atoi(os.Args[1])
	done := make(chan int)
	for i := 0; i < count; i++ {
		go func() { done <- deep(2000) }()
	}
	for i := 0; i < count; i++ {
		sum += <-done
	}
	fmt.Println("sum", sum/count, sum%count)
}
