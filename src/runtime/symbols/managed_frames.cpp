// SPDX-License-Identifier: Apache-2.0
#include "runtime/symbols/managed_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "base/printable.h"
#include "bpf/dt_hotspot.h"
#include "runtime/symbols/java_lines.h"
#include "runtime/symbols/python_lines.h"

namespace dtrace::runtime {
namespace {

void append_character(std::string &out, uint32_t c) {
  constexpr uint32_t kReplacement = 0xfffd;
  if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)) c = kReplacement;
  if (c < 0x80) {
    out += static_cast<char>(c);
    return;
  }
  const int following = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  const uint32_t lead = following == 1 ? 0xc0 : following == 2 ? 0xe0 : 0xf0;
  out += static_cast<char>(lead | c >> (6 * following));
  for (int i = following - 1; i >= 0; i--) out += static_cast<char>(0x80 | (c >> (6 * i) & 0x3f));
}

std::optional<ManagedRecord> record_at(std::span<const std::byte> pool, uint32_t unit) {
  uint64_t place = uint64_t{unit} * DT_MANAGED_UNIT_BYTES;
  ManagedRecord record{};
  // No more bytes than there are behind the offset.
  const auto take = [&](uint64_t size_bytes) {
    const uint64_t start = std::min<uint64_t>(place, pool.size());
    const auto taken = pool.subspan(start, std::min<uint64_t>(size_bytes, pool.size() - start));
    place += (size_bytes + DT_MANAGED_UNIT_BYTES - 1) / DT_MANAGED_UNIT_BYTES * DT_MANAGED_UNIT_BYTES;
    return taken;
  };
  const auto head = take(sizeof record.head);
  if (head.size() < sizeof record.head) return std::nullopt;
  std::memcpy(&record.head, head.data(), sizeof record.head);
  for (size_t role = 0; role < DT_MANAGED_TEXTS; ++role)
    record.texts[role] = take(std::min<uint64_t>(record.head.texts[role].size_bytes, DT_MANAGED_TEXT_BYTES));
  record.table = take(std::min<uint64_t>(record.head.table_bytes, DT_MANAGED_TABLE_BYTES));
  return record;
}

std::vector<StackFrame> python_frames(const ManagedRecord &record, uint32_t position) {
  StackFrame frame;
  frame.symbol = managed_text(record, DT_MANAGED_NAME);
  frame.source = managed_text(record, DT_MANAGED_FILE);
  frame.language = "python";
  std::optional<uint32_t> line;
  if (position != DT_MANAGED_NO_POSITION)
    line =
        python_line(record.head.version, record.table, record.head.is_table_cut != 0, record.head.first_line, position);
  // Python says so of code without a line, such as what a function begins with.
  if (!line && position == 0) line = record.head.first_line;
  if (line) frame.source += fmt::format(":{}", *line);
  return {std::move(frame)};
}

/// "java.lang.String.hashCode", with file and line if the walk took them. Within the virtual machine
/// packages are separated by slashes, and a plus separates the number of a class without a name.
std::vector<StackFrame> java_frames(const ManagedRecord &record, uint32_t position) {
  StackFrame frame;
  frame.symbol = managed_text(record, DT_MANAGED_SCOPE);
  std::ranges::replace(frame.symbol, '/', '.');
  std::ranges::replace(frame.symbol, '+', '/');
  frame.symbol += "." + managed_text(record, DT_MANAGED_NAME);
  frame.language = "java";
  frame.is_inlined = (position & DT_HOTSPOT_INLINED) != 0;
  frame.source = managed_text(record, DT_MANAGED_FILE);
  const uint32_t bytecode = position & ~uint32_t{DT_HOTSPOT_INLINED};
  if (frame.source.empty() || bytecode == DT_HOTSPOT_NO_BYTECODE) return {std::move(frame)};
  if (const std::optional<uint32_t> line = java_line(record.head.version, record.table, bytecode))
    frame.source += fmt::format(":{}", *line);
  return {std::move(frame)};
}

using Frames = std::vector<StackFrame> (*)(const ManagedRecord &record, uint32_t position);
struct Language {
  uint32_t language;
  Frames frames;
};
constexpr Language kLanguages[] = {{DT_MANAGED_PYTHON, python_frames}, {DT_MANAGED_JAVA, java_frames}};

/// By enum dt_managed_missed.
constexpr std::string_view kMissed[] = {"(no room for its name)", "(its function is not readable)"};

}  // namespace

std::string managed_text(const ManagedRecord &record, dt_managed_text_role role) {
  const std::span<const std::byte> bytes = record.texts[role];
  const dt_managed_text &text = record.head.texts[role];
  std::string characters;
  if (text.width == 0) characters.assign(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  if (text.width == 1 || text.width == 2 || text.width == 4)
    for (size_t at = 0; at + text.width <= bytes.size(); at += text.width) {
      uint32_t c = 0;
      std::memcpy(&c, bytes.data() + at, text.width);
      append_character(characters, c);
    }
  if (text.is_cut != 0) characters += "...";
  return printable(characters);
}

std::vector<StackFrame> managed_frames(std::span<const std::byte> pool, uint64_t frame) {
  const auto unit = static_cast<uint32_t>(frame);
  const auto position = static_cast<uint32_t>(frame >> DT_MANAGED_POSITION_SHIFT & DT_MANAGED_POSITION_MASK);
  if (unit == 0 && position < std::size(kMissed)) return {{std::string(kMissed[position]), {}, false, "managed"}};
  if (const std::optional<ManagedRecord> record = record_at(pool, unit))
    if (const auto *known = std::ranges::find(kLanguages, record->head.language, &Language::language);
        known != std::end(kLanguages))
      return known->frames(*record, position);
  return {{fmt::format("{:#x}", frame), {}, false, "managed"}};
}

}  // namespace dtrace::runtime
