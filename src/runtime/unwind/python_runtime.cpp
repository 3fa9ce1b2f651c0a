// SPDX-License-Identifier: Apache-2.0
// Structures are those of x86-64 and aarch64, where they are alike. Versions 3.9 to 3.12 have no description of
// themselves; each row was taken from the headers of the version and compared with a running interpreter of it. 3.13
// describes itself (_Py_DebugOffsets), except for the key of the thread's state.
//
// What a reader would get wrong: an offset that moved in a later patch release gives no wrong names. Programs check the
// thread's number and the type of each code object; where these do not match they show no Python frame.
#include "runtime/unwind/python_runtime.h"

#include <array>
#include <cstring>
#include <span>

#include "runtime/foreign/dynamic_symbols.h"

namespace dtrace::runtime {
namespace {

constexpr uint16_t kNone = DT_PYTHON_NONE;

dt_python python_3_9() {
  dt_python python{};
  python.version = 0x0309;
  python.frames = DT_PYTHON_ONE_EACH;
  python.runtime_key = 588;
  python.runtime_current = 568;
  python.runtime_interpreters = 32;
  python.interpreter_next = 0;
  python.interpreter_threads = 8;
  python.thread_next = 8;
  python.thread_id = 176;
  python.thread_frame = 24;
  python.thread_chain = kNone;
  python.chain_previous = kNone;
  python.chain_frame = kNone;
  python.frame_bytes = 112;
  python.frame_code = 32;
  python.frame_previous = 24;
  python.frame_position = 104;
  python.frame_mark = kNone;
  python.position_is_index = 1;
  python.position_unit_bytes = 2;
  python.code_bytes = 128;
  python.code_name = 112;
  python.code_file = 104;
  python.code_first_line = 40;
  python.code_table = 120;
  python.text_ascii = 48;
  python.text_other = 72;
  return python;
}

dt_python python_3_10() {
  dt_python python = python_3_9();
  python.version = 0x030a;
  python.frames = DT_PYTHON_ONE_CHAINED;
  python.thread_chain = 48;
  python.chain_previous = 8;
  python.frame_position = 96;
  python.position_unit_bytes = 1;
  return python;
}

dt_python python_3_11() {
  dt_python python{};
  python.version = 0x030b;
  python.frames = DT_PYTHON_MARKED;
  python.runtime_key = 596;
  python.runtime_current = 576;
  python.runtime_interpreters = 40;
  python.interpreter_next = 0;
  python.interpreter_threads = 16;
  python.thread_next = 8;
  python.thread_id = 152;
  python.thread_frame = kNone;
  python.thread_chain = 56;
  python.chain_previous = 16;
  python.chain_frame = 8;
  python.frame_bytes = 72;
  python.frame_code = 32;
  python.frame_previous = 48;
  python.frame_position = 56;
  python.frame_mark = 68;
  python.mark_value = 1;  // is_entry
  python.code_bytes = 144;
  python.code_name = 128;  // qualified
  python.code_file = 112;
  python.code_first_line = 72;
  python.code_table = 136;
  python.code_start = 184;
  python.text_ascii = 48;
  python.text_other = 72;
  return python;
}

dt_python python_3_12() {
  dt_python python = python_3_11();
  python.version = 0x030c;
  python.frames = DT_PYTHON_SENTINEL_CHAINED;
  python.runtime_key = 1548;
  python.runtime_current = kNone;
  python.interpreter_threads = 72;
  python.thread_id = 136;
  python.chain_previous = 8;
  python.chain_frame = 0;
  python.frame_code = 0;
  python.frame_previous = 8;
  python.frame_mark = 70;
  python.mark_value = 3;  // owner: the C stack
  python.code_first_line = 68;
  python.code_start = 192;
  python.text_ascii = 40;
  python.text_other = 56;
  return python;
}

/// Words of _Py_DebugOffsets of 3.13, from the start of _PyRuntime.
enum DebugWord : uint8_t {
  kCookie = 0,
  kVersion = 1,
  kFreeThreaded = 2,
  kInterpretersHead = 5,
  kInterpreterNext = 8,
  kInterpreterThreads = 9,
  kThreadNext = 21,
  kThreadFrame = 23,
  kThreadId = 24,
  kFramePrevious = 29,
  kFrameExecutable = 30,
  kFrameInstruction = 31,
  kFrameOwner = 33,
  kCodeFile = 35,
  kCodeQualifiedName = 37,
  kCodeTable = 38,
  kCodeFirstLine = 39,
  kCodeStart = 43,
  kNrDebugWords = 44,
};
constexpr DebugWord kUsedWords[] = {kInterpretersHead, kInterpreterNext, kInterpreterThreads, kThreadNext,
                                    kThreadFrame,      kThreadId,        kFramePrevious,      kFrameExecutable,
                                    kFrameInstruction, kFrameOwner,      kCodeFile,           kCodeQualifiedName,
                                    kCodeTable,        kCodeFirstLine,   kCodeStart};

std::optional<dt_python> python_3_13(const usdt::ByteSource &source, const usdt::ElfFile &elf, uint64_t runtime) {
  const std::optional<uint64_t> offset = elf.data_offset(runtime);
  std::array<uint64_t, kNrDebugWords> words{};
  if (!offset || !source.read(*offset, std::as_writable_bytes(std::span(words)))) return std::nullopt;
  if (std::memcmp(&words[kCookie], "xdebugpy", 8) != 0 || words[kFreeThreaded] != 0 || words[kVersion] >> 16 != 0x030d)
    return std::nullopt;
  for (const DebugWord word : kUsedWords)
    if (words[word] >= DT_PYTHON_NONE) return std::nullopt;
  dt_python python = python_3_12();
  python.version = 0x030d;
  python.frames = DT_PYTHON_SENTINEL;
  python.runtime_key = 2164;
  python.runtime_interpreters = static_cast<uint32_t>(words[kInterpretersHead]);
  python.interpreter_next = static_cast<uint32_t>(words[kInterpreterNext]);
  python.interpreter_threads = static_cast<uint32_t>(words[kInterpreterThreads]);
  const auto offset_of = [&](DebugWord word) { return static_cast<uint16_t>(words[word]); };
  python.thread_next = offset_of(kThreadNext);
  python.thread_id = offset_of(kThreadId);
  python.thread_frame = offset_of(kThreadFrame);
  python.thread_chain = kNone;
  python.chain_previous = kNone;
  python.chain_frame = kNone;
  python.frame_code = offset_of(kFrameExecutable);
  python.frame_previous = offset_of(kFramePrevious);
  python.frame_position = offset_of(kFrameInstruction);
  python.frame_mark = offset_of(kFrameOwner);
  python.code_name = offset_of(kCodeQualifiedName);
  python.code_file = offset_of(kCodeFile);
  python.code_first_line = offset_of(kCodeFirstLine);
  python.code_table = offset_of(kCodeTable);
  python.code_start = offset_of(kCodeStart);
  return python;
}

/// Py_Version, which 3.11 and later have: major, minor, ... a byte each from the top of 32 bits.
std::optional<uint32_t> stated_version(const usdt::ByteSource &source, const usdt::ElfFile &elf, uint64_t address) {
  uint64_t version = 0;
  for (const usdt::Segment &segment : elf.segments()) {
    constexpr uint32_t kLoad = 1;  // PT_LOAD
    if (segment.type != kLoad || address < segment.address || address - segment.address >= segment.file_bytes) continue;
    if (source.read(segment.offset + (address - segment.address), std::as_writable_bytes(std::span(&version, 1))))
      return static_cast<uint32_t>(version >> 16);
  }
  return std::nullopt;
}

std::optional<dt_python> layout_of(const usdt::ByteSource &source, const usdt::ElfFile &elf,
                                   const DynamicSymbols &symbols, uint64_t runtime) {
  if (const auto version = symbols.find("Py_Version")) {
    const std::optional<uint32_t> stated = stated_version(source, elf, version->address);
    if (stated == 0x030b) return python_3_11();
    if (stated == 0x030c) return python_3_12();
    if (stated == 0x030d) return python_3_13(source, elf, runtime);
    return std::nullopt;
  }
  // By functions that came with a version.
  if (symbols.find("Py_NewRef")) return python_3_10();
  if (symbols.find("PyObject_VectorcallMethod")) return python_3_9();
  return std::nullopt;
}

}  // namespace

std::optional<dt_python> python_runtime(const usdt::ByteSource &source, const usdt::ElfFile &elf,
                                        uint64_t first_address) {
  const std::optional<DynamicSymbols> symbols = DynamicSymbols::open(source, elf);
  if (!symbols) return std::nullopt;
  const auto evaluation = symbols->find("_PyEval_EvalFrameDefault");
  if (!evaluation) return std::nullopt;
  const auto runtime = symbols->find("_PyRuntime"), code_type = symbols->find("PyCode_Type");
  if (!runtime || !code_type) return std::nullopt;
  std::optional<dt_python> python = layout_of(source, elf, *symbols, runtime->address);
  if (!python) return std::nullopt;
  python->language = DT_MANAGED_PYTHON;
  python->runtime = runtime->address - first_address;
  python->code_type = code_type->address - first_address;
  python->evaluation = evaluation->address - first_address;
  python->evaluation_bytes = evaluation->size_bytes;
  return python;
}

}  // namespace dtrace::runtime
