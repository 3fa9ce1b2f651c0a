// SPDX-License-Identifier: Apache-2.0
// -l and -v. Columns are never cut: a long name pushes the rest of its row to the right.
#include "runtime/print/list.h"

#include "frontend/lang/stability.h"
#include "runtime/print/pad.h"

namespace dtrace::runtime {

namespace {

void append_columns(std::string &out, std::string_view id, std::string_view provider, std::string_view module,
                    std::string_view function, std::string_view name) {
  append_padded(out, id, 5);
  out += ' ';
  append_padded(out, provider, 10);
  out += ' ';
  append_padded(out, module, 17);
  out += ' ';
  append_padded(out, function, 33);
  out.append(1, ' ').append(name).append(1, '\n');
}

void append_attributes(std::string &out, std::string_view title, const Attributes &attributes) {
  out.append("\n\t").append(title).append("\n\t\tIdentifier Names: ").append(text(attributes.name));
  out.append("\n\t\tData Semantics:   ").append(text(attributes.data));
  out.append("\n\t\tDependency Class: ").append(text(attributes.dependency)).append(1, '\n');
}

}  // namespace

void append_list_header(std::string &out) { append_columns(out, "ID", "PROVIDER", "MODULE", "FUNCTION", "NAME"); }

void append_list_row(std::string &out, const Probe &probe, std::string_view function) {
  const fmt::format_int id(probe.id.value);
  append_columns(out, {id.data(), id.size()}, probe.provider, probe.module, function, probe.name);
}

void append_probe_details(std::string &out, const ProbeDetails &details) {
  append_attributes(out, "Probe Description Attributes", details.probe);
  append_attributes(out, "Argument Attributes", details.arguments);
  out += "\n\tArgument Types\n";
  if (details.argument_types.empty()) out += "\t\tNone\n";
  for (size_t i = 0; i < details.argument_types.size(); i++) {
    out += "\t\targs[";
    append_number(out, i);
    out += "]: ";
    const std::string &type = details.argument_types[i];
    out.append(type.empty() ? "(unknown)" : type).append(1, '\n');
  }
  if (!details.variables.empty()) out += "\n\tLocal Variables\n";
  for (const std::string &variable : details.variables) out.append("\t\t").append(variable).append(1, '\n');
  out += '\n';
}

void append_stability_report(std::string &out, std::string_view kind, std::string_view name, const Attributes &probes,
                             const Attributes &statements) {
  out.append("\nStability attributes for ").append(kind).append(1, ' ').append(name).append(":\n");
  append_attributes(out, "Minimum Probe Description Attributes", probes);
  append_attributes(out, "Minimum Statement Attributes", statements);
}

}  // namespace dtrace::runtime
