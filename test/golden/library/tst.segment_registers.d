/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ASSERTION: the segment registers of uregs[] have names.
 * SECTION: Variables/uregs
 */
#pragma D option quiet
BEGIN
{
	printf("%d %d %d %d\n", R_DS, R_ES, R_FS, R_GS);
	exit(0);
}
