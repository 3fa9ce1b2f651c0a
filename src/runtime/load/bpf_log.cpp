// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/bpf_log.h"

#include <bpf/libbpf.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <string_view>
#include <vector>

namespace dtrace {
namespace {

constexpr size_t kMaxMessages = 60;
constexpr size_t kShownLines = 16;        // the verifier's verdict stands at the end
constexpr size_t kKeptBytes = 64 * 1024;  // of a message's end: a verifier's log may have megabytes
constexpr size_t kShownLineBytes = 240;   // of a line, which may quote a program of one line

thread_local std::deque<std::string> lines;  // the callback of libbpf takes no context

thread_local bool shows_logs = false;

int collect(libbpf_print_level level, const char *format, va_list args) {
  if (level == LIBBPF_DEBUG) {
    // The verifier's account of a program that it took.
    if (!shows_logs || std::strstr(format, "PROG LOAD LOG") == nullptr) return 0;
    return std::vfprintf(stderr, format, args);
  }
  char *text = nullptr;
  const int length = vasprintf(&text, format, args);
  if (length < 0) return length;
  const std::unique_ptr<char, decltype(&std::free)> owned(text, std::free);
  const auto bytes = static_cast<size_t>(length);
  lines.emplace_back(text + (bytes - std::min(bytes, kKeptBytes)));
  while (lines.size() > kMaxMessages) lines.pop_front();
  return length;
}

/// The end of `all`, as many lines as are shown, none of them longer than that.
std::string last_lines(std::string_view all) {
  std::vector<std::string_view> last;
  while (last.size() < kShownLines && !all.empty()) {
    const size_t newline = all.rfind('\n');
    last.push_back(newline == std::string_view::npos ? all : all.substr(newline + 1));
    all = all.substr(0, newline == std::string_view::npos ? 0 : newline);
  }
  std::string text;
  for (auto line = last.rbegin(); line != last.rend(); ++line) {
    if (!text.empty()) text += '\n';
    text += line->substr(0, kShownLineBytes);
    if (line->size() > kShownLineBytes) text += "...";
  }
  return text;
}

}  // namespace

void BpfLog::install(bool show_logs) {
  shows_logs = show_logs;
  libbpf_set_print(collect);
}

std::string BpfLog::take() {
  std::string all;
  for (const std::string &line : lines) all += line;
  lines.clear();
  while (!all.empty() && all.back() == '\n') all.pop_back();
  return last_lines(all);
}

}  // namespace dtrace
