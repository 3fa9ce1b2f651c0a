// SPDX-License-Identifier: Apache-2.0
#include "usdt/target.h"

#include <iterator>

namespace dtrace::usdt {
namespace {

struct MachineRow {
  std::string_view prefix;  ///< of a target triplet
  Target target;
};
constexpr MachineRow kMachines[] = {
    {"x86_64-", {true, false, EM_X86_64, 0, 0}},   {"amd64-", {true, false, EM_X86_64, 0, 0}},
    {"i386-", {false, false, EM_386, 0, 0}},       {"i486-", {false, false, EM_386, 0, 0}},
    {"i586-", {false, false, EM_386, 0, 0}},       {"i686-", {false, false, EM_386, 0, 0}},
    {"aarch64-", {true, false, EM_AARCH64, 0, 0}}, {"arm64-", {true, false, EM_AARCH64, 0, 0}},
    {"s390x-", {true, true, EM_S390, 0, 0}},       {"powerpc64le-", {true, false, EM_PPC64, 2, 0}},
};

/// The next word of a command line, taken off its front.
std::string_view take_word(std::string_view &line) {
  constexpr std::string_view kBlanks = " \t\r\n\\";
  const size_t begin = std::min(line.find_first_not_of(kBlanks), line.size());
  const size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

void apply_flags(std::string_view line, Target &target) {
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    if (word == "-m32") target = with_class(target, false);
    if (word == "-m64") target = with_class(target, true);
  }
}

const Target *target_of_triplet(std::string_view name) {
  for (const MachineRow &row : kMachines)
    if (name.starts_with(row.prefix)) return &row.target;
  return nullptr;
}

}  // namespace

Target host_target() {
#if defined(__x86_64__)
  return {true, false, EM_X86_64, 0, 0};
#elif defined(__aarch64__)
  return {true, false, EM_AARCH64, 0, 0};
#elif defined(__i386__)
  return {false, false, EM_386, 0, 0};
#else
#error "name the host's ELF machine here"
#endif
}

Target target_of_compiler(std::string_view compiler, std::string_view flags, Target fallback) {
  Target target = fallback;
  // The compiler need not be the first word: `ccache aarch64-linux-gnu-gcc`, `clang --target=aarch64-linux-gnu`.
  std::string_view rest = compiler;
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    std::string_view name = word.substr(word.rfind('/') + 1);
    if (word.starts_with("--target=")) name = word.substr(9);
    if (word == "-target") name = take_word(rest);
    if (const Target *named = target_of_triplet(name)) target = *named;
  }
  apply_flags(compiler, target);
  apply_flags(flags, target);
  return target;
}

Target with_class(Target target, bool is_64) {
  if (target.machine == EM_X86_64 && !is_64) target.machine = EM_386;
  if (target.machine == EM_386 && is_64) target.machine = EM_X86_64;
  target.is_64 = is_64;
  return target;
}

}  // namespace dtrace::usdt
