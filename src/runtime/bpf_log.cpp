// SPDX-License-Identifier: Apache-2.0
#include "runtime/bpf_log.h"

#include <bpf/libbpf.h>

#include <cstdio>
#include <deque>

namespace dtrace {
namespace {

constexpr size_t kMaxLines = 60;
constexpr size_t kMaxLineBytes = 16 * 1024;

thread_local std::deque<std::string> lines;  // the callback of libbpf takes no context

int collect(libbpf_print_level level, const char *format, va_list args) {
  if (level == LIBBPF_DEBUG) return 0;
  char buffer[kMaxLineBytes];
  int length = std::vsnprintf(buffer, sizeof buffer, format, args);
  if (length > 0) lines.emplace_back(buffer);
  while (lines.size() > kMaxLines) lines.pop_front();
  return length;
}

}  // namespace

void BpfLog::install() { libbpf_set_print(collect); }

std::string BpfLog::take() {
  std::string all;
  for (const std::string &line : lines) all += line;
  lines.clear();
  while (!all.empty() && all.back() == '\n') all.pop_back();
  return all;
}

}  // namespace dtrace
