/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ASSERTION: the segment registers, the error code and the trap number of uregs[] have names.
 * SECTION: Variables/uregs
 */
#pragma D option quiet
BEGIN
{
	printf("%d %d %d %d\n", R_DS, R_ES, R_FS, R_GS);
	printf("%d %d %d\n", R_ERR, R_ORIG_RAX, R_TRAPNO);
	exit(0);
}
