# SPDX-License-Identifier: Apache-2.0
# Shared by golden scripts with @@parts, whose output has sections: `section NAME` begins one, or says by its status that
# this run leaves it out (`section x || continue`). $part, "K/N", is set by golden.py --part.
nr_sections=0

section() {
	nr_sections=$((nr_sections + 1))
	[ -z "${part:-}" ] || [ $(((nr_sections - ${part%/*}) % ${part#*/})) = 0 ] || return 1
	echo "== $*"
}
