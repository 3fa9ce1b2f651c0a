// SPDX-License-Identifier: Apache-2.0
// From programs that are correct to programs in the kernel, not attached yet.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "codegen/compile.h"
#include "runtime/load/enabling.h"
#include "tracer/compiler.h"

namespace dtrace::tracer {

/// What an error that ends a start begins with.
inline constexpr std::string_view kNotEnabled = "could not enable tracing";

struct Enabled {
  codegen::CompiledObject object;
  std::unique_ptr<runtime::Enabling> enabling;  // its plan is the object's
};

/// Generates the code of the compiler's programs and loads it. `show` gets what `listing` asks for (CompileInput's),
/// before the program is loaded. Errors: whole sentences.
Result<Enabled> enable(Compiler &compiler, unsigned listing = 0,
                       const std::function<void(const std::string &)> &show = {});

}  // namespace dtrace::tracer
