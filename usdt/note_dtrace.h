// SPDX-License-Identifier: Apache-2.0
// .note.dtrace: what a program's file says about its own USDT providers. The sites themselves are .note.stapsdt notes,
// which every tracer reads; this section adds what those cannot say: declared and translated types, parameter names,
// stability, and which sites are stubs.
//
// The section is SHT_NOTE, not allocated, so it costs a running program nothing, and `strip` keeps it. Both the header
// of `dtrace -h` and the object of `dtrace -G` carry the provider notes, each in a COMDAT group named after its
// content; so a linked file has one of each content, and two for one provider only if two definition files of that
// provider were used. `ld -r` with --force-group-allocation, or a linker without COMDAT groups, may leave equal copies.
//
// Layout. Numbers have the file's byte order and are not aligned beyond what is said. "string" is bytes up to and with
// a NUL. A reader skips what it does not know: notes of other types, records of other kinds, and the bytes that are
// left in a record after the fields below.
//
//   note       u32 namesz = 7, u32 descsz, u32 type, "dtrace\0" and one byte of padding, descriptor, padding to 4
//              (notes begin at multiples of 4 within the section; descsz is without the padding)
//
//   type 1     provider
//     u16      version: 1. A reader that knows only 1 ignores a note of another version: the layout has then changed in
//              ways that skipping does not cover.
//     u16      flags: 0
//     u8[15]   attributes of provider, module, function, name, args, in this order; each is name stability, data
//              stability (enum Stability), dependency class (enum DependencyClass)
//     u8       0
//     string   the provider's name, without a pid
//     records up to the end of the descriptor, each: u16 kind, u16 length, then `length` bytes
//       kind 1 probe
//         u16      flags: bit 0, the declaration has a second list (translated arguments); without it args[] are the
//                  native arguments in their order, and the second count is 0
//         u16      count of native arguments
//         u16      count of translated arguments
//         string   the probe's name as in C, with `__` for `-`
//         native arguments, each: string type, string parameter name (may be empty)
//         translated arguments, each: string type, string parameter name (may be empty), u16 index of the native one
//       kind 2 definition
//         string   a C declaration with its `;`: a structure, union, enumeration or typedef that argument types use.
//                  What the program's author wrote into the definition file: a hint at the layout that the program was
//                  built with, never a proof of it
//
//   type 2     test: the program asks whether a probe is enabled. A probe without any site has only tests: it
//              never fires, but enabling it makes the test true
//     address  of an instruction that is never executed; a tracer sets a probe there, which raises the semaphore.
//     Before
//              any adjustment by .stapsdt.base; 0 or a linker's tombstone: discarded
//     address  the semaphore
//     string   the provider's name
//     string   the probe's name, with `__` for `-`
//     u8       count of native arguments
//     address  in the function that asks; not there in notes of -G and of older headers
//
//   type 3     stub: the site is in a call stub that -G made for an object built for Solaris (`__dtrace_P___N`); the
//              probe's function is that of the return address
//     address  the site's pc, equal to the pc field of its .note.stapsdt note (before any adjustment by
//              .stapsdt.base); 4 bytes in ELFCLASS32, 8 in ELFCLASS64. 0 or a linker's tombstone: discarded
//
// Type names are spelled as usdt/provider.h says. Strings are not bounded by the format: a record is at most 65535
// bytes long; what does not fit was an error for -h and -G (probe) or left out (definition).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "usdt/provider.h"

namespace dtrace::usdt {

inline constexpr std::string_view kNoteSection = ".note.dtrace";
/// With its NUL: the name field of every note of ours.
inline constexpr std::string_view kNoteName{"dtrace\0", 7};
inline constexpr uint16_t kNoteVersion = 1;

enum class NoteType : uint32_t { kProvider = 1, kTest = 2, kStub = 3 };
enum class RecordKind : uint16_t { kProbe = 1, kDefinition = 2 };
inline constexpr uint16_t kProbeIsTranslated = 1;

/// Takes a note's fields in order. One implementation makes bytes (-G), the other assembler directives (-h): the
/// compiler's assembler then knows the byte order.
class NoteSink {
 public:
  virtual ~NoteSink() = default;
  virtual void u8(uint8_t value) = 0;
  virtual void u16(uint16_t value) = 0;
  virtual void u32(uint32_t value) = 0;
  /// The text and a NUL.
  virtual void string(std::string_view text) = 0;
  virtual void bytes(std::string_view raw) = 0;
};

/// The whole note of type 1, padding included: a multiple of 4 bytes.
/// Errors: none; first_oversized_probe() says beforehand whether every probe fits its record.
void write_provider_note(const Provider &provider, NoteSink &sink);

/// Does the record of each probe fit 65535 bytes? If not, the name of the first that does not; else empty.
std::string_view first_oversized_probe(const Provider &provider);

/// The COMDAT group's name: equal for equal content, for -h and -G alike.
std::string note_signature(const Provider &provider);

}  // namespace dtrace::usdt
