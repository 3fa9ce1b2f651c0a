// SPDX-License-Identifier: Apache-2.0
// pid...:module:FILE@LINE:line: the probes of source lines. One probe stands for all instructions at which the line
// begins: the pieces of a `for`, the copies of an inlined function, source files of the same name.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/printable.h"
#include "frontend/text/glob.h"
#include "runtime/probes/providers/function_probes.h"
#include "runtime/user/code_places.h"

namespace dtrace::runtime {
namespace {

/// FILE@LINE, split at the last @; nothing: it is not of that form. Either may be a glob.
struct LineField {
  std::string_view file, line;
};
std::optional<LineField> split(std::string_view function) {
  const size_t at = function.rfind('@');
  if (at == std::string_view::npos || at == 0 || at + 1 == function.size()) return std::nullopt;
  const LineField field{function.substr(0, at), function.substr(at + 1)};
  const bool is_number = field.line.find_first_not_of("0123456789") == std::string_view::npos;
  return is_number || is_glob(field.line) ? std::optional(field) : std::nullopt;
}

std::string name_of(const DwarfLines::Start &start) { return fmt::format("{}@{}", printable(start.file), start.line); }

/// Why a line that is named has no probe.
std::string absent_line(ObjectDebugInfo &info, const LineField &field, const std::set<uint32_t> &lines) {
  const std::string_view module = info.types().module();
  if (!lines.empty()) {
    uint64_t wanted = 0;
    std::from_chars(field.line.data(), field.line.data() + field.line.size(), wanted);
    const auto after = lines.upper_bound(static_cast<uint32_t>(std::min<uint64_t>(wanted, UINT32_MAX)));
    std::string nearest;
    if (after != lines.begin()) nearest = fmt::format("{}", *std::prev(after));
    if (after != lines.end()) nearest += fmt::format("{}{}", nearest.empty() ? "" : " and ", *after);
    return fmt::format("line {} of {} has no code in {}; the nearest lines with code: {}", field.line, field.file,
                       module, nearest);
  }
  constexpr size_t kMaxShown = 5;
  std::set<std::string> files;
  info.lines().each_file([&](std::string_view file) { files.insert(printable(file)); });
  if (files.empty()) return fmt::format("the debug information of {} has no lines", module);
  if (files.contains(std::string(field.file))) return fmt::format("{} has no code in {}", field.file, module);
  const std::string more = files.size() > kMaxShown ? fmt::format(" and {} more", files.size() - kMaxShown) : "";
  while (files.size() > kMaxShown) files.erase(std::prev(files.end()));
  return fmt::format("{} has no code of a source file {}; its files: {}{}", module, field.file, fmt::join(files, ", "),
                     more);
}

}  // namespace

bool means_lines(const ProbeDesc &want) {
  if (want.name == kLineName) return !is_literal(want.function) || split(want.function);
  return split(want.function) && field_match(want.name, kLineName);
}

Result<bool> FunctionProbes::list_lines(const FunctionListing &listing, const std::shared_ptr<UserObject> &object) {
  const ProbeDesc &want = listing.want;
  const bool is_one = is_literal(want.function);
  const std::optional<LineField> field = split(want.function);
  Result<ObjectDebugInfo *> info = listing.debug_info(object);
  if (!info && is_one && is_literal(want.module)) return Error(info.error().text()).tagged("D_PROC_LINE");
  if (!info) return false;
  bool found = false;
  std::string refusal;
  std::set<uint32_t> others;
  CodePlaces places(object);
  const auto wants = [&](std::string_view file) { return !field || field_match(field->file, printable(file)); };
  const bool is_whole = (*info)->lines().each_start(wants, [&](const DwarfLines::Start &start) {
    const std::string name = name_of(start);
    if (is_one ? name != want.function : !field_match(want.function, name)) {
      // The linker may have dropped the code.
      if (is_one && object->function_around(start.address)) others.insert(start.line);
      return;
    }
    const Result<PidPlace> place = places.at(start.address);
    if (place) {
      offer(listing, *place, name, PidProbe::Kind::kLine, kLineName);
      found = true;
      return;
    }
    refusal = place.error().text();
    if (!is_one) refuse(listing, {object, {}}, name, kLineName, refusal);
  });
  constexpr std::string_view kNotWhole = "some line tables of the file cannot be read, or have too many lines";
  if (found && is_one && !refusal.empty())
    fall_short(listing, *object, "not at every instruction that begins it: " + refusal);
  if ((found || !is_one) && !is_whole) refuse(listing, {object, {}}, want.function, kLineName, kNotWhole);
  if (found || !is_one || !is_literal(want.module)) return found;
  if (!refusal.empty())
    return Error(fmt::format("failed to create a probe at line {} of {}: {}", field->line, field->file, refusal))
        .tagged("D_PROC_CREATEFAIL");
  if (!is_whole)
    return Error(fmt::format("line {} of {} was not found: {}", field->line, field->file, kNotWhole))
        .tagged("D_PROC_LINE");
  return Error(absent_line(**info, *field, others)).tagged("D_PROC_LINE");
}

}  // namespace dtrace::runtime
