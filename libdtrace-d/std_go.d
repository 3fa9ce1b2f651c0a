/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types of Go: members for strings and slices, beside len, which both have.
 *
 *   text         string: also what stringof(), print() and %s give
 *   ptr          both
 *   capacity     slices
 */

translator < "string" S > {
	ptr = S.str;
	text = copyinstr((uintptr_t)S.str, S.len);
};

translator < "[]*" S > {
	ptr = S.array;
	capacity = S.cap;
};
