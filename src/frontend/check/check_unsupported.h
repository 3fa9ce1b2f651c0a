// SPDX-License-Identifier: Apache-2.0
// Actions and subroutines of other systems that cannot run here: a mistake in a call is reported as one, and then why
// not.
#pragma once

#include "frontend/check/check_context.h"

namespace dtrace::check {

/// A call of a function whose effect is Unsupported. Errors: D_PROTO_LEN, D_PROTO_ARG, D_PCAP_ADDR, D_PCAP_PROTO, and
/// if the call is right, D_NOT_ON_LINUX.
void check_unsupported(Context &cx, Builtin builtin, const ast::Call &call, Span span);

}  // namespace dtrace::check
