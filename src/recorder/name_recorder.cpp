// SPDX-License-Identifier: Apache-2.0
#include "recorder/name_recorder.h"

#include <cerrno>
#include <csignal>
#include <string>
#include <utility>

namespace dtrace::recorder {
namespace {

using Kind = recording::Name::Kind;

enum : uint32_t { kKernel, kUser, kFrame, kReturnFrame, kMapping };

recording::Name name_of(Kind kind, const runtime::UserImage &image, uint64_t address, std::vector<std::string> texts,
                        bool flag = false) {
  return {kind, flag, image.pid, image.mark, address, std::move(texts)};
}

}  // namespace

bool NameRecorder::is_new(uint32_t kind, const runtime::UserImage &image, uint64_t address) {
  if (image.pid != 0) processes_.insert(image.pid);
  const uint64_t process = uint64_t{static_cast<uint32_t>(image.pid)} << 32 | image.mark;
  return known_.insert({address, process, kind}).second;
}

std::string NameRecorder::shown(std::string text, std::string (Redaction::*redact)(std::string_view)) const {
  return redaction_ == nullptr ? std::move(text) : (redaction_->*redact)(text);
}

void NameRecorder::kernel_address(uint64_t address) {
  const runtime::UserImage kernel(0);
  if (!is_new(kKernel, kernel, address)) return;
  for (const bool want_offset : {false, true})
    writer_.define(
        name_of(Kind::kKernelSymbol, kernel, address, {symbolizer_.kernel_symbol(address, want_offset)}, want_offset));
  writer_.define(name_of(Kind::kKernelModule, kernel, address, {symbolizer_.kernel_module(address)}));
  mapping(kernel, address);
}

void NameRecorder::user_frame(runtime::UserImage image, uint64_t address, bool is_return) {
  if (!is_new(is_return ? kReturnFrame : kFrame, image, address)) return;
  std::vector<std::string> texts;
  for (const runtime::StackFrame &frame : symbolizer_.user_frames(image, address, is_return)) {
    // Code of a virtual machine lies in no file.
    texts.push_back(frame.language.empty() ? shown(frame.symbol, &Redaction::symbol) : frame.symbol);
    texts.push_back(shown(frame.source, &Redaction::source));
    texts.emplace_back(frame.language);
    texts.emplace_back(frame.is_inlined ? "1" : "");
  }
  writer_.define(name_of(Kind::kUserFrames, image, address, std::move(texts), is_return));
  mapping(image, address);
}

void NameRecorder::user_address(runtime::UserImage image, uint64_t address) {
  if (!is_new(kUser, image, address)) return;
  for (const bool want_offset : {false, true})
    writer_.define(name_of(Kind::kUserSymbol, image, address,
                           {shown(symbolizer_.user_symbol(image, address, want_offset), &Redaction::symbol)},
                           want_offset));
  writer_.define(
      name_of(Kind::kUserModule, image, address, {shown(symbolizer_.user_module(image, address), &Redaction::module)}));
  mapping(image, address);
}

std::vector<pid_t> NameRecorder::ended() const {
  std::vector<pid_t> ended;
  for (const pid_t pid : processes_)
    if (kill(pid, 0) != 0 && errno == ESRCH) ended.push_back(pid);
  return ended;
}

void NameRecorder::mapping(const runtime::UserImage &image, uint64_t address) {
  if (!is_new(kMapping, image, address)) return;
  const runtime::CodeMapping code = symbolizer_.mapping(image, address);
  if (code.start == 0 && code.end == 0 && code.file.empty()) return;
  writer_.define(name_of(Kind::kMapping, image, address,
                         {std::to_string(code.start), std::to_string(code.end), std::to_string(code.offset),
                          image.pid == 0 ? code.file : shown(code.file, &Redaction::file), code.build_id}));
}

}  // namespace dtrace::recorder
