// SPDX-License-Identifier: Apache-2.0
// Deep recursion in many goroutines, so that the run-time system moves their stacks; prints a sum.
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
