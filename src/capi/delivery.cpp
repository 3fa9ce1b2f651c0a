// SPDX-License-Identifier: Apache-2.0
#include "capi/delivery.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace dtrace::capi {
namespace {

/// What a function of the caller may have meant; nothing: go on.
Failed outcome(int returned, int allowed, const char *what) {
  if (returned == DTRACE_CONSUME_THIS || returned == allowed) return std::nullopt;
  if (returned == DTRACE_CONSUME_ABORT || returned == DTRACE_CONSUME_ERROR)
    return failed(DTRACE_E_ABORT, fmt::format("the function for {} asked for the end", what));
  return failed(DTRACE_E_RETURN, fmt::format("the function for {} returned {}", what, returned));
}

Failed of_handler(int returned, const char *what) {
  if (returned == DTRACE_HANDLE_OK) return std::nullopt;
  if (returned == DTRACE_HANDLE_ABORT)
    return failed(DTRACE_E_ABORT, fmt::format("the handler for {} asked for the end", what));
  return failed(DTRACE_E_RETURN, fmt::format("the handler for {} returned {}", what, returned));
}

std::string without_newline(const std::string &line) { return line.substr(0, line.find('\n')); }

dtrace_flowkind_t flow_of(runtime::FlowStep::Kind kind) {
  switch (kind) {
    case runtime::FlowStep::Kind::kEntry:
      return DTRACEFLOW_ENTRY;
    case runtime::FlowStep::Kind::kReturn:
      return DTRACEFLOW_RETURN;
    case runtime::FlowStep::Kind::kNone:
      break;
  }
  return DTRACEFLOW_NONE;
}

dtrace_probedata_t probe_data(dtrace_hdl_t *handle, Row &row) {
  dtrace_probedata_t data{};
  data.dtpda_handle = handle;
  data.dtpda_edesc = row.enabled->description.get();
  data.dtpda_pdesc = const_cast<dtrace_probedesc_t *>(&row.enabled->probe);
  data.dtpda_cpu = static_cast<processorid_t>(row.cpu);
  data.dtpda_data = chars(row.data);
  data.dtpda_flow = flow_of(row.flow.kind);
  data.dtpda_prefix = row.has_flow ? row.flow.prefix.data() : nullptr;  // of a literal
  data.dtpda_indent = row.flow.indent;
  return data;
}

}  // namespace

Failed Delivery::hand_over(Events &events, const Receivers &to) {
  while (!events.empty()) {
    const Event event = events.front();
    Failed failure;
    if (const auto *row = std::get_if<std::shared_ptr<Row>>(&event))
      failure = hand_over(**row, to);
    else if (const auto *fault = std::get_if<Fault>(&event))
      failure = hand_over(*fault);
    else if (const auto *drop = std::get_if<Drop>(&event))
      failure = hand_over(*drop);
    else if (handlers_.message.function != nullptr)
      handlers_.message.function(handle_, std::get<Message>(event).text.c_str(), handlers_.message.arg);
    events.pop_front();
    if (failure) return failure;
  }
  FILE *const file = target(to.file);
  if (file != nullptr && std::fflush(file) != 0)
    return failed(DTRACE_E_OUTPUT, fmt::format("the output could not be written: {}", meaning(errno)));
  return std::nullopt;
}

Failed Delivery::hand_over_open(std::span<const std::shared_ptr<Row>> rows, const Receivers &to) {
  for (const std::shared_ptr<Row> &row : rows)
    if (Failed failure = hand_over(*row, to)) return failure;
  if (FILE *const file = target(to.file); file != nullptr) (void)std::fflush(file);
  return std::nullopt;
}

// ---------------------------------------------------------------- rows

