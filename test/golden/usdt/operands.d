/* SPDX-License-Identifier: Apache-2.0 */
/* What the sites of operands.c pass. -DOPND=provider; -DNOW: what to do before. */
OPND:::registers, OPND:::memory {
  printf("%s %d %d %d %d %d %d %d %d %d %d\n", probename, arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9);
}
OPND:::symbols { printf("%s %d %d %d %d %d %d %d\n", probename, arg0, arg1, arg2, arg3, arg4, arg5, arg6); }
OPND:::threads { printf("%s %d %s\n", probename, arg0, arg1 == arg2 ? "and its own address" : "elsewhere"); }
OPND:::one-lost { printf("%s %d %d\n", probename, arg0, arg2); }
