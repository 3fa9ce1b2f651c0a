// SPDX-License-Identifier: Apache-2.0
// The formats of output, by the words of option format. To add one: its sink in a file <name>_sink.cpp, its row in
// formats.def, its word in options.def.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "frontend/types/types.h"
#include "plan/plan.h"
#include "runtime/events/sink.h"
#include "runtime/output/wall_time.h"
#include "runtime/print/output.h"
#include "runtime/symbols/symbolizer.h"

namespace dtrace::runtime {

/// What sinks work with. All of it outlives them.
struct SinkParts {
  Output &output;
  Symbolizer &symbolizer;
  const TypeTable &types;
  const Plan &plan;
  pid_t target_pid = 0;   ///< of -p/-c: whose symbol %A prints; 0: none
  bool plain = false;     ///< without what differs from run to run: CPU and probe number
  bool buffered = false;  ///< -B
  /// A line for the user, without "dtrace: " and newline.
  std::function<void(std::string_view)> report;
  /// Names the boot of the machine whose addresses are shown; "": this one.
  std::string boot{};
  /// The command line as typed and the texts of its scripts, for formats that say what they are of.
  std::string command{}, scripts{};
  std::string title{};  ///< of pictures, in place of the command line; from option title
  /// --diff: the run before, for format flame: its name, and the data of its page.
  std::string compared_name{}, compared{};
  bool reports = true;  ///< faults and losses, if the format has no room for them; false: another sink does
  /// The module of the target's program, as frames name it; "": what the target executes now.
  std::string program{};
  /// The clocks of a recorded machine; null: of this one, if `boot` is "".
  const RunTime *recorded_time = nullptr;

  const RunTime &time() const { return recorded_time != nullptr ? *recorded_time : this_machines_time(); }
  /// Null: the run is shown at another time than it was, and nobody knows when that was.
  const RunTime *known_time() const { return boot.empty() || recorded_time != nullptr ? &time() : nullptr; }
};

#define FORMAT(name, extent, bytes, stamp) std::unique_ptr<Sink> make_##name##_sink(const SinkParts &parts);
#include "runtime/output/formats.def"
#undef FORMAT

/// What one output has.
enum class Extent : uint8_t {
  kRows,  ///< rows as they come: outputs are appended to, redirected, rotated
  kRun,   ///< a run, whole at its end: files are replaced
};
enum class Content : uint8_t { kText, kBinary };
/// What it shows of where a row comes from: its time, and its thread.
enum class Stamp : uint8_t { kNothing, kTime, kThreadToo };

struct FormatRow {
  std::string_view name;
  Extent extent;
  Content content;
  Stamp stamp;
  std::unique_ptr<Sink> (*make)(const SinkParts &parts);
};
inline constexpr FormatRow kFormats[] = {
#define FORMAT(name, extent, bytes, stamp) \
  {#name, Extent::k##extent, Content::k##bytes, Stamp::k##stamp, make_##name##_sink},
#include "runtime/output/formats.def"
#undef FORMAT
};

/// Records have the time of each row, and its thread, only for formats that show them.
constexpr bool wants_time(const FormatRow &format) { return format.stamp != Stamp::kNothing; }
constexpr bool wants_thread(const FormatRow &format) { return format.stamp == Stamp::kThreadToo; }
/// nullptr: there is none of that name.
const FormatRow *find_format(std::string_view name);
/// "text, json, ..."
std::string format_names();

}  // namespace dtrace::runtime
