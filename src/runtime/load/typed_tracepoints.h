// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace dtrace::runtime {

/// Has libbpf load programs of kTypedTracepointSection. Once is enough; before the first object is opened.
void accept_typed_tracepoints();

}  // namespace dtrace::runtime
