// SPDX-License-Identifier: Apache-2.0
#include "capi/layout.h"

#include <algorithm>
#include <cstring>

namespace dtrace::capi {
namespace {

struct ActionRow {
  Builtin action;
  dtrace_actkind_t kind;
};
constexpr ActionRow kActions[] = {
    {Builtin::k_trace, DTRACEACT_DIFEXPR},     {Builtin::k_print, DTRACEACT_DIFEXPR},
    {Builtin::k_printf, DTRACEACT_PRINTF},     {Builtin::k_printa, DTRACEACT_PRINTA},
    {Builtin::k_tracemem, DTRACEACT_TRACEMEM}, {Builtin::k_exit, DTRACEACT_EXIT},
    {Builtin::k_stack, DTRACEACT_STACK},       {Builtin::k_ustack, DTRACEACT_USTACK},
    {Builtin::k_jstack, DTRACEACT_JSTACK},     {Builtin::k_sym, DTRACEACT_SYM},
    {Builtin::k_func, DTRACEACT_SYM},          {Builtin::k_mod, DTRACEACT_MOD},
    {Builtin::k_usym, DTRACEACT_USYM},         {Builtin::k_ufunc, DTRACEACT_USYM},
    {Builtin::k_umod, DTRACEACT_UMOD},         {Builtin::k_uaddr, DTRACEACT_UADDR},
    {Builtin::k_system, DTRACEACT_SYSTEM},     {Builtin::k_freopen, DTRACEACT_FREOPEN},
    {Builtin::k_raise, DTRACEACT_RAISE},       {Builtin::k_stop, DTRACEACT_STOP},
    {Builtin::k_chill, DTRACEACT_CHILL},       {Builtin::k_speculate, DTRACEACT_SPECULATE},
    {Builtin::k_commit, DTRACEACT_COMMIT},     {Builtin::k_discard, DTRACEACT_DISCARD},
};

dtrace_actkind_t kind_of(Builtin action) {
  const auto *const found = std::ranges::find(kActions, action, &ActionRow::action);
  return found == std::end(kActions) ? DTRACEACT_LIBACT : found->kind;
}

dtrace_actkind_t kind_of(AggregatingFunction function) {
  switch (function) {
    case AggregatingFunction::kCount:
      return DTRACEAGG_COUNT;
    case AggregatingFunction::kSum:
      return DTRACEAGG_SUM;
    case AggregatingFunction::kAvg:
      return DTRACEAGG_AVG;
    case AggregatingFunction::kMin:
      return DTRACEAGG_MIN;
    case AggregatingFunction::kMax:
      return DTRACEAGG_MAX;
    case AggregatingFunction::kStddev:
      return DTRACEAGG_STDDEV;
    case AggregatingFunction::kQuantize:
      return DTRACEAGG_QUANTIZE;
    case AggregatingFunction::kLquantize:
      return DTRACEAGG_LQUANTIZE;
    case AggregatingFunction::kLlquantize:
      return DTRACEAGG_LLQUANTIZE;
  }
  return DTRACEACT_NONE;
}

/// dtrd_arg of an aggregation's value.
uint64_t parameters_of(AggregatingFunction function, const AggregatingParams &params) {
  if (function == AggregatingFunction::kLquantize)
    return uint64_t{params.linear.step} << DTRACE_LQUANTIZE_STEPSHIFT |
           uint64_t{params.linear.levels()} << DTRACE_LQUANTIZE_LEVELSHIFT | static_cast<uint32_t>(params.linear.base);
  if (function == AggregatingFunction::kLlquantize)
    return uint64_t{params.log_linear.factor} << DTRACE_LLQUANTIZE_FACTORSHIFT |
           uint64_t{params.log_linear.low} << DTRACE_LLQUANTIZE_LOWSHIFT |
           uint64_t{params.log_linear.high} << DTRACE_LLQUANTIZE_HIGHSHIFT | params.log_linear.steps;
  return 0;
}

bool has_parameters(AggregatingFunction function) {
  return function == AggregatingFunction::kLquantize || function == AggregatingFunction::kLlquantize;
}

/// Words of a value as clients see it.
uint32_t shown_words(AggregatingFunction function, const AggregatingParams &params) {
  if (function == AggregatingFunction::kMin || function == AggregatingFunction::kMax) return 1;
  return value_words(function, params) + (has_parameters(function) ? 1 : 0);
}

void store_words(uint64_t *to, const runtime::AggregationShape &shape, std::span<const uint64_t> words) {
  if (has_parameters(shape.function)) *to++ = parameters_of(shape.function, shape.params);
  if (shape.function == AggregatingFunction::kMin || shape.function == AggregatingFunction::kMax)
    *to = static_cast<uint64_t>(runtime::scalar_result(shape, words, 1).value);  // also where there was none yet
  else
    std::ranges::copy(words, to);
}

void cut(char *to, size_t bytes, std::string_view text) {
  const size_t used = std::min(bytes - 1, text.size());
  std::copy_n(text.begin(), used, to);
  to[used] = '\0';
}

}  // namespace

// ---------------------------------------------------------------- records

void RecordList::add(dtrace_actkind_t kind, Shape shape, uint64_t uarg) {
  const uint32_t align = std::max<uint16_t>(shape.align_bytes, 1);
  const uint32_t offset = (end_ + align - 1) / align * align;
  records_.push_back({kind, shape.size_bytes, offset, shape.align_bytes, shape.format, shape.arg, uarg});
  end_ = offset + shape.size_bytes;
}

RecordList::Shape RecordList::shape_of(const ValuePlan &value) const {
  const uint32_t size = value.size_bytes;
  const auto aligned = [](uint32_t bytes) { return static_cast<uint16_t>(std::clamp(bytes, 1u, 8u)); };
  switch (value.kind) {
    case ValuePlan::Kind::kInteger:
      return {size, aligned(size), value.is_signed ? uint16_t{DTRACE_VALUE_SIGNED} : uint16_t{DTRACE_VALUE_UNSIGNED},
              0};
    case ValuePlan::Kind::kFloat:
      return {size, aligned(size), DTRACE_VALUE_FLOAT, 0};
    case ValuePlan::Kind::kString:
      return {std::max(strsize_, size), 1, DTRACE_VALUE_TEXT, 0};
    case ValuePlan::Kind::kConstString:
    case ValuePlan::Kind::kProbePart:
    case ValuePlan::Kind::kCgroupName:
      return {std::max(strsize_, 1u), 1, DTRACE_VALUE_TEXT, 0};
    case ValuePlan::Kind::kBytes:
      return {size, aligned(types_.align_bytes(value.type)), DTRACE_VALUE_BYTES, 0};
    case ValuePlan::Kind::kKernelStack:
      return {size, 8, DTRACE_VALUE_STACK, size / 8};
    case ValuePlan::Kind::kUserStack:
    case ValuePlan::Kind::kStack:
      return {size, 8, DTRACE_VALUE_USTACK, DTRACE_USTACK_ARG(uint64_t{size / 8 - 1}, 0)};
    case ValuePlan::Kind::kKernelSymbol:
      return {size, 8, DTRACE_VALUE_SYMBOL, 0};
    case ValuePlan::Kind::kUserSymbol:
      return {size, 8, DTRACE_VALUE_USYMBOL, 0};
  }
  return {};
}

void RecordList::add_value(const ValuePlan &value, dtrace_actkind_t kind, uint64_t uarg) {
  if (kind == DTRACEACT_DIFEXPR) {
    if (value.kind == ValuePlan::Kind::kKernelStack) kind = DTRACEACT_STACK;
    if (value.kind == ValuePlan::Kind::kUserStack || value.kind == ValuePlan::Kind::kStack) kind = DTRACEACT_USTACK;
    if (value.kind == ValuePlan::Kind::kKernelSymbol || value.kind == ValuePlan::Kind::kUserSymbol)
      kind = kind_of(value.builtin);
  }
  add(kind, shape_of(value), uarg);
}

void store_value(char *data, const dtrace_recdesc_t &record, const ValuePlan &plan, const runtime::Value &value) {
  char *const to = data + record.dtrd_offset;
  const size_t size = record.dtrd_size;
  struct Visitor {
    const ValuePlan &plan;
    char *to;
    size_t size;

    void raw(const void *from, size_t bytes) const {
      if (bytes != 0) std::memcpy(to, from, std::min(bytes, size));
    }
    void frames(std::span<const uint64_t> from, size_t at) const {
      if (!from.empty() && at < size) std::memcpy(to + at, from.data(), std::min(from.size_bytes(), size - at));
    }
    void operator()(const runtime::Integer &v) const {
      const uint64_t bits = v.is_signed ? static_cast<uint64_t>(v.as_signed()) : v.as_unsigned();
      raw(&bits, sizeof bits);
    }
    void operator()(const runtime::Text &v) const { cut(to, size, v.view()); }
    void operator()(const runtime::Bytes &v) const { raw(v.bytes.data(), v.bytes.size()); }
    void operator()(const runtime::KernelStack &v) const {
      frames(v.frames, plan.kind == ValuePlan::Kind::kStack ? 8 : 0);
    }
    void operator()(const runtime::UserStack &v) const {
      const auto pid = static_cast<uint64_t>(v.pid);
      raw(&pid, sizeof pid);
      frames(v.frames, sizeof pid);
    }
    void operator()(const runtime::Symbol &v) const {
      const uint64_t words[] = {static_cast<uint64_t>(v.pid), v.address};
      if (plan.kind == ValuePlan::Kind::kUserSymbol)
        raw(words, sizeof words);
      else
        raw(&v.address, sizeof v.address);
    }
    void operator()(const runtime::Floating &v) const {
      const auto narrow = static_cast<float>(v.value);
      const auto wide = static_cast<double>(v.value);
      if (size == sizeof narrow)
        raw(&narrow, sizeof narrow);
      else if (size == sizeof wide)
        raw(&wide, sizeof wide);
      else
        raw(&v.value, sizeof v.value);
    }
  };
  if (size != 0) std::visit(Visitor{plan, to, size}, value);
}

// ---------------------------------------------------------------- rows

void describe(dtrace_probedesc_t &to, const Probe &probe, std::string_view function) {
  to.dtpd_id = probe.id.value;
  cut(to.dtpd_provider, sizeof to.dtpd_provider, probe.provider);
  cut(to.dtpd_mod, sizeof to.dtpd_mod, probe.module);
  cut(to.dtpd_func, sizeof to.dtpd_func, function);
  cut(to.dtpd_name, sizeof to.dtpd_name, probe.name);
}

const EnabledProbe &EnabledProbes::of(const ClausePlan &clause, const Probe &probe, std::string_view function) {
  std::unique_ptr<EnabledProbe> &known = enabled_[{clause.index, probe.id.value}];
  if (known) return *known;
  RecordList list(types_, strsize_);
  std::vector<uint32_t> first_records;
  for (const ActionPlan &action : clause.actions) {
    const auto uarg = static_cast<uint64_t>(first_records.size());
    first_records.push_back(static_cast<uint32_t>(list.records().size()));
    if (action.values.empty())
      list.add(kind_of(action.kind),
               {0, 1, DTRACE_VALUE_NONE, action.aggregations.empty() ? 0 : uint64_t{action.aggregations.front()} + 1},
               uarg);
    for (const ValuePlan &value : action.values) list.add_value(value, kind_of(action.kind), uarg);
  }
  Described<dtrace_eprobedesc_t> description(list.records(), &dtrace_eprobedesc_t::dtepd_rec);
  description->dtepd_epid = static_cast<dtrace_epid_t>(enabled_.size());
  description->dtepd_probeid = probe.id.value;
  description->dtepd_uarg = clause.index;
  description->dtepd_size = list.size_bytes();
  description->dtepd_nrecs = static_cast<int>(list.records().size());
  known = std::make_unique<EnabledProbe>(EnabledProbe{std::move(description), {}, std::move(first_records)});
  describe(known->probe, probe, function);
  return *known;
}

Bytes data_of(const EnabledProbe &enabled, const runtime::RowEvent &row, const runtime::Decoder &decoder) {
  const dtrace_eprobedesc_t &description = *enabled.description;
  Bytes bytes((description.dtepd_size + 7) / 8);
  char *const data = chars(bytes);
  std::memcpy(data, &description.dtepd_epid, sizeof description.dtepd_epid);
  bytes[1] = row.time_ns.value_or(0);
  for (size_t i = 0; i < row.clause.actions.size(); ++i) {
    const dtrace_recdesc_t *record = &description.dtepd_rec[0] + enabled.first_records[i];
    for (const ValuePlan &value : row.clause.actions[i].values)
      store_value(data, *record++, value, decoder.decode(value, row.bytes));
  }
  return bytes;
}

// ---------------------------------------------------------------- aggregations

std::vector<AggregationLayout> aggregation_layouts(const Plan &plan, const TypeTable &types, uint32_t strsize) {
  std::vector<AggregationLayout> layouts;
  for (const AggregationPlan &aggregation : plan.aggregations) {
    RecordList list(types, strsize);
    const AggregatingFunction function = aggregating_function(aggregation.function);
    const auto id = static_cast<uint32_t>(layouts.size()) + 1;
    constexpr uint32_t kIdOffset = 8;  // in the head
    for (const ValuePlan &key : aggregation.keys) list.add_value(key, DTRACEACT_DIFEXPR, 0);
    list.add(kind_of(function),
             {shown_words(function, aggregation.params) * 8, 8, DTRACE_VALUE_NONE,
              parameters_of(function, aggregation.params)},
             0);
    std::vector<dtrace_recdesc_t> records{{DTRACEACT_DIFEXPR, 8, kIdOffset, 8, DTRACE_VALUE_SIGNED, id, 0}};
    records.insert(records.end(), list.records().begin(), list.records().end());
    AggregationLayout &layout = layouts.emplace_back(
        AggregationLayout{aggregation.name, Described<dtrace_aggdesc_t>(records, &dtrace_aggdesc_t::dtagd_rec)});
    layout.description->dtagd_varid = id;
    layout.description->dtagd_id = id;
    layout.description->dtagd_size = list.size_bytes();
    layout.description->dtagd_nrecs = static_cast<int>(records.size());
  }
  for (AggregationLayout &layout : layouts) layout.description->dtagd_name = layout.name.data();
  return layouts;
}

AggregationData::AggregationData(dtrace_hdl_t *handle, AggregationLayout &layout, const AggregationPlan &plan,
                                 const runtime::AggregationView &view, const runtime::AggregationEntry &entry,
                                 unsigned nr_cpus)
    : bytes_((layout.description->dtagd_size + 7) / 8) {
  static dtrace_eprobedesc_t no_clause{};
  static dtrace_probedesc_t no_probe{};
  char *const data = chars(bytes_);
  const dtrace_recdesc_t *record = &layout.description->dtagd_rec[0];
  std::memcpy(data, &layout.description->dtagd_id, sizeof(dtrace_aggid_t));
  std::memcpy(data + record->dtrd_offset, &layout.description->dtagd_varid, sizeof(dtrace_aggvarid_t));
  ++record;
  for (size_t i = 0; i < entry.keys.size(); ++i) store_value(data, *record++, plan.keys[i], entry.keys[i]);
  store_words(reinterpret_cast<uint64_t *>(data + record->dtrd_offset), view.shape, entry.words);
  data_.dtada_handle = handle;
  data_.dtada_desc = layout.description.get();
  data_.dtada_edesc = &no_clause;
  data_.dtada_pdesc = &no_probe;
  data_.dtada_data = data;
  data_.dtada_normal = std::max<uint64_t>(view.normal, 1);
  data_.dtada_size = layout.description->dtagd_size;
  if (!entry.per_cpu.empty()) add_cpus(view, entry, nr_cpus);
}

void AggregationData::add_cpus(const runtime::AggregationView &view, const runtime::AggregationEntry &entry,
                               unsigned nr_cpus) {
  const uint32_t words = shown_words(view.shape.function, view.shape.params);
  const std::vector<uint64_t> none(view.shape.words());
  cpu_bytes_.resize(size_t{nr_cpus} * words);
  for (unsigned cpu = 0; cpu < nr_cpus; ++cpu) {
    uint64_t *const to = cpu_bytes_.data() + size_t{cpu} * words;
    const auto known = std::ranges::find(entry.per_cpu, cpu, &runtime::CpuWords::cpu);
    store_words(to, view.shape, known == entry.per_cpu.end() ? std::span<const uint64_t>(none) : known->words);
    cpus_.push_back(reinterpret_cast<char *>(to));
  }
  data_.dtada_percpu = cpus_.data();
}

}  // namespace dtrace::capi
