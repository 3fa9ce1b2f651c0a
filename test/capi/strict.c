/* SPDX-License-Identifier: Apache-2.0 */
/* Each header compiles by itself in strict C11, twice, and has the sizes that clients have written into them. */
#include <sys/dtrace.h>

#include <dtrace.h>

#include <dtrace.h>

_Static_assert(sizeof(dtrace_recdesc_t) == 32, "dtrace_recdesc_t");
_Static_assert(offsetof(dtrace_recdesc_t, dtrd_size) == 4, "dtrd_size");
_Static_assert(offsetof(dtrace_recdesc_t, dtrd_offset) == 8, "dtrd_offset");
_Static_assert(offsetof(dtrace_recdesc_t, dtrd_arg) == 16, "dtrd_arg");
_Static_assert(offsetof(dtrace_aggdesc_t, dtagd_varid) == 8, "dtagd_varid");
_Static_assert(offsetof(dtrace_aggdesc_t, dtagd_nrecs) == 32, "dtagd_nrecs");
_Static_assert(offsetof(dtrace_aggdesc_t, dtagd_rec) == 40, "dtagd_rec");
_Static_assert(offsetof(dtrace_eprobedesc_t, dtepd_rec) == 24, "dtepd_rec");
_Static_assert(offsetof(dtrace_aggdata_t, dtada_data) == 32, "dtada_data");
_Static_assert(offsetof(dtrace_aggdata_t, dtada_size) == 48, "dtada_size");
_Static_assert(sizeof(dtrace_aggdata_t) == 96, "dtrace_aggdata_t");
_Static_assert(offsetof(dtrace_bufdata_t, dtbda_flags) == 40, "dtbda_flags");
_Static_assert(offsetof(dtrace_probedata_t, dtpda_cpu) == 24, "dtpda_cpu");
_Static_assert(offsetof(dtrace_probedata_t, dtpda_data) == 32, "dtpda_data");
_Static_assert(DTRACEAGG_QUANTIZE == 0x707 && DTRACEACT_USTACK == 0x101 && DTRACEACT_STACK == 0x401, "numbers");

int strict(dtrace_hdl_t *dtp);
int strict(dtrace_hdl_t *dtp) { return dtrace_errno(dtp); }
