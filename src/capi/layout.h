// SPDX-License-Identifier: Apache-2.0
// The data of rows and aggregations as C programs see it: descriptions of records, and the bytes that they describe.
//
// What a reader would get wrong: these layouts are not those of the plan. Clients assume fixed offsets, so every string
// takes strsize bytes (the option), a user stack begins with a 64-bit pid, and a record with a head of 16 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "capi/include/dtrace.h"
#include "frontend/types/types.h"
#include "plan/plan.h"
#include "runtime/consume/decode.h"
#include "runtime/events/sink.h"

namespace dtrace::capi {

/// Bytes that records of 8 bytes may lie in.
using Bytes = std::vector<uint64_t>;
inline char *chars(Bytes &bytes) { return reinterpret_cast<char *>(bytes.data()); }

/// A description that ends with an array of records.
template <typename Description>
class Described {
 public:
  Described(std::span<const dtrace_recdesc_t> records, dtrace_recdesc_t (Description::*first)[1])
      : storage_((sizeof(Description) + (records.size() + 1) * sizeof(dtrace_recdesc_t)) / sizeof(uint64_t)) {
    dtrace_recdesc_t *const to = (get()->*first);
    for (size_t i = 0; i < records.size(); ++i) to[i] = records[i];
  }
  Description *get() const { return reinterpret_cast<Description *>(const_cast<uint64_t *>(storage_.data())); }
  Description &operator*() const { return *get(); }
  Description *operator->() const { return get(); }

 private:
  Bytes storage_;
};

/// Takes records one behind the other, each aligned.
class RecordList {
 public:
  static constexpr uint32_t kHeadBytes = 16;

  RecordList(const TypeTable &types, uint32_t strsize) : types_(types), strsize_(strsize) {}

  /// `kind`: of the action; keys and trace() have DTRACEACT_DIFEXPR, and what values of their kind have.
  void add_value(const ValuePlan &value, dtrace_actkind_t kind, uint64_t uarg);
  struct Shape {
    uint32_t size_bytes = 0;
    uint16_t align_bytes = 1;
    uint16_t format = DTRACE_VALUE_NONE;
    uint64_t arg = 0;
  };
  void add(dtrace_actkind_t kind, Shape shape, uint64_t uarg);

  const std::vector<dtrace_recdesc_t> &records() const { return records_; }
  uint32_t size_bytes() const { return (end_ + 7) & ~7u; }

 private:
  Shape shape_of(const ValuePlan &value) const;

  const TypeTable &types_;
  uint32_t strsize_;
  uint32_t end_ = kHeadBytes;
  std::vector<dtrace_recdesc_t> records_;
};

/// Writes a value where its record says.
void store_value(char *data, const dtrace_recdesc_t &record, const ValuePlan &plan, const runtime::Value &value);

/// A clause at a probe.
struct EnabledProbe {
  Described<dtrace_eprobedesc_t> description;
  dtrace_probedesc_t probe;
  std::vector<uint32_t> first_records;  ///< by action of the clause
};

void describe(dtrace_probedesc_t &to, const Probe &probe, std::string_view function);

/// Those that have fired, from the first time on.
class EnabledProbes {
 public:
  EnabledProbes(const TypeTable &types, uint32_t strsize) : types_(types), strsize_(strsize) {}
  /// Good as long as this.
  const EnabledProbe &of(const ClausePlan &clause, const Probe &probe, std::string_view function);

 private:
  const TypeTable &types_;
  uint32_t strsize_;
  std::map<std::pair<uint32_t, uint32_t>, std::unique_ptr<EnabledProbe>> enabled_;  // by clause and probe
};

/// The data of a row.
Bytes data_of(const EnabledProbe &enabled, const runtime::RowEvent &row, const runtime::Decoder &decoder);

/// An aggregation.
struct AggregationLayout {
  std::string name;
  Described<dtrace_aggdesc_t> description;
};
/// By number.
std::vector<AggregationLayout> aggregation_layouts(const Plan &plan, const TypeTable &types, uint32_t strsize);

/// An entry of an aggregation, a copy.
class AggregationData {
 public:
  AggregationData(dtrace_hdl_t *handle, AggregationLayout &layout, const AggregationPlan &plan,
                  const runtime::AggregationView &view, const runtime::AggregationEntry &entry, unsigned nr_cpus);
  AggregationData(const AggregationData &) = delete;
  AggregationData &operator=(const AggregationData &) = delete;

  const dtrace_aggdata_t &get() const { return data_; }

 private:
  void add_cpus(const runtime::AggregationView &view, const runtime::AggregationEntry &entry, unsigned nr_cpus);

  Bytes bytes_, cpu_bytes_;
  std::vector<char *> cpus_;
  dtrace_aggdata_t data_{};
};

}  // namespace dtrace::capi
