// SPDX-License-Identifier: Apache-2.0
#include "runtime/print/buffered.h"

#include <fmt/format.h>

#include "runtime/print/text.h"

namespace dtrace::runtime {
namespace {

struct FlagRow {
  uint32_t flag;
  std::string_view name;
};
constexpr FlagRow kFlagRows[] = {
    {Piece::kKey, "AGGKEY"},
    {Piece::kValue, "AGGVAL"},
    {Piece::kFormat, "AGGFORMAT"},
    {Piece::kLast, "AGGLAST"},
};

void append_field(std::string &out, std::string_view name, std::string_view value) {
  out += fmt::format("{:>16} => {}\n", name, value.empty() ? "<none>" : value);
}

}  // namespace

std::string buffered_text(std::string_view text, const Piece &piece, const BufferedSource &source) {
  std::string out = "dtrace_bufdata\n", quoted = "\"", flags = fmt::format("{:#x}", piece.flags);
  for (char c : text) append_escaped(quoted, static_cast<unsigned char>(c), true);
  quoted += '"';
  for (const FlagRow &row : kFlagRows)
    if ((piece.flags & row.flag) != 0) flags.append(1, ' ').append(row.name);
  append_field(out, "dtbda_buffered", quoted);
  std::string probe;
  if (source.probe != nullptr)
    probe = fmt::format("{}:{}:{}:{} (ID {}, CPU {})", source.probe->provider, source.probe->module,
                        source.probe->function, source.probe->name, source.probe->id.value, source.cpu);
  append_field(out, "dtbda_probe", probe);
  append_field(out, "dtbda_aggdata", piece.aggregation.empty() ? "" : fmt::format("@{}", piece.aggregation));
  std::string record;
  if (!source.action.empty())
    record = fmt::format("{} (size {}, offset {})", source.action, source.size_bytes, source.off_bytes);
  append_field(out, "dtbda_recdesc", record);
  append_field(out, "dtbda_flags", flags);
  return out + '\n';
}

}  // namespace dtrace::runtime
