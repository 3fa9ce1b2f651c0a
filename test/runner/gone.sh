# SPDX-License-Identifier: Apache-2.0
# is_gone PID: the process has ended, though perhaps its parent has not noticed yet. Sourced by bash.
is_gone() {
	case $(awk '/^State/ { print $2 }' "/proc/$1/status" 2>/dev/null) in '' | Z | X) true ;; *) false ;; esac
}
