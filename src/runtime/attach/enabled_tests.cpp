// SPDX-License-Identifier: Apache-2.0
#include "runtime/attach/enabled_tests.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fmt/format.h>

#include <cerrno>

#include "base/file_limit.h"
#include "base/printable.h"
#include "bpf/enabled_test.h"
#include "bpf/library.h"

namespace dtrace::runtime {
namespace {

// The kernel's ABI; Debian 12's header ends before it.
constexpr auto kTraceUprobeMulti = static_cast<bpf_attach_type>(48);  // BPF_TRACE_UPROBE_MULTI

}  // namespace

Result<uint64_t> cookie_of(const EnabledTest &test) {
  using Kind = UserOperand::Kind;
  const UserOperand &variable = test.variable;
  if (variable.kind == Kind::kUnavailable)
    return Error(variable.reason.empty() ? "the note does not say where the answer is read" : variable.reason);
  const bool is_place = variable.kind == Kind::kRegister || variable.kind == Kind::kConstant ||
                        variable.kind == Kind::kAddress || variable.kind == Kind::kMemory;
  const bool fits = variable.displacement >= INT32_MIN && variable.displacement <= INT32_MAX;
  if (!is_place || !fits || variable.index != UserOperand::kNoRegister || variable.shift_bits != 0)
    return Error("the note gives a location of the answer that is not supported");
  const bool has_base = variable.kind != Kind::kConstant && variable.base != UserOperand::kNoRegister;
  uint64_t cookie = has_base ? variable.base : DT_TEST_NO_REGISTER;
  if (variable.kind == Kind::kMemory) cookie |= DT_TEST_IN_MEMORY;
  if (variable.is_narrow || variable.size_bytes == 4) cookie |= DT_TEST_NARROW;
  if (variable.kind != Kind::kRegister)
    cookie |= static_cast<uint64_t>(static_cast<uint32_t>(static_cast<int32_t>(variable.displacement))) << 32;
  return cookie;
}

void EnabledTests::Close::operator()(bpf_object *object) const { bpf_object__close(object); }

Result<Unit> EnabledTests::load(bool multi) {
  if (object_) return ok();
  if (refusal_) return *refusal_;
  const std::span<const std::byte> image = enabled_test_object();
  LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "dt_enabled_test");
  std::unique_ptr<bpf_object, Close> object(bpf_object__open_mem(image.data(), image.size(), &opts));
  if (!object) return Error::from_errno("cannot read the program that answers", errno);
  bpf_program *program = bpf_object__find_program_by_name(object.get(), "enabled_test");
  if (multi) bpf_program__set_expected_attach_type(program, kTraceUprobeMulti);
  if (const int error = bpf_object__load(object.get()); error != 0) {
    // The verifier does not know the helper then; CAP_BPF and CAP_PERFMON, with which all else can be done, do not give
    // it.
    refusal_ = error == -EINVAL || error == -EPERM
                   ? Error(
                         "this kernel lets no program write to a process's memory (lockdown, or CAP_SYS_ADMIN is "
                         "missing)",
                         -error)
                   : Error::from_errno("the kernel refuses the program that answers", -error);
    return *refusal_;
  }
  object_ = std::move(object);
  return ok();
}

Result<Unit> EnabledTests::attach_in_file(const FileTests &tests, bool multi, UserLinks &links) {
  if (Result<Unit> loaded = load(multi); !loaded) return loaded;
  // The last are for other work; a file's own probes come before its tests.
  if (are_descriptors_scarce()) return Error("no file descriptor is left");
  ProgramPlan plan;
  plan.hook.target = UserInstructionHook();
  plan.multi = multi;
  SitesLeftOut left_out;
  const bpf_program *program = bpf_object__find_program_by_name(object_.get(), "enabled_test");
  Result<Unit> attached = attach_sites(*program, plan, tests.sites, links, left_out);
  if (attached && !left_out.instructions.empty())
    return Error("the kernel cannot probe the instruction in " + left_out.instructions.front());
  return attached;
}

void EnabledTests::report(const UserFile &file, const std::set<std::string> &probes, const std::string &why) {
  std::set<std::string> fresh;
  for (const std::string &probe : probes)
    if (unanswered_probes_.insert(file.path + '\n' + probe).second) fresh.insert(probe);
  if (fresh.empty()) return;
  const std::string path = printable(file.path);
  problems_.push_back(fresh.size() == 1
                          ? fmt::format("{}: the test whether {} is enabled stays false: {}", path, *fresh.begin(), why)
                          : fmt::format("{}: the tests whether {} and {} more probe{} are enabled stay false: {}", path,
                                        *fresh.begin(), fresh.size() - 1, fresh.size() == 2 ? "" : "s", why));
}

std::vector<EnabledTests::FileTests> EnabledTests::new_tests(std::span<const SitePlan> sites) {
  std::vector<FileTests> files;  // as they come
  std::map<const UserFile *, size_t> known;
  for (const auto &[site, site_cookie] : sites) {
    if (site.tests == nullptr) continue;
    Tried &tried = tried_[site.file];
    if (!tried.lists.emplace(site.tests, site.pid).second) continue;
    const auto [entry, is_new] = known.try_emplace(site.file.get(), files.size());
    if (is_new) files.push_back({site.file, {}});
    FileTests &file = files[entry->second];
    for (const EnabledTest &test : *site.tests) {
      if (tried.instructions.contains({test.offset, 0}) || !tried.instructions.emplace(test.offset, site.pid).second)
        continue;
      const Result<uint64_t> cookie = cookie_of(test);
      if (!cookie) {
        file.unread[cookie.error().text()].insert(test.probe);
        continue;
      }
      UserSite place;
      place.file = site.file;
      place.offset = test.offset;
      place.pid = site.pid;
      file.sites.push_back({std::move(place), *cookie});
      file.probes.insert(test.probe);
    }
  }
  return files;
}

void EnabledTests::attach(std::span<const SitePlan> sites, bool multi, UserLinks &links) {
  std::erase_if(tried_, [](const auto &entry) { return entry.first.expired(); });
  for (const FileTests &file : new_tests(sites)) {
    for (const auto &[why, probes] : file.unread) report(*file.file, probes, why);
    if (file.sites.empty()) continue;
    if (Result<Unit> done = attach_in_file(file, multi, links); !done)
      report(*file.file, file.probes, done.error().text());
  }
}

uint64_t EnabledTests::nr_unanswered() const {
  if (!object_) return 0;
  const uint32_t zero = 0;
  uint64_t count = 0;
  (void)bpf_map_lookup_elem(bpf_object__find_map_fd_by_name(object_.get(), "unanswered"), &zero, &count);
  bpf_prog_info info{};
  uint32_t size = sizeof info;
  const bpf_program *program = bpf_object__find_program_by_name(object_.get(), "enabled_test");
  if (bpf_prog_get_info_by_fd(bpf_program__fd(program), &info, &size) == 0) count += info.recursion_misses;
  return count;
}

}  // namespace dtrace::runtime
