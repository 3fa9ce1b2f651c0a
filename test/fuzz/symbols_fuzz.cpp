// SPDX-License-Identifier: Apache-2.0
// Any bytes as a program's file, as it is read to find functions, to name addresses and to know what structures look
// like: symbols, the compressed ones of .gnu_debugdata, segments, imports, debug information. And as the map that a
// just-in-time compiler writes.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "runtime/foreign/jit_dump.h"
#include "runtime/foreign/perf_map.h"
#include "runtime/symbols/elf_symbols.h"
#include "runtime/symbols/source_frames.h"
#include "runtime/usdt/dwarf_layout.h"
#include "runtime/user/user_object.h"

namespace {

using namespace dtrace;
using namespace dtrace::runtime;

size_t ask_symbols(const ElfSymbols &symbols) {
  size_t sum = symbols.build_id().size() + symbols.by_name("main").size();
  for (size_t i = 0; i < symbols.size(); i++) {
    const ElfSymbol symbol = symbols.at(i);
    if (const auto found = symbols.by_address(symbol.address + symbol.size_bytes / 2)) sum += found->symbol.name.size();
    if (const auto offset = symbols.offset_of_address(symbol.address))
      sum += symbols.address_of_offset(*offset, true).value_or(0);
  }
  for (const ElfSegment &segment : symbols.segments())
    sum += symbols.load_bias(0x7f0000000000, segment.offset, segment.executable).value_or(0);
  return sum;
}

size_t ask_object(int fd) {
  auto file = std::make_shared<UserFile>();
  file->fd = Fd(dup(fd));
  UserObject object(file, "/program");
  size_t sum = object.moves_stacks() + object.catches_exceptions() + object.cancels_threads();
  for (const UserFunction &function : object.functions())
    sum += function.names.front().size() + function.size_bytes +
           object.function_around(function.address).value_or(UserFunction()).offset;
  return sum;
}

size_t ask_source(const usdt::ElfFile &elf) {
  const Result<std::unique_ptr<SourceInfo>> info = SourceInfo::read(elf, true);
  if (!info) return 0;
  size_t sum = (*info)->memory_bytes();
  for (const usdt::Segment &segment : elf.segments())
    for (uint64_t at = 0; at < std::min<uint64_t>(segment.file_bytes, 4096); at += 64)
      sum += (*info)->at(segment.address + at).inlined.size();
  for (uint64_t address = 0x1000; address < 0x1400; address += 16) sum += (*info)->at(address).line.line;
  return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t sum = 0;
  if (const Result<ElfSymbols> symbols = ElfSymbols::read_image(std::as_bytes(std::span(data, size)), "image", {""}))
    sum += ask_symbols(*symbols);
  const Fd file(memfd_create("fuzz", MFD_CLOEXEC));
  if (file && write(file.get(), data, size) == static_cast<ssize_t>(size)) {
    sum += ask_object(file.get());
    const usdt::FileSource source(file.get());
    if (const Result<usdt::ElfFile> elf = usdt::ElfFile::open(source))
      if (const auto layout = dwarf_layout(*elf, "struct request", 0x1000)) sum++;
    if (const Result<usdt::ElfFile> elf = usdt::ElfFile::open_any(source)) sum += ask_source(*elf);
    JitDump().read_on(file.get(), size,
                      {.loaded = [&](uint64_t start, uint64_t, std::string_view name) { sum += start + name.size(); },
                       .moved = [&](uint64_t from, uint64_t to, uint64_t) { sum += from + to; }});
  }
  const PerfMap map = PerfMap::from_text(std::string_view(reinterpret_cast<const char *>(data), size));
  for (const uint64_t address : {uint64_t{0}, uint64_t{0x1000}, UINT64_MAX})
    if (const auto hit = map.by_address(address)) sum += hit->name.size() + hit->offset;
  volatile size_t sink = sum;
  static_cast<void>(sink);
  return 0;
}
