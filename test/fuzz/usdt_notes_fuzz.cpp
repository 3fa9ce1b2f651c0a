// SPDX-License-Identifier: Apache-2.0
// Any bytes as an ELF file with probes: what the tracer asks of a stranger's file is answered without reading outside
// of it. Resolving the sites' arguments goes through symbols, relocations and segments as well.
#include <cstddef>
#include <cstdint>
#include <span>

#include "usdt/arguments.h"
#include "usdt/notes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace dtrace::usdt;
  const MemorySource source(std::as_bytes(std::span(data, size)));
  const dtrace::Result<ElfFile> file = ElfFile::open(source);
  if (!file) return 0;
  const FileNotes notes = read_notes(*file);
  ArgumentSymbols symbols;
  for (const SiteNote &site : notes.sites) symbols.want(parse_arguments(site.arguments, file->machine()));
  symbols.find(*file, &*file);
  size_t sum = file->build_id().size();
  for (const SiteNote &site : notes.sites)
    for (const dtrace::UserOperand &operand :
         symbols.resolve(parse_arguments(site.arguments, file->machine()), *file, site.pc))
      sum += operand.reason.size() + operand.base;
  volatile size_t sink = sum;
  static_cast<void>(sink);
  return 0;
}