Failed Delivery::hand_over(Row &row, const Receivers &to) {
  dtrace_probedata_t probe = probe_data(handle_, row);
  if (!row.is_begun) {
    row.is_begun = true;
    const int returned = to.probe != nullptr ? to.probe(&probe, to.arg) : DTRACE_CONSUME_THIS;
    row.is_refused = returned == DTRACE_CONSUME_NEXT;
    if (Failed failure = outcome(returned, DTRACE_CONSUME_NEXT, "rows")) return failure;
  }
  while (row.next < row.items.size()) {
    const Item &item = row.items[row.next++];
    const dtrace_recdesc_t *const record = &row.enabled->description->dtepd_rec[0] + item.record;
    if (!row.is_refused) {
      probe.dtpda_data = chars(row.data) + record->dtrd_offset;
      const int returned = to.record != nullptr ? to.record(&probe, record, to.arg) : DTRACE_CONSUME_NEXT;
      if (Failed failure = outcome(returned, DTRACE_CONSUME_NEXT, "records")) return failure;
      probe.dtpda_data = chars(row.data);
      if (returned == DTRACE_CONSUME_THIS)
        if (Failed failure = show(item.parts, to.file, &probe, record)) return failure;
    }
    if (item.then == Item::Then::kRedirect) {
      if (FILE *const file = target(to.file); file != nullptr) (void)std::fflush(file);
      redirected_ = item.target;
    } else if (item.then == Item::Then::kTruncate) {
      FILE *const file = target(to.file);
      if (file != nullptr && std::fflush(file) == 0 && ftruncate(fileno(file), 0) == 0) std::rewind(file);
    }
  }
  if (!row.is_complete || row.is_refused || to.record == nullptr) return std::nullopt;
  return outcome(to.record(&probe, nullptr, to.arg), DTRACE_CONSUME_NEXT, "records");
}

Failed Delivery::show(std::span<const TextPart> parts, FILE *file) { return show(parts, file, nullptr, nullptr); }

Failed Delivery::show(std::span<const TextPart> parts, FILE *file, dtrace_probedata_t *probe,
                      const dtrace_recdesc_t *record) {
  FILE *const to = target(file);
  for (const TextPart &part : parts) {
    if (to != nullptr) {
      if (std::fwrite(part.text.data(), 1, part.text.size(), to) != part.text.size())
        return failed(DTRACE_E_OUTPUT, fmt::format("the output could not be written: {}", meaning(errno)));
      continue;
    }
    if (handlers_.buffered.function == nullptr) return failed(DTRACE_E_NO_OUTPUT);
    dtrace_bufdata_t data{};
    data.dtbda_handle = handle_;
    data.dtbda_buffered = part.text.c_str();
    data.dtbda_probe = probe;
    data.dtbda_recdesc = record;
    data.dtbda_aggdata = part.aggregation ? &part.aggregation->get() : nullptr;
    data.dtbda_flags = part.flags;
    if (Failed failure = of_handler(handlers_.buffered.function(&data, handlers_.buffered.arg), "buffered output"))
      return failure;
  }
  return std::nullopt;
}

// ---------------------------------------------------------------- beside rows

Failed Delivery::hand_over(const Fault &fault) {
  if (handlers_.fault.function == nullptr) return failed(DTRACE_E_FAULT, without_newline(fault.message));
  static dtrace_eprobedesc_t no_clause{};
  static dtrace_probedesc_t no_probe{};
  dtrace_errdata_t data{};
  data.dteda_handle = handle_;
  data.dteda_edesc = fault.enabled != nullptr ? fault.enabled->description.get() : &no_clause;
  data.dteda_pdesc = fault.enabled != nullptr ? const_cast<dtrace_probedesc_t *>(&fault.enabled->probe) : &no_probe;
  data.dteda_cpu = DTRACE_CPUALL;
  data.dteda_offset = fault.offset;
  data.dteda_fault = fault.code;
  data.dteda_addr = fault.address;
  data.dteda_msg = fault.message.c_str();
  return of_handler(handlers_.fault.function(&data, handlers_.fault.arg), "faults");
}

Failed Delivery::hand_over(const Drop &drop) {
  const uint64_t total = drops_[drop.kind] += drop.count;
  if (handlers_.drop.function == nullptr) {
    if (drop.must_be_handled) return failed(DTRACE_E_DROP, without_newline(drop.message));
    if (handlers_.message.function != nullptr)
      handlers_.message.function(handle_, without_newline(drop.message).c_str(), handlers_.message.arg);
    return std::nullopt;
  }
  dtrace_dropdata_t data{};
  data.dtdda_handle = handle_;
  data.dtdda_cpu = drop.cpu;
  data.dtdda_kind = drop.kind;
  data.dtdda_drops = drop.count;
  data.dtdda_total = total;
  data.dtdda_msg = drop.message.c_str();
  return of_handler(handlers_.drop.function(&data, handlers_.drop.arg), "drops");
}

}  // namespace dtrace::capi
