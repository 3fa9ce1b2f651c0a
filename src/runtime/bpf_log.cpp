// SPDX-License-Identifier: Apache-2.0
#include "runtime/bpf_log.h"

#include <bpf/libbpf.h>

#include <cstdio>
#include <cstring>
#include <deque>

namespace dtrace {
namespace {

constexpr size_t kMaxMessages = 60;
constexpr size_t kShownLines = 16;  // the verifier's verdict stands at the end
constexpr size_t kMaxMessageBytes = 1024 * 1024;

thread_local std::deque<std::string> lines;  // the callback of libbpf takes no context

thread_local bool shows_logs = false;

int collect(libbpf_print_level level, const char *format, va_list args) {
  if (level == LIBBPF_DEBUG) {
    // The verifier's account of a program that it took.
    if (!shows_logs || std::strstr(format, "PROG LOAD LOG") == nullptr) return 0;
    return std::vfprintf(stderr, format, args);
  }
  static thread_local std::string buffer(kMaxMessageBytes, '\0');
  const int length = std::vsnprintf(buffer.data(), buffer.size(), format, args);
  if (length > 0) lines.emplace_back(buffer.c_str());
  while (lines.size() > kMaxMessages) lines.pop_front();
  return length;
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
  size_t begin = all.size();
  for (size_t shown = 0; shown < kShownLines && begin != std::string::npos; ++shown)
    begin = begin == 0 ? std::string::npos : all.rfind('\n', begin - 1);
  return begin == std::string::npos ? all : all.substr(begin + 1);
}

}  // namespace dtrace
