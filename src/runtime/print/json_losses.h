// SPDX-License-Identifier: Apache-2.0
// Losses as JSON: -x ledger=json and the format json show them alike.
#pragma once

#include <span>

#include "runtime/events/loss.h"
#include "runtime/print/json.h"

namespace dtrace::runtime {

/// A member "losses" of the object that is open: an array.
void append_losses(JsonWriter &json, std::span<const Loss> losses, const Plan &plan);

}  // namespace dtrace::runtime
