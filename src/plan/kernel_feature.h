// SPDX-License-Identifier: Apache-2.0
// What a kernel may lack and generated code depends on. The code generator asks its host; the runtime finds out by
// trial (runtime/kernel/kernel_features.h). Rows: kernel_features.def.
#pragma once

#include <cstdint>

namespace dtrace {

enum class KernelFeature : uint8_t {
#define FEATURE(name, tag, text) k##name,
#include "plan/kernel_features.def"
};

}  // namespace dtrace
