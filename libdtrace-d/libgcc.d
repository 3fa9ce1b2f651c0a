/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libgcc.d - arguments of the probe in GCC's run-time library: the stack is unwound to a handler. Programs that link that
 * library statically have it.
 */
provider libgcc {
	probe unwind(void *cfa, void *handler);
};
