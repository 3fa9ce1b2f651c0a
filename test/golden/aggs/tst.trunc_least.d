/*
 * SPDX-License-Identifier: Apache-2.0
 * ASSERTION: trunc() with the least integer keeps all keys: as many of the lowest as there are.
 * SECTION: Aggregations
 */
#pragma D option quiet

BEGIN
{
	@["one"] = sum(1);
	@["two"] = sum(2);
	trunc(@, -9223372036854775807 - 1);
	exit(0);
}
