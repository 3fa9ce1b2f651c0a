// SPDX-License-Identifier: Apache-2.0
#include "runtime/process/process_list.h"

#include <dirent.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>

#include "base/printable.h"

namespace dtrace::runtime {
namespace {

/// A number from 1 that is all of the text; 0: it is none.
pid_t number_of(std::string_view text) {
  pid_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number > 0 ? number : 0;
}

/// -p takes numbers; for the name of a program, how to have them. Empty: it looks like none.
std::string pids_by_name(std::string_view text) {
  const auto is_letter = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-'; };
  const bool is_name = !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
                       std::ranges::all_of(text, is_letter);
  return is_name ? fmt::format("\n  note: processes of that name: -p $(pgrep -d, {})", text) : std::string();
}

}  // namespace

Result<std::vector<ProcessWord>> parse_processes(std::string_view text) {
  std::vector<ProcessWord> words;
  for (size_t begin = 0, end = 0; begin <= text.size(); begin = end + 1) {
    end = std::min(text.find(',', begin), text.size());
    std::string_view word = text.substr(begin, end - begin);
    const bool is_group = word.starts_with('-');
    if (is_group) word.remove_prefix(1);
    const pid_t number = number_of(word);
    if (number == 0) return Error(fmt::format("invalid pid: {}{}", printable(text), pids_by_name(text)));
    words.push_back({number, is_group});
  }
  return words;
}

Result<std::vector<pid_t>> processes_of_group(pid_t group) {
  std::vector<pid_t> pids;
  if (DIR *proc = opendir("/proc")) {
    while (const dirent *entry = readdir(proc)) {
      const pid_t pid = number_of(entry->d_name);
      if (pid != 0 && pid != getpid() && getpgid(pid) == group) pids.push_back(pid);
    }
    closedir(proc);
  }
  if (pids.empty()) return Error::from_errno(fmt::format("failed to grab process group {}", group), ESRCH);
  std::sort(pids.begin(), pids.end(),
            [group](pid_t a, pid_t b) { return a == group || b == group ? a == group && b != group : a < b; });
  return pids;
}

}  // namespace dtrace::runtime
