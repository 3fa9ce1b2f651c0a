// SPDX-License-Identifier: Apache-2.0
#include "runtime/output/aggregation_options.h"

#include <cstdlib>

namespace dtrace::runtime {

AggregationPrintOptions aggregation_options(const Options &options) {
  AggregationPrintOptions print;
  print.sort.by_key = options.flag(Opt::aggsortkey);
  print.sort.key_position = static_cast<uint32_t>(options.number(Opt::aggsortkeypos));
  print.sort.aggregation_position = static_cast<uint32_t>(options.number(Opt::aggsortpos));
  print.sort.reverse = options.flag(Opt::aggsortrev);
  print.histogram.zoom = options.flag(Opt::aggzoom);
  const std::string &encoding = options.string(Opt::encoding);
  print.histogram.encoding = encoding == "utf8"    ? Encoding::kUtf8
                             : encoding == "ascii" ? Encoding::kAscii
                                                   : Encoding::kUnset;
  print.per_cpu = options.flag(Opt::aggpercpu);
  print.as_histogram = options.flag(Opt::agghist);
  print.packed = options.flag(Opt::aggpack);
  print.packed_utf8 = packed_in_utf8(print.histogram.encoding, std::getenv("TERM"));
  return print;
}

SortOptions order_of(const ActionPlan &printa, const SortOptions &options) {
  if (!printa.order) return options;
  const PrintOrder &order = *printa.order;
  SortOptions sort;
  sort.by_key = order.by_key;
  sort.reverse = order.reverse;
  (order.by_key ? sort.key_position : sort.aggregation_position) = order.position;
  return sort;
}

}  // namespace dtrace::runtime
