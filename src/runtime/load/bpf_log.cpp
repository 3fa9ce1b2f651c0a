// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/bpf_log.h"

#include <bpf/libbpf.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace dtrace::runtime {
namespace {

constexpr size_t kMaxMessages = 60;
constexpr size_t kShownLines = 16;        // the verifier's verdict stands at the end
constexpr size_t kKeptBytes = 64 * 1024;  // of a message's end: a verifier's log may have megabytes
constexpr size_t kShownLineBytes = 240;   // of a line, which may quote a program of one line

// The callback of libbpf takes no context, and there is one of it in a process.
thread_local std::deque<std::string> lines;
thread_local std::function<void(std::string_view)> show;
thread_local bool collects = false;
std::atomic<libbpf_print_fn_t> before{nullptr};

int collect(libbpf_print_level level, const char *format, va_list args) {
  if (!collects) {
    const libbpf_print_fn_t others = before;
    return others != nullptr ? others(level, format, args) : 0;
  }
  // The verifier's account of a program that it took is a debugging message.
  const bool is_account = level == LIBBPF_DEBUG && show && std::strstr(format, "PROG LOAD LOG") != nullptr;
  if (level == LIBBPF_DEBUG && !is_account) return 0;
  char *text = nullptr;
  const int length = vasprintf(&text, format, args);
  if (length < 0) return length;
  const std::unique_ptr<char, decltype(&std::free)> owned(text, std::free);
  if (is_account) {
    show(text);
    return length;
  }
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

void BpfLog::install(std::function<void(std::string_view)> show_log) {
  show = std::move(show_log);
  collects = true;
  if (const libbpf_print_fn_t others = libbpf_set_print(collect); others != collect) before = others;
}

std::string BpfLog::take() {
  std::string all;
  for (const std::string &line : lines) all += line;
  lines.clear();
  while (!all.empty() && all.back() == '\n') all.pop_back();
  return last_lines(all);
}

}  // namespace dtrace::runtime
