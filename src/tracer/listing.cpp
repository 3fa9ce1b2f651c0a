// SPDX-License-Identifier: Apache-2.0
#include "tracer/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontend/lang/stability.h"
#include "runtime/print/list.h"

namespace dtrace::tracer {
namespace {

Attributes weakest(const Attributes &a, const Attributes &b) {
  return {std::min(a.name, b.name), std::min(a.data, b.data), std::min(a.dependency, b.dependency)};
}

/// Parts that the probe does not have do not count.
Attributes of_probe(const Probe &probe, const ProviderAttributes &attributes) {
  return description_attributes({probe.provider, probe.module, probe.function, probe.name}, attributes);
}

/// "TYPE (NAME: WHERE)"; of a probe that does not say where arguments are, the type alone.
std::string argument_text(const Listed &listed, const ProbeArg &arg) {
  std::string type = arg.translated ? listed.types.name(arg.translated) : std::string();
  const std::string &where = arg.missing.empty() ? arg.where : arg.missing;
  if (where.empty()) return type;
  return fmt::format("{} ({}{}{})", type.empty() ? "(unknown)" : type, arg.name, arg.name.empty() ? "" : ": ", where);
}

void append_details(std::string &out, const Listed &listed, ProbeId id) {
  const Probe &probe = listed.catalog.probe(id);
  const ProviderAttributes attributes = listed.catalog.attributes(probe.provider);
  std::vector<std::string> types;
  if (Result<std::vector<ProbeArg>> args = listed.front_end.probes().args(id, listed.types))
    for (const ProbeArg &arg : *args) types.push_back(argument_text(listed, arg));
  std::vector<std::string> variables;
  for (ProbeArg &arg : listed.front_end.probes().locals(id, listed.types)) {
    const std::string name = std::exchange(arg.name, {});
    variables.push_back(fmt::format("{}: {}", name, argument_text(listed, arg)));
  }
  runtime::append_probe_details(out, {of_probe(probe, attributes), attributes.args, types, variables});
}

void append_probes(std::string &out, const Listed &listed, const std::vector<ProbeId> &ids, bool with_details) {
  for (ProbeId id : ids) {
    runtime::append_list_row(out, listed.catalog.probe(id), listed.host.shown_function(id));
    if (with_details) append_details(out, listed, id);
  }
}

void report_absence(const Listed &listed, const ProbeDesc &desc) {
  const Result<std::vector<ProbeId>> found = listed.catalog.match(desc);
  const std::string reason = found ? listed.catalog.why_absent(desc).reason : found.error().text();
  listed.client.report(fmt::format("failed to match {}: No probe matches description{}{}", desc.text(),
                                   reason.empty() ? "" : "\n  note: ", reason));
}

/// `-ln '*open*'` lists probes of that name; most people mean functions.
void report_functions(const Listed &listed, const ProbeDesc &desc, bool any) {
  if (!desc.provider.empty() || !desc.module.empty() || !desc.function.empty() || desc.name.empty()) return;
  if (any && desc.name.find_first_of("*?[") == std::string::npos) return;
  const Result<std::vector<ProbeId>> found = listed.catalog.match({"", "", desc.name, ""});
  if (!found || found->empty()) return;
  listed.client.note(fmt::format("{} probe{} of functions of that name: dtrace -lf '{}'", found->size(),
                                 found->size() == 1 ? "" : "s", desc.name));
}

}  // namespace

std::string list_probes(const Listed &listed, bool with_details) {
  std::string out;
  runtime::append_list_header(out);
  if (listed.front_end.unit().programs.empty()) {
    Result<std::vector<ProbeId>> all = listed.catalog.match(ProbeDesc{});
    if (all)
      append_probes(out, listed, *all, with_details);
    else
      listed.client.report(all.error().text());
    return out;
  }
  for (const tree::Program &program : listed.front_end.unit().programs) {
    const ProbeDesc *previous = nullptr;
    for (const tree::Clause &clause : program.clauses) {
      if (previous != nullptr && *previous == clause.desc)
        continue;  // consecutive clauses of one description list it once
      previous = &clause.desc;
      if (clause.probes.empty())
        report_absence(listed, clause.desc);
      else
        append_probes(out, listed, clause.probes, with_details);
      report_functions(listed, clause.desc, !clause.probes.empty());
    }
  }
  return out;
}

std::string stability_report(const Listed &listed, bool with_probes) {
  std::string out;
  for (const tree::Program &program : listed.front_end.unit().programs) {
    Attributes probes, statements;
    for (const tree::Clause &clause : program.clauses) {
      probes = weakest(probes, clause.desc_attributes);
      statements = weakest(statements, clause.statement_attributes);
    }
    runtime::append_stability_report(out, program.is_script ? "script" : "description", program.name, probes,
                                     statements);
    if (!with_probes) {
      out += '\n';
      continue;
    }
    std::vector<ProbeDesc> shown;
    for (const tree::Clause &clause : program.clauses) {
      if (std::find(shown.begin(), shown.end(), clause.desc) != shown.end() || clause.probes.empty()) continue;
      shown.push_back(clause.desc);
      out += '\n' + clause.desc.text() + '\n';
      append_details(out, listed, clause.probes.front());
    }
  }
  return out;
}

namespace {

Listed parts_of(Compiler &compiler) {
  return {compiler.front_end(), compiler.catalog(), compiler.catalog(), compiler.types(), compiler.client()};
}

}  // namespace

std::string list_probes(Compiler &compiler, bool with_details) { return list_probes(parts_of(compiler), with_details); }

std::string stability_report(Compiler &compiler, bool with_probes) {
  return stability_report(parts_of(compiler), with_probes);
}

}  // namespace dtrace::tracer
