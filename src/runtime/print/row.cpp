// SPDX-License-Identifier: Apache-2.0
// Row headers and prefixes. A step of the flow is decided from the neighbouring rows of the same CPU: several clauses
// of one probe firing must move the indentation once.
#include "runtime/print/row.h"

#include "runtime/print/pad.h"

namespace dtrace::runtime {

namespace {

using Step = FlowStep::Kind;

bool is_step_name(std::string_view name, std::string_view word) {
  if (!name.ends_with(word)) return false;
  return name.size() == word.size() || name[name.size() - word.size() - 1] == '-';
}

Step step_of(std::string_view name) {
  if (is_step_name(name, "entry")) return Step::kEntry;
  if (is_step_name(name, "return")) return Step::kReturn;
  return Step::kNone;
}

std::string_view arrow(Step step, std::string_view provider) {
  const bool syscall = provider == "syscall";
  switch (step) {
    case Step::kEntry:
      return syscall ? " => " : " -> ";
    case Step::kReturn:
      return syscall ? " <= " : " <- ";
    case Step::kNone:
      break;
  }
  return "| ";
}

/// Columns wanted by a text of `used` bytes in a left-aligned field of 41, and the blank after it.
void finish_flow_field(std::string &out, size_t used) { out.append(used < 41 ? 41 - used + 1 : 1, ' '); }

}  // namespace

RowSite site_of(const RowEvent &row) {
  return {row.cpu, row.probe.id.value, row.clause.index, row.probe.provider, row.function, row.probe.name};
}

void RowPrinter::begin(std::string &out, const RowSite &site, const RowSite *next) {
  if (flowindent_) {
    if (!header_done_) {
      out.append(stamp_.size(), ' ');
      if (!plain_) out += "CPU ";
      append_padded(out, "FUNCTION", -41);
      out += '\n';
    }
    header_done_ = true;
    out += stamp_;
    append_flow_prefix(out, site, next);
    return;
  }
  if (quiet_) return;
  if (!header_done_) {
    out.append(stamp_.size(), ' ');
    if (!plain_) out += "CPU     ID ";
    append_padded(out, "FUNCTION:NAME", 32);
    out += '\n';
  }
  header_done_ = true;
  out += stamp_;
  if (!plain_) {
    append_number(out, site.cpu, 3);
    out += ' ';
    append_number(out, site.probe_id, 6);
    out += ' ';
  }
  const size_t length = site.function.size() + 1 + site.name.size();
  if (length < 32) out.append(32 - length, ' ');
  out.append(site.function).append(1, ':').append(site.name).append(1, ' ');
}

void RowPrinter::end(std::string &out) const {
  if (!quiet_) out += '\n';
}

FlowStep RowPrinter::take_step(const RowSite &site, const RowSite *next) {
  if (flows_.size() <= site.cpu) flows_.resize(site.cpu + 1);
  Flow &flow = flows_[site.cpu];

  Step step = step_of(site.name);
  const bool again = flow.has_last && flow.last_probe == site.probe_id && flow.last_clause != site.clause;
  const bool more = next != nullptr && next->probe_id == site.probe_id && next->clause != site.clause;
  if ((step == Step::kEntry && again) || (step == Step::kReturn && more)) step = Step::kNone;
  if (step == Step::kReturn) flow.indent = flow.indent < 2 ? 0 : flow.indent - 2;
  const FlowStep taken{step, flow.indent, arrow(step, site.provider)};

  if (step == Step::kEntry) flow.indent += 2;
  flow.has_last = true;
  flow.last_probe = site.probe_id;
  flow.last_clause = site.clause;
  return taken;
}

void RowPrinter::append_flow_prefix(std::string &out, const RowSite &site, const RowSite *next) {
  const FlowStep taken = take_step(site, next);
  if (!plain_) {
    append_number(out, site.cpu, 3);
    out += ' ';
  }
  const size_t begin = out.size();
  append_padded(out, {}, taken.indent);
  out.append(taken.prefix).append(site.function);
  if (taken.kind == Step::kNone) out.append(1, ':').append(site.name);
  finish_flow_field(out, out.size() - begin);
}

}  // namespace dtrace::runtime
