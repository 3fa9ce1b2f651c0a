// SPDX-License-Identifier: Apache-2.0
// Limits on files that we did not write: programs, libraries, debug files and the maps of JIT compilers.
//
// Any user may write such a file and have a traced process map it. Every reader takes its limits from here, so that
// the memory and the time that a file can cost are added up in one file. The largest browsers and compilers stay
// below half of each limit. A table is also refused if it lies in a hole of a sparse file (ByteSource::has_hole), so a
// file costs its reader no more than a small multiple of the bytes that it has on disk.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dtrace::limits {

// ELF headers.
constexpr uint64_t kMaxSections = 1 << 16;
constexpr uint64_t kMaxSegments = 1 << 10;
constexpr uint64_t kMaxSectionNamesBytes = 4 << 20;
constexpr size_t kMaxSectionNameBytes = 64;  // longer names are cut: no section that we read has one
constexpr uint64_t kMaxBuildIdBytes = 64;
constexpr uint64_t kMaxBuildIdNotesBytes = 1 << 20;
constexpr uint64_t kMaxDynamicBytes = 1 << 20;
constexpr uint64_t kMaxDebugLinkBytes = 4096;

// Symbols: 24 bytes each in the file, 64 in our memory.
constexpr uint64_t kMaxSymbols = 8 << 20;
constexpr uint64_t kMaxStringTableBytes = 512 << 20;
constexpr size_t kMaxSymbolNameBytes = 64 << 10;   // a symbol with a longer name is left out
constexpr size_t kMaxEscapedNamesBytes = 1 << 20;  // of one file; see base/escape.h
constexpr unsigned kMaxSymbolNesting = 64;         // symbols around one address
constexpr uint64_t kMaxRelocationBytes = 256 << 20;
constexpr size_t kMaxRelocationTables = 16;
constexpr uint64_t kMaxImports = 1 << 20;

// Code.
constexpr uint64_t kMaxFunctionBytes = 16 << 20;
constexpr uint64_t kMaxScannedCodeBytes = 256 << 20;

// Call frame information: the largest browsers have a few hundred thousand entries of at most some kilobytes.
constexpr uint64_t kMaxFrameSectionBytes = 256 << 20;
constexpr uint64_t kMaxFrameEntries = 4 << 20;       // 8 bytes each in our memory
constexpr uint64_t kMaxFrameEntryBytes = 256 << 10;  // a longer one has no rules
constexpr size_t kMaxCommonEntries = 1024;           // kept of one file
constexpr uint64_t kMaxFrameOperations = 1 << 16;    // to compile one page of code
constexpr uint64_t kMaxCodePages = 1 << 18;          // of one file: 1 GiB
constexpr size_t kMaxCodeFiles = 512;                // each an open descriptor

// Tables of functions that Go programs carry: those of the largest have 40 MB.
constexpr uint64_t kMaxGoTableBytes = 256 << 20;

// Tables in which a Java virtual machine describes itself, in its memory: 2000 entries.
constexpr size_t kMaxVmStructEntries = 1 << 14;
constexpr uint64_t kMaxVmStructBytes = 1 << 16;  // of a structure that they describe
constexpr size_t kMaxVmStructNameBytes = 256;
constexpr size_t kMaxVmStructPages = 1024;  // of memory, 4 KiB each

// Compressed and separate debug information.
constexpr uint64_t kMaxPackedBytes = 64 << 20;
constexpr uint64_t kMaxUnpackedBytes = 64 << 20;
constexpr uint64_t kMaxDecoderBytes = 128 << 20;  // the input chooses the dictionary's size
constexpr uint64_t kMaxChecksummedBytes = uint64_t{1} << 30;
constexpr uint64_t kMaxDwarfBytes = 512 << 20;  // of the sections that are read, decompressed
constexpr uint64_t kMaxDwarfEntries = 16 << 20;
constexpr unsigned kMaxDwarfDepth = 16;
constexpr size_t kMaxDwarfMembers = 65536;          // of structures and enumerations, in one search
constexpr size_t kMaxUserTypes = 1 << 20;           // of one file that a program asks for, and their members
constexpr size_t kMaxLocationOperations = 64;       // of a parameter or variable
constexpr size_t kMaxLocationRanges = 256;          // of a parameter, looked through for one thing
constexpr size_t kMaxUserParameters = 64;           // of a function
constexpr size_t kMaxKnownCalls = 1 << 20;          // that state removed parameters, in one file
constexpr size_t kMaxCallers = 256;                 // of a function, that state one parameter
constexpr size_t kMaxCallerValues = 8;              // that these state for it
constexpr size_t kMaxLocals = 1024;                 // variables in scope at an instruction, of a listing
constexpr uint64_t kMaxDwarfRanges = 16 << 20;      // pieces of code of functions, looked at in one file
constexpr uint64_t kMaxLineProgramBytes = 4 << 20;  // of one unit; each byte may become a line of 70 bytes
constexpr uint64_t kMaxLineOperations = 256 << 20;  // of line tables, in one file: seconds
constexpr uint64_t kMaxSourceFiles = 1 << 16;       // of one unit
constexpr size_t kMaxSourceAddresses = 1 << 16;     // whose functions are remembered, of one file

// Notes of static probes: half a million probes are some 40 MB.
constexpr uint64_t kMaxNoteSectionBytes = 256 << 20;
constexpr size_t kMaxNoteSections = 16;  // of one name; linkers make one
constexpr size_t kMaxProbeSites = 1 << 20;
constexpr size_t kMaxProbesOfProvider = 1 << 14;

// Files of /proc that a process makes grow: its mappings, 100 bytes each.
constexpr uint64_t kMaxProcFileBytes = 64 << 20;

// Maps of JIT compilers.
constexpr uint64_t kMaxPerfMapBytes = 256 << 20;  // of one map: what lies behind is not read
constexpr uint64_t kMaxPerfMapLineBytes = 64 << 10;

// Limits on caches that grow with traced processes.
constexpr size_t kMaxHeldFiles = 128;                  // descriptors of files that nobody has read yet
constexpr size_t kMaxCachedObjects = 1024;             // files that no snapshot of a process names any more
constexpr uint64_t kMaxCachedSymbolBytes = 256 << 20;  // the file that was used last is kept in any case
constexpr size_t kMaxProcesses = 4096;
constexpr size_t kMaxRegions = 512 << 10;  // of all processes
constexpr size_t kMaxPerfMaps = 64;        // each an open descriptor

}  // namespace dtrace::limits
