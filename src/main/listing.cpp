// SPDX-License-Identifier: Apache-2.0
#include "main/listing.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/print/list.h"

namespace dtrace {
namespace {

Attributes weakest(const Attributes &a, const Attributes &b) {
  return {std::min(a.name, b.name), std::min(a.data, b.data), std::min(a.dependency, b.dependency)};
}

Attributes of_description(const ProviderAttributes &attributes) {
  return weakest(weakest(attributes.provider, attributes.module), weakest(attributes.function, attributes.name));
}

void append_details(std::string &out, Session &session, ProbeId id) {
  const ProviderAttributes attributes = session.catalog().attributes(session.catalog().probe(id).provider);
  std::vector<std::string> types;
  if (Result<std::vector<ProbeArg>> args = session.catalog().args(id, session.types()))
    for (const ProbeArg &arg : *args)
      types.push_back(arg.translated ? session.types().name(arg.translated) : std::string());
  append_probe_details(out, {of_description(attributes), attributes.args, types});
}

void append_probes(std::string &out, Session &session, const std::vector<ProbeId> &ids) {
  for (ProbeId id : ids) {
    append_list_row(out, session.catalog().probe(id));
    if (session.line.verbose > 0) append_details(out, session, id);
  }
}

}  // namespace

std::string list_probes(Session &session) {
  std::string out;
  append_list_header(out);
  if (session.line.programs.empty()) {
    Result<std::vector<ProbeId>> all = session.catalog().match(ProbeDesc{});
    if (all)
      append_probes(out, session, *all);
    else
      report(all.error().text());
    return out;
  }
  for (const tree::Program &program : session.unit().programs) {
    const ProbeDesc *previous = nullptr;
    for (const tree::Clause &clause : program.clauses) {
      if (previous != nullptr && *previous == clause.desc)
        continue;  // consecutive clauses of one description list it once
      previous = &clause.desc;
      if (clause.probes.empty())
        report(fmt::format("failed to match {}: No probe matches description", clause.desc.text()));
      else
        append_probes(out, session, clause.probes);
    }
  }
  return out;
}

std::string stability_report(Session &session) {
  std::string out;
  for (const tree::Program &program : session.unit().programs) {
    Attributes probes, statements;
    for (const tree::Clause &clause : program.clauses) {
      probes = weakest(probes, clause.desc_attributes);
      statements = weakest(statements, clause.statement_attributes);
    }
    append_stability_report(out, program.is_script ? "script" : "description", program.name, probes, statements);
    if (!session.line.compile_only) {
      out += '\n';
      continue;
    }
    std::vector<ProbeDesc> shown;
    for (const tree::Clause &clause : program.clauses) {
      if (std::find(shown.begin(), shown.end(), clause.desc) != shown.end() || clause.probes.empty()) continue;
      shown.push_back(clause.desc);
      out += '\n' + clause.desc.text() + '\n';
      append_details(out, session, clause.probes.front());
    }
  }
  return out;
}

}  // namespace dtrace
