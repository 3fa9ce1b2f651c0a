// SPDX-License-Identifier: Apache-2.0
// A suggestion is made only if it matches a probe of this machine. Processes are not searched for it.
#include "frontend/check/check_probe_hint.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

#include "base/options.h"
#include "frontend/text/hints.h"

namespace dtrace::check {
namespace {

/// Providers whose probes a name alone may mean.
constexpr std::string_view kNamed[] = {"dtrace", "profile", "proc",     "sched",   "io",     "ip", "tcp",
                                       "udp",    "mib",     "lockstat", "sysinfo", "vminfo", "sdt"};
constexpr std::string_view kProviders[] = {"dtrace", "profile", "cpc", "proc",   "sched",    "io",      "ip",
                                           "tcp",    "udp",     "mib", "sdt",    "lockstat", "sysinfo", "vminfo",
                                           "fsinfo", "iter",    "fbt", "rawfbt", "rawtp",    "syscall"};

struct NameWord {
  std::string_view theirs, ours;
};
constexpr NameWord kNames[] = {
    {"enter", "entry"}, {"begin", "entry"},  {"call", "entry"},
    {"exit", "return"}, {"leave", "return"}, {"ret", "return"},
};

constexpr size_t kMaxListed = 4;  // of names that begin as written

bool is_exact(std::string_view field) {
  return !field.empty() && field.find_first_of("*?[\\$") == std::string_view::npos;
}

/// Without the empty fields in front, as people write it.
std::string shortened(const ProbeDesc &desc) {
  std::string text = desc.text();
  return text.substr(std::min(text.find_first_not_of(':'), text.size()));
}

std::vector<ProbeId> matches(Context &cx, const ProbeDesc &desc) {
  Result<std::vector<ProbeId>> found = cx.input.probes.match(desc);
  return found ? std::move(*found) : std::vector<ProbeId>{};
}

/// "sdt:sched::sched_switch" or "tick-5s" as a description.
ProbeDesc description_of(std::string_view text) {
  std::array<std::string, 4> fields;
  size_t next = fields.size();
  for (size_t end = text.size(); next > 0;) {
    const size_t colon = end == 0 ? std::string_view::npos : text.rfind(':', end - 1);
    const size_t begin = colon == std::string_view::npos ? 0 : colon + 1;
    fields[--next] = text.substr(begin, end - begin);
    if (colon == std::string_view::npos) break;
    end = colon;
  }
  return {fields[0], fields[1], fields[2], fields[3]};
}

/// What other tracers write, in D. True: something was said.
bool suggest_translation(Context &cx, std::string_view written) {
  const std::string ours = hint_for_probe(written);
  if (ours.empty()) return false;
  if (ours.find_first_of("$* ,") == std::string::npos) {
    Result<std::vector<ProbeId>> found = cx.input.probes.match(description_of(ours));
    if (!found) return cx.diags.advise(fmt::format("{} would be D's name: {}", ours, found.error().text())), true;
    if (found->empty()) return false;
  }
  cx.diags.suggest(ours);
  return true;
}

std::string renamed(Context &cx, const ProbeDesc &desc) {
  for (const NameWord &word : kNames) {
    if (word.theirs != desc.name || desc.function.empty()) continue;
    ProbeDesc other = desc;
    other.name = word.ours;
    if (!matches(cx, other).empty()) return shortened(other);
  }
  return {};
}

/// "syscall:read:entry" and "sched:on-cpu": the provider stands in a later field.
std::string shifted(Context &cx, const ProbeDesc &desc) {
  if (!desc.provider.empty()) return {};
  ProbeDesc other = desc;
  if (std::ranges::find(kProviders, desc.module) != std::end(kProviders)) {
    other.provider = std::exchange(other.module, "");
  } else if (desc.module.empty() && std::ranges::find(kProviders, desc.function) != std::end(kProviders)) {
    other.provider = std::exchange(other.function, "");
  } else {
    return {};
  }
  return matches(cx, other).empty() ? std::string() : other.text();
}

/// A description that differs in one field, which looks much the same or begins so.
std::string nearest(Context &cx, const ProbeDesc &desc) {
  ProbeDesc other = desc;
  other.provider = nearest_name(desc.provider, kProviders);
  if (is_exact(desc.provider) && !other.provider.empty() && !matches(cx, other).empty()) return other.text();

  const bool is_process = !desc.provider.empty() && std::isdigit(static_cast<unsigned char>(desc.provider.back())) != 0;
  if (!desc.provider.empty() && (!is_exact(desc.provider) || is_process)) return {};
  const bool name_only = desc.provider.empty() && desc.module.empty() && desc.function.empty();
  if (desc.provider.empty() && !name_only) return {};
  const std::pair<std::string ProbeDesc::*, std::string Probe::*> fields[] = {
      {&ProbeDesc::name, &Probe::name}, {&ProbeDesc::function, &Probe::function}, {&ProbeDesc::module, &Probe::module}};
  for (const auto &[described, actual] : fields) {
    const std::string &wanted = desc.*described;
    if (!is_exact(wanted)) continue;
    ProbeDesc wider = desc;
    (wider.*described).clear();
    std::vector<std::string_view> names;
    auto collect = [&] {
      for (const ProbeId id : matches(cx, wider)) names.emplace_back(cx.input.probes.probe(id).*actual);
    };
    if (name_only) {
      for (const std::string_view provider : kNamed) {
        wider.provider = provider;
        collect();
      }
    } else {
      collect();
    }
    wider.provider = desc.provider;
    wider.*described = nearest_name(wanted, names);
    if (!(wider.*described).empty()) return shortened(wider);
    if (name_only || wanted.size() < 3 || described != &ProbeDesc::name) continue;
    std::erase_if(names, [&](std::string_view name) { return !name.starts_with(wanted); });
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::string list;
    for (size_t i = 0; i < names.size(); ++i) {
      wider.name = names[i];
      list += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + shortened(wider);
    }
    if (!names.empty() && names.size() <= kMaxListed) return list;
  }
  return {};
}

/// "openat" alone is a name; it may be a function.
std::string function_instead(Context &cx, const ProbeDesc &desc) {
  if (!desc.provider.empty() || !desc.module.empty() || !desc.function.empty() || !is_exact(desc.name)) return {};
  const std::vector<ProbeId> found = matches(cx, {"", "", desc.name, ""});
  if (found.empty()) return {};
  const bool has_entry =
      std::ranges::any_of(found, [&](ProbeId id) { return cx.input.probes.probe(id).name == "entry"; });
  return desc.name + (has_entry ? ":entry" : ":");
}

/// "syscall::read" and "pid12:libc:malloc": the function stands in the last field.
std::string function_last(Context &cx, const ProbeDesc &desc) {
  if (!desc.provider.empty() || !is_exact(desc.module) || !is_exact(desc.name)) return {};
  const bool is_process =
      desc.module.starts_with("pid") && std::isdigit(static_cast<unsigned char>(desc.module.back())) != 0;
  const ProbeDesc other{desc.module, desc.function, desc.name, is_process ? "entry" : ""};
  if (is_process) return other.text();
  const std::vector<ProbeId> found = matches(cx, other);
  const bool has_entry =
      std::ranges::any_of(found, [&](ProbeId id) { return cx.input.probes.probe(id).name == "entry"; });
  return has_entry ? other.text() + "entry" : std::string();
}

/// "tick-5seconds" and "tick-1.5s"; what is a number with a unit has another fault.
std::string_view hint_for_clock(std::string_view name) {
  constexpr std::string_view kUnits[] = {"",    "ns", "nsec", "us", "usec", "ms", "msec", "s",
                                         "sec", "m",  "min",  "h",  "hour", "d",  "day",  "hz"};
  const size_t dash = name.find('-');
  if (dash == std::string_view::npos || (name.substr(0, dash) != "tick" && name.substr(0, dash) != "profile"))
    return {};
  const std::string_view rate = name.substr(dash + 1);
  const size_t digits = std::min(rate.find_first_not_of("0123456789"), rate.size());
  std::string unit(rate.substr(digits));
  std::ranges::transform(unit, unit.begin(), [](unsigned char c) { return std::tolower(c); });
  if (digits > 0 && std::ranges::find(kUnits, unit) != std::end(kUnits)) return {};
  return "write a whole number after tick- or profile-, with ns, us, ms, s, m, h, d or hz: tick-5s, profile-997";
}

/// `-f json`: -f is the name of a function here, and the format of the output elsewhere.
std::string format_instead(const ProbeDesc &desc) {
  const bool is_function = desc.provider.empty() && desc.module.empty() && desc.name.empty();
  Options formats;
  const bool is_format = is_function && formats.set(option_name(Opt::format), desc.function,
                                                    OptionSource::kCommandLine) == OptionError::kNone;
  if (!is_format) return {};
  return fmt::format("-f takes a function; for this format of the output write -x format={}", desc.function);
}

}  // namespace

void suggest_probe(Context &cx, std::string_view written, const ProbeDesc &desc) {
  if (suggest_translation(cx, written)) return;
  if (const std::string_view other = hint_for_provider(desc.provider); !other.empty())
    return cx.diags.advise(std::string(other));
  if (const std::string option = format_instead(desc); !option.empty()) return cx.diags.advise(option);
  const Absence absence = cx.input.probes.why_absent(desc);
  if (absence.is_certain) return cx.diags.advise(absence.reason);
  for (const auto &find : {renamed, shifted, function_last, nearest, function_instead}) {
    const std::string found = find(cx, desc);
    if (!found.empty()) return cx.diags.suggest(found);
  }
  if (desc.provider == "pid")
    return cx.diags.advise(
        "the process is missing: pid$target or pid123; between double quotes the shell replaces $target");
  cx.diags.advise(absence.reason.empty() ? std::string(hint_for_clock(desc.name)) : absence.reason);
}

}  // namespace dtrace::check
