// SPDX-License-Identifier: Apache-2.0
#include "evaluator/partial_value.h"

#include "base/buckets.h"

namespace dtrace::evaluator {

void partial_value(AggregatingFunction function, const AggregatingParams &params, int64_t value, uint64_t increment,
                   std::span<uint64_t> words) {
  const auto number = static_cast<uint64_t>(value);
  switch (function) {
    case AggregatingFunction::kCount:
      words[0] = 1;
      break;
    case AggregatingFunction::kSum:
      words[0] = number;
      break;
    case AggregatingFunction::kMin:
    case AggregatingFunction::kMax:
      words[0] = number;
      words[1] = 1;
      break;
    case AggregatingFunction::kAvg:
      words[0] = 1;
      words[1] = number;
      break;
    case AggregatingFunction::kStddev: {
      const __int128 square = static_cast<__int128>(value) * value;
      words[0] = 1;
      words[1] = number;
      words[2] = static_cast<uint64_t>(square);
      words[3] = static_cast<uint64_t>(square >> 64);
      break;
    }
    case AggregatingFunction::kQuantize:
      words[quantize_bucket(value)] = increment;
      break;
    case AggregatingFunction::kLquantize:
      words[lquantize_bucket(params.linear, value)] = increment;
      break;
    case AggregatingFunction::kLlquantize:
      words[llquantize_bucket(params.log_linear, value)] = increment;
      break;
  }
}

}  // namespace dtrace::evaluator
