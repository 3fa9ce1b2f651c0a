// SPDX-License-Identifier: Apache-2.0
#include "runtime/process/hold_point.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "base/owned.h"
#include "base/processor_breakpoints.h"
#include "base/read_file.h"
#include "runtime/foreign/process_maps.h"
#include "runtime/symbols/elf_symbols.h"

namespace dtrace::runtime {

namespace {

struct Name {
  std::string_view text;
  EvalTime when;
};
constexpr Name kNames[] = {
    {"exec", EvalTime::kExec},
    {"preinit", EvalTime::kPreinit},
    {"postinit", EvalTime::kPostinit},
    {"main", EvalTime::kMain},
};

// A program may exec another one before its hold point; one that does so for ever is left where it is.
constexpr int kMaxExecs = 64;
constexpr int kMaxLinkerStops = 1000;

/// What the kernel told the new image about itself.
struct Image {
  bool is_64bit = true;
  uint64_t entry = 0;
  uint64_t linker_base = 0;  // 0: static
};

Result<Image> read_image(pid_t pid) {
  const std::string folder = fmt::format("/proc/{}", pid);
  const std::string exe = folder + "/exe";
  const Fd fd(::open(exe.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return Error::from_errno(exe, errno);
  unsigned char ident[EI_NIDENT] = {};
  if (::pread(fd.get(), ident, sizeof(ident), 0) != sizeof(ident)) return Error(exe + ": too short");

  Image image;
  image.is_64bit = ident[EI_CLASS] == ELFCLASS64;
  const Result<std::string> auxv = read_file(folder + "/auxv");
  if (!auxv) return auxv.error();

  const size_t word = image.is_64bit ? 8 : 4;
  const auto value_at = [&](size_t at) {
    uint64_t value = 0;
    std::memcpy(&value, auxv->data() + at, word);  // little-endian, as both architectures are
    return value;
  };
  for (size_t at = 0; at + 2 * word <= auxv->size(); at += 2 * word) {
    const uint64_t type = value_at(at);
    if (type == AT_NULL) break;
    if (type == AT_ENTRY) image.entry = value_at(at + word);
    if (type == AT_BASE) image.linker_base = value_at(at + word);
  }
  if (image.entry == 0) return Error(folder + "/auxv: no AT_ENTRY");
  return image;
}

/// Symbols of one mapped object and where it lies.
struct MappedObject {
  ElfSymbols symbols;
  uint64_t bias;  // process address minus file address
};

/// The object that is mapped at `address`.
std::optional<MappedObject> object_at(pid_t pid, const std::vector<MapEntry> &maps, uint64_t address,
                                      const ElfOptions &options) {
  const MapEntry *map = find_map(maps, address);
  if (map == nullptr || !map->is_file()) return std::nullopt;
  const Result<Fd> file = open_mapped_file(pid, *map);
  if (!file) return std::nullopt;
  Result<ElfSymbols> symbols = ElfSymbols::read(file->get(), map->path, options);
  if (!symbols) return std::nullopt;
  const std::optional<uint64_t> bias = symbols->load_bias(map->start, map->offset, map->executable);
  if (!bias) return std::nullopt;
  return MappedObject{std::move(*symbols), *bias};
}

std::vector<uint64_t> addresses_of(const MappedObject &object, std::string_view name) {
  std::vector<uint64_t> addresses;
  for (const ElfSymbol &symbol : object.symbols.by_name(name)) {
    if (symbol.type == ElfSymbolType::kObject) continue;
    const uint64_t address = symbol.address + object.bias;
    if (addresses.empty() || addresses.back() != address) addresses.push_back(address);
  }
  return addresses;
}

const ElfOptions kNoDebugFiles{""};

constexpr uint32_t kListIsConsistent = 0;  // r_debug.r_state, <link.h>

/// The dynamic linker calls an empty function for debuggers whenever its list of objects changes; the list is complete,
/// and no constructor has run, when r_state says "consistent".
struct Rendezvous {
  std::vector<uint64_t> stops;  // the function
  uint64_t state = 0;           // where r_state is
};

Rendezvous rendezvous_of(pid_t pid, const std::vector<MapEntry> &maps, const Image &image) {
  Rendezvous found;
  const std::optional<MappedObject> linker = object_at(pid, maps, image.linker_base, kNoDebugFiles);
  if (!linker) return found;
  found.stops = addresses_of(*linker, "_dl_debug_state");
  const std::vector<ElfSymbol> list = linker->symbols.by_name("_r_debug");
  if (!list.empty()) found.state = list.front().address + linker->bias + (image.is_64bit ? 24 : 12);
  return found;
}

/// Walks one image to the hold point. Each step returns nothing when the image is no more (exec, exit).
class Walk {
 public:
  Walk(Tracee &tracee, pid_t pid, const Image &image) : tracee_(tracee), pid_(pid), image_(image) {}

  /// True: the process is at `address`. False: it exec'd or is gone, see stop().
  Result<bool> to_any(const std::vector<uint64_t> &addresses);
  Result<bool> to_entry();
  Result<std::optional<EvalTime>> to(EvalTime when);
  Tracee::Stop stop() const { return stop_; }

 private:
  Result<std::optional<EvalTime>> to_preinit();
  Result<std::optional<EvalTime>> to_main();
  std::vector<uint64_t> start_main_addresses(const std::vector<MapEntry> &maps) const;

  Tracee &tracee_;
  pid_t pid_;
  const Image &image_;
  Tracee::Stop stop_ = Tracee::Stop::kExec;
};

Result<bool> Walk::to_any(const std::vector<uint64_t> &addresses) {
  Result<Tracee::Stop> stop = tracee_.run_to(addresses);
  if (!stop) return std::move(stop).error();
  stop_ = *stop;
  return stop_ == Tracee::Stop::kBreakpoint;
}

Result<bool> Walk::to_entry() {
  const Result<uint64_t> pc = tracee_.program_counter();
  if (pc && *pc == image_.entry) return true;
  return to_any({image_.entry});
}

Result<std::optional<EvalTime>> Walk::to(EvalTime when) {
  switch (when) {
    case EvalTime::kExec:
      return std::optional(EvalTime::kExec);
    case EvalTime::kPreinit:
      return to_preinit();
    case EvalTime::kPostinit:
      break;
    case EvalTime::kMain:
      return to_main();
  }
  const Result<bool> arrived = to_entry();
  if (!arrived) return arrived.error();
  return *arrived ? std::optional(EvalTime::kPostinit) : std::nullopt;
}

Result<std::optional<EvalTime>> Walk::to_preinit() {
  if (image_.linker_base == 0) return std::optional(EvalTime::kExec);

  const Result<ProcessMaps> maps = read_process_maps(pid_);
  if (!maps) return maps.error();
  auto [stops, state] = rendezvous_of(pid_, maps->maps, image_);
  if (stops.empty()) return to(EvalTime::kPostinit);
  stops.push_back(image_.entry);

  for (int i = 0; i < kMaxLinkerStops; i++) {
    const Result<bool> arrived = to_any(stops);
    if (!arrived) return arrived.error();
    if (!*arrived) return std::optional<EvalTime>();
    const Result<uint64_t> pc = tracee_.program_counter();
    if (!pc) return pc.error();
    if (*pc == image_.entry) return std::optional(EvalTime::kPostinit);
    // Without the list we cannot tell: musl calls the function once, when all is mapped.
    if (state == 0) return std::optional(EvalTime::kPreinit);
    const Result<uint32_t> value = tracee_.read_u32(state);
    if (!value) return value.error();
    if (*value == kListIsConsistent) return std::optional(EvalTime::kPreinit);

    const Result<Tracee::Stop> stepped = tracee_.step();
    if (!stepped) return stepped.error();
    stop_ = *stepped;
    if (stop_ != Tracee::Stop::kBreakpoint) return std::optional<EvalTime>();
  }
  return to(EvalTime::kPostinit);
}

/// __libc_start_main in whatever is mapped: libc.so.6, or the linker itself with musl.
std::vector<uint64_t> Walk::start_main_addresses(const std::vector<MapEntry> &maps) const {
  for (const MapEntry &map : maps) {
    if (!map.executable || !map.is_file()) continue;
    const std::optional<MappedObject> object = object_at(pid_, maps, map.start, kNoDebugFiles);
    if (!object) continue;
    if (std::vector<uint64_t> found = addresses_of(*object, "__libc_start_main"); !found.empty()) return found;
  }
  return {};
}

Result<std::optional<EvalTime>> Walk::to_main() {
  Result<bool> arrived = to_entry();
  if (!arrived) return arrived.error();
  if (!*arrived) return std::optional<EvalTime>();

  const Result<ProcessMaps> maps = read_process_maps(pid_);
  if (!maps) return maps.error();
  std::vector<uint64_t> mains;
  if (const std::optional<MappedObject> program = object_at(pid_, maps->maps, image_.entry, {})) {
    mains = addresses_of(*program, "main");
  }
  if (mains.empty() && image_.is_64bit && image_.linker_base != 0) {
    const std::vector<uint64_t> start_main = start_main_addresses(maps->maps);
    if (start_main.empty()) return std::optional(EvalTime::kPostinit);
    arrived = to_any(start_main);
    if (!arrived) return arrived.error();
    if (!*arrived) return std::optional<EvalTime>();
    const Result<uint64_t> argument = tracee_.first_argument();
    if (!argument) return argument.error();
    const MapEntry *map = find_map(maps->maps, *argument);
    if (map == nullptr || !map->executable) return std::optional(EvalTime::kPostinit);
    mains = {*argument};
  }
  if (mains.empty()) return std::optional(EvalTime::kPostinit);
  arrived = to_any(mains);
  if (!arrived) return arrived.error();
  return *arrived ? std::optional(EvalTime::kMain) : std::nullopt;
}

}  // namespace

std::optional<EvalTime> parse_evaltime(std::string_view text) {
  const auto it = std::find_if(std::begin(kNames), std::end(kNames), [text](const Name &n) { return n.text == text; });
  if (it == std::end(kNames)) return std::nullopt;
  return it->when;
}

std::string_view evaltime_name(EvalTime when) {
  return std::find_if(std::begin(kNames), std::end(kNames), [when](const Name &n) { return n.when == when; })->text;
}

Result<EvalTime> run_to_hold_point(Tracee &tracee, pid_t pid, EvalTime when) {
  if (when == EvalTime::kExec) return when;
  for (int execs = 0; execs < kMaxExecs; execs++) {
    const Result<Image> image = read_image(pid);
    if (!image) return image.error();
    Walk walk(tracee, pid, *image);
    const Result<std::optional<EvalTime>> arrived = walk.to(when);
    if (!arrived) return arrived.error();
    if (*arrived) return **arrived;
    if (walk.stop() == Tracee::Stop::kGone) return when;
  }
  return EvalTime::kExec;
}

Result<Unit> follow_linker(Tracee &tracee, pid_t pid, const std::function<void(bool is_complete)> &mapped) {
  const Result<Image> image = read_image(pid);
  if (!image) return image.error();
  if (image->linker_base == 0) return ok();
  const Result<ProcessMaps> maps = read_process_maps(pid);
  if (!maps) return maps.error();
  const MapEntry *first = find_map(maps->maps, image->linker_base);
  if (first == nullptr) return ok();
  const auto in_linker = [&](uint64_t pc) {
    const MapEntry *map = find_map(maps->maps, pc);
    return map != nullptr && map->inode == first->inode && map->path == first->path;
  };
  const auto [stops, state] = rendezvous_of(pid, maps->maps, *image);
  // A breakpoint in memory would hide behind a probe at the same address.
  const bool has_breakpoint =
      stops.size() == 1 && state != 0 && processor_breakpoints_fire() && tracee.set_processor_breakpoints(stops);

  for (bool is_mapped = false; !is_mapped;) {
    const Result<Tracee::Stop> stop = tracee.run_to_system_call();
    if (!stop) return stop.error();
    if (*stop == Tracee::Stop::kGone || *stop == Tracee::Stop::kExec) return ok();
    if (*stop == Tracee::Stop::kBreakpoint) {
      const Result<uint32_t> value = tracee.read_u32(state);
      if (!value) return value.error();
      is_mapped = *value == kListIsConsistent;
    } else {
      const Result<uint64_t> pc = tracee.program_counter();
      if (!pc) return pc.error();
      is_mapped = !in_linker(*pc);
    }
    mapped(is_mapped);
  }
  return has_breakpoint ? tracee.set_processor_breakpoints({}) : ok();
}

}  // namespace dtrace::runtime
