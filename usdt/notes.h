// SPDX-License-Identifier: Apache-2.0
// What an ELF file says about its static probes: where their sites are, and what providers promise of them.
//
// Three kinds of notes are read. `.note.stapsdt` (version 3, one note a site) is what most programs have;
// `.note.dtrace` (note_dtrace.h) adds what our own build tools know of a provider; `.note.usdt` (one note a site, one a
// provider) is the form of Oracle's tools. Sites of both kinds come out alike. Files may be hostile: see elf_file.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "usdt/elf_file.h"
#include "usdt/provider.h"

namespace dtrace::usdt {

/// One address in a program where a probe may fire. If the program only tests whether the probe is enabled, the probe
/// never fires there.
struct SiteNote {
  uint64_t pc = 0;                ///< address in the file, of the instruction to probe
  uint64_t code_offset = 0;       ///< of that instruction in the file
  uint64_t semaphore_offset = 0;  ///< in the file, of the 16-bit counter that says "enabled"; 0: none
  std::string provider;           ///< without a process's number
  std::string probe;              ///< as D names it: `-` for `__`
  std::string arguments;          ///< see arguments.h
  std::string function;           ///< if the note names it
  uint64_t function_pc = 0;       ///< an address in the probe's function, if `pc` is elsewhere; 0: it is not
  bool is_stub = false;           ///< a call stub: the probe's function is the one it was called from
  int64_t stack_bytes = 0;        ///< to add to offsets from the stack pointer, written for a stub
};

/// An instruction where a program built with Oracle's tools asks whether a probe is enabled. It has set a variable of
/// 32 bits to 0; a tracer writes another value there at each hit, and the program reads it behind the instruction.
struct TestNote {
  uint64_t pc = 0;           ///< as those of SiteNote
  uint64_t code_offset = 0;  ///< likewise
  std::string provider;
  std::string probe;
  std::string arguments;  ///< one: the address of the variable
};

struct FileNotes {
  std::vector<SiteNote> sites;
  std::vector<TestNote> tests;
  std::vector<Provider> providers;  ///< in the order of the file; of one provider there may be several
  size_t discarded = 0;             ///< sites whose function the linker left out
  size_t malformed = 0;             ///< notes that make no sense, or of a version that is not read
  std::string refused;              ///< why the notes were not looked at, or not all of them; empty: all were
  std::string cut;                  ///< what ends within a note, so that others may be missing; empty: nothing does
};

/// Does the file have a section of notes that read_notes() understands? Costs nothing.
bool has_probe_notes(const ElfFile &file);

/// All notes. Never fails: what cannot be read is counted as malformed, and `refused` or `cut` says why others may be
/// missing.
FileNotes read_notes(const ElfFile &file);

/// D's name of a probe: each `__`, from the left, becomes `-`.
std::string probe_name(std::string_view raw);

}  // namespace dtrace::usdt
