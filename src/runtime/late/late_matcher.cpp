// SPDX-License-Identifier: Apache-2.0
#include "runtime/late/late_matcher.h"

#include <bpf/bpf.h>
#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/beside.h"
#include "base/clock.h"
#include "bpf/dt_abi.h"
#include "plan/operand_row.h"
#include "runtime/load/enabling.h"
#include "runtime/probes/catalog.h"
#include "runtime/usdt/process_files.h"

namespace dtrace::runtime {

namespace {

bool is_user_place(const ValuePlan &value) {
  return value.kind == ValuePlan::Kind::kUserStack || value.kind == ValuePlan::Kind::kStack ||
         value.kind == ValuePlan::Kind::kUserSymbol;
}

bool is_gone(pid_t pid) {
  char word = 0;
  return readlink(fmt::format("/proc/{}/exe", pid).c_str(), &word, sizeof word) < 0;
}

}  // namespace

LateMatcher::LateMatcher(Catalog &catalog, Enabling &enabling, const FollowedProcesses *followed)
    : catalog_(catalog),
      enabling_(enabling),
      followed_(followed),
      cookies_(
          [this](uint32_t index, std::span<const UserOperand> operands) { return publish_operands(index, operands); }) {
  const Plan &plan = enabling.plan();
  for (const ClausePlan &clause : plan.clauses) {
    if (clause.may_grow) growing_.push_back(clause.index);
    for (const ActionPlan &action : clause.actions)
      records_user_places_ |= std::any_of(action.values.begin(), action.values.end(), is_user_place);
  }
  for (const AggregationPlan &aggregation : plan.aggregations)
    records_user_places_ |= std::any_of(aggregation.keys.begin(), aggregation.keys.end(), is_user_place);
  for (const ProgramPlan &program : plan.programs) {
    for (ProbeId id : program.probes) clauses_[id.value];
    if (growing_.empty()) continue;
    for (const SitePlan &site : program.sites) {
      const SiteCookie cookie = SiteCookie::unpacked(site.cookie);
      clauses_[cookie.probe] = program.rows.at(cookie.row);
      attached_.emplace(cookie.probe, site.site.file.get(), site.site.pid);
    }
    watch_unused(program.sites);
  }
}

/// What a program does with a probe's name, other than record it, needs the name in the kernel.
Result<Unit> LateMatcher::tell_names(ProbeId id) {
  const int map = enabling_.map_fd("dt_names");
  if (map < 0) return ok();
  const Probe &probe = catalog_.probe(id);
  dt_names names{};
  size_t kept = 0;  // of the first part that is cut
  auto put = [&](auto &to, const std::string &text) {
    const size_t bytes = std::min(text.size(), sizeof to - 1);
    std::memcpy(to, text.data(), bytes);
    if (bytes < text.size() && kept == 0) kept = bytes;
  };
  put(names.provider, probe.provider);
  put(names.module, probe.module);
  put(names.function, probe.function);
  put(names.name, probe.name);
  const auto unknown = [&] {
    return fmt::format("cannot pass the name of probe {} to running programs", probe.text());
  };
  if (bpf_map_update_elem(map, &id.value, &names, BPF_ANY) != 0) return Error::from_errno(unknown(), errno);
  if (kept != 0) return Error(fmt::format("{}: only the first {} characters of a part", unknown(), kept));
  return ok();
}

void LateMatcher::tell_names(const std::vector<ProbeId> &ids, std::vector<std::string> &problems) {
  std::string first;
  size_t untold = 0;
  for (ProbeId id : ids) {
    const Result<Unit> told = tell_names(id);
    if (!told && untold++ == 0) first = told.error().text();
  }
  if (untold > 1) first += fmt::format(" (and {} more)", untold - 1);
  if (untold > 0) problems.push_back(std::move(first));
}

Result<Unit> LateMatcher::wait_for(int fd) {
  epoll_event event{.events = EPOLLIN, .data = {.u64 = 0}};
  if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0) return ok();
  return Error::from_errno("cannot wait for new probes", errno);
}

Result<Unit> LateMatcher::watch_mappings(const std::vector<int> &cpus) {
  Result<MappingWatch> watch = MappingWatch::open(cpus);
  if (!watch) return std::move(watch).error();
  mappings_ = std::move(*watch);
  return wait_for(mappings_->poll_fd());
}

Result<Unit> LateMatcher::watch_modules(const std::string &tracefs, const std::vector<int> &cpus) {
  Result<ModuleWatch> watch = ModuleWatch::open(tracefs, cpus);
  if (!watch) return std::move(watch).error();
  modules_ = std::move(*watch);
  return wait_for(modules_->poll_fd());
}

std::vector<std::string> LateMatcher::start(const std::string &tracefs, const std::vector<int> &cpus) {
  last_look_ns_ = monotonic_ns();
  std::vector<std::string> problems;
  std::vector<ProbeId> known;
  for (const auto &[id, clauses] : clauses_) known.push_back(ProbeId{id});
  tell_names(known, problems);
  if (growing_.empty() && !records_user_places_) return problems;
  Catalog::Growth growth{.modules = false, .processes = records_user_places_};
  for (uint32_t index : growing_) {
    const Catalog::Growth one = catalog_.growth(enabling_.plan().clauses[index].desc);
    growth.modules |= one.modules;
    growth.processes |= one.processes;
  }
  epoll_ = Fd(epoll_create1(EPOLL_CLOEXEC));
  if (!epoll_) problems.push_back(Error::from_errno("cannot create an epoll instance", errno).text());
  const auto lose = [&](std::string_view what, const Result<Unit> &watches) {
    if (!watches) problems.push_back(fmt::format("{} will not be found: {}", what, watches.error().text()));
  };
  if (growth.processes) lose("probes of libraries loaded later", watch_mappings(cpus));
  if (growth.modules) lose("probes of kernel modules loaded later", watch_modules(tracefs, cpus));
  return problems;
}

Result<Unit> LateMatcher::hold_at_libraries(pid_t pid, bool multi) {
  if (!mappings_ || (growing_.empty() && !prepare_)) return ok();
  // What dynamic linkers call for debuggers, glibc's and musl's.
  const ProbeDesc desc{fmt::format("pid{}", pid), "ld-*", "_dl_debug_state", "entry"};
  std::vector<UserSite> sites;
  if (const Result<std::vector<ProbeId>> matched = catalog_.match(desc)) {
    for (const ProbeId id : *matched) {
      const ProbeHook &hook = catalog_.hook_now(id);
      sites.insert(sites.end(), hook.sites.begin(), hook.sites.end());
    }
  }
  if (sites.empty()) return ok();
  if (!linkers_) {
    Result<LinkerWait> linkers = LinkerWait::open(multi, followed_ != nullptr ? followed_->map_fd() : -1);
    if (!linkers) return std::move(linkers).error();
    if (Result<Unit> waits = wait_for(linkers->poll_fd()); !waits) return waits;
    linkers_ = std::move(*linkers);
  }
  tally_.note_waiter(pid);
  if (Result<Unit> before = end_hold(); !before) return before;
  // The kernel takes its time, which a start has other things to do in.
  holding_ = begin_beside([this, sites = std::move(sites)] { return linkers_->attach(sites); });
  return ok();
}

Result<Unit> LateMatcher::end_hold() {
  if (!holding_.valid()) return ok();
  const Result<Unit> attached = holding_.get();
  if (attached) linkers_->answer(monotonic_ns());
  return attached;
}

/// Probes of modules that went may come to be again, at other addresses.
void LateMatcher::forget_modules() {
  for (ProbeId id : catalog_.modules_changed()) {
    clauses_.erase(id.value);
    std::erase_if(attached_, [&](const Attached &one) { return std::get<0>(one) == id.value; });
  }
}

void LateMatcher::take_event(const MappingWatch::Event &event) {
  if (forgetting_ && forgetting_->inodes.contains(event.map.inode)) {
    forgetting_->held.push_back(event);
    return;
  }
  unseen_.pids.insert(event.pid);
  tally_.note_mapped({event.pid, event.map.inode, event.time_ns, std::string(object_name(event.map.path))});
  unmatched_.push_back(event);
}

void LateMatcher::take_news() {
  if (!mappings_) return;
  MappingWatch::News news = mappings_->take();
  if (!growing_.empty())
    for (const MappingWatch::Event &event : news.events)
      if (event.map.inode != 0) take_event(event);
  unseen_.pids.merge(news.pids);
  unseen_.lost |= news.lost;
  if (records_user_places_) std::move(news.events.begin(), news.events.end(), std::back_inserter(unseen_.events));
}

std::vector<MappingWatch::Event> LateMatcher::hear() {
  take_news();
  return std::exchange(unseen_.events, {});
}

std::map<std::string, LateTally::Late> LateMatcher::take_late(bool is_end) {
  if (linkers_ && is_end) tally_.note_waits(linkers_->take());
  if (is_end && forgetting_)
    for (const MappingWatch::Event &event : std::exchange(forgetting_->held, {}))
      tally_.note_unset(std::string(object_name(event.map.path)), monotonic_ns() - event.time_ns);
  return tally_.take(is_end);
}

LateMatcher::Outcome LateMatcher::update(std::optional<pid_t> changed, std::optional<pid_t> held) {
  Outcome outcome;
  uint64_t seen_ns = monotonic_ns();
  if (linkers_) {
    std::vector<LinkerWait::Request> waits = linkers_->take();
    for (const LinkerWait::Request &wait : waits) {
      // If the process was changing when it was last looked at, it was passed over; now it stands still.
      unseen_.pids.insert(wait.pid);
      // One that came since must be answered, too: nothing wakes us for it again.
      seen_ns = std::max(seen_ns, wait.time_ns);
    }
    tally_.note_waits(std::move(waits));
  }
  look(changed, held, outcome);
  if (prepare_ && (linkers_ || held)) prepare_(outcome.pids);
  if (linkers_) linkers_->answer(seen_ns);
  return outcome;
}

void LateMatcher::look(std::optional<pid_t> changed, std::optional<pid_t> held, Outcome &outcome) {
  const bool modules = modules_ && modules_->take();
  if (modules) forget_modules();
  end_forgetting();
  take_news();
  MappingWatch::News news;
  news.pids = std::exchange(unseen_.pids, {});
  news.lost = std::exchange(unseen_.lost, false);
  const uint64_t last_look_ns = std::exchange(last_look_ns_, monotonic_ns());
  if (news.lost && !growing_.empty()) tally_.note_unheard(last_look_ns);
  if (changed) news.pids.insert(*changed);
  // A lost notification may have been about any process.
  const std::vector<pid_t> pids = news.lost ? all_processes() : std::vector<pid_t>(news.pids.begin(), news.pids.end());
  outcome.pids.insert(pids.begin(), pids.end());
  if (growing_.empty()) return;
  if (followed_ != nullptr && linkers_)
    for (const pid_t pid : pids)
      if (followed_->contains(pid)) tally_.note_waiter(pid);
  catalog_.notice({pids, std::exchange(unmatched_, {}), news.lost});
  // All are asked before the first is matched, which answers for others of the same description.
  std::vector<uint32_t> concerned;
  const auto desc_of = [&](uint32_t index) -> const ProbeDesc & { return enabling_.plan().clauses[index].desc; };
  std::copy_if(growing_.begin(), growing_.end(), std::back_inserter(concerned), [&](uint32_t index) {
    return (modules && catalog_.growth(desc_of(index)).modules) ||
           std::any_of(pids.begin(), pids.end(), [&](pid_t pid) { return catalog_.follows(desc_of(index), pid); });
  });
  std::map<uint32_t, std::vector<uint32_t>> fresh;  // probe: clauses
  std::set<uint32_t> grown;
  for (uint32_t index : concerned) {
    Result<std::vector<ProbeId>> matched = catalog_.match(desc_of(index));
    if (!matched) continue;  // the process is gone, or is changing: there will be more notifications
    for (ProbeId id : *matched) {
      if (catalog_.open_definition(id)) continue;  // this kernel cannot derive it
      if (!clauses_.contains(id.value)) {
        fresh[id.value].push_back(index);
      } else if (catalog_.grew(id)) {
        grown.insert(id.value);
      }
    }
  }
  std::vector<ProbeId> unknown;
  for (auto &[id, clauses] : fresh) {
    clauses_.emplace(id, std::move(clauses));
    unknown.push_back(ProbeId{id});
    grown.insert(id);
  }
  tell_names(unknown, outcome.problems);
  std::map<uint32_t, std::vector<SitePlan>> sites;  // by program
  for (uint32_t id : grown) attach(ProbeId{id}, sites, outcome);
  for (auto &[program, list] : sites) {
    if (Result<Unit> attached = enabling_.attach_more(program, list); !attached)
      outcome.problems.push_back(attached.error().text());
    watch_unused(list);
    tally_.note_set(list, held, monotonic_ns(), enabling_.plan().programs[program].hook.family != 0);
  }
  tally_.end_look(monotonic_ns(), is_gone);
  begin_forgetting(outcome);
  std::ranges::move(catalog_.take_problems(), std::back_inserter(outcome.problems));
}

void LateMatcher::watch_unused(std::span<const SitePlan> sites) {
  const UserFile *last = nullptr;
  for (const SitePlan &site : sites)
    if (site.site.file && std::exchange(last, site.site.file.get()) != site.site.file.get())
      unused_.add(site.site.file);
}

void LateMatcher::begin_forgetting(Outcome &outcome) {
  if (forgetting_) return;
  std::set<const UserFile *> files = unused_.find(monotonic_ns());
  if (std::string problem = unused_.take_problem(); !problem.empty()) outcome.problems.push_back(std::move(problem));
  if (files.empty()) return;
  if (!forgotten_) {
    const auto event = std::make_shared<const Fd>(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!*event || !wait_for(event->get())) return;
    forgotten_ = event;
  }
  Forgetting &forgetting = forgetting_.emplace();
  for (const UserFile *file : files) forgetting.inodes.insert(file->inode);
  forgetting.files = std::move(files);
  enabling_.detach_from(forgetting.files, [event = forgotten_] { (void)eventfd_write(event->get(), 1); });
}

/// Unless nothing was being forgotten, or probes are still there.
void LateMatcher::end_forgetting() {
  eventfd_t ended = 0;
  if (!forgetting_ || eventfd_read(forgotten_->get(), &ended) != 0) return;
  Forgetting forgetting = *std::exchange(forgetting_, std::nullopt);
  std::erase_if(attached_, [&](const Attached &one) { return forgetting.files.contains(std::get<1>(one)); });
  catalog_.forget(forgetting.files);
  unused_.forget(forgetting.files);
  for (const MappingWatch::Event &event : forgetting.held) take_event(event);
}

bool LateMatcher::publish_operands(uint32_t index, std::span<const UserOperand> operands) {
  // A program that looks at no argument has no table.
  const int map = enabling_.map_fd("dt_operands");
  for (uint32_t i = 0; map >= 0 && i < std::min<size_t>(operands.size(), DT_MAX_OPERANDS); ++i) {
    const uint32_t key = index * DT_MAX_OPERANDS + i;
    const dt_operand row = row_of(operands[i]);
    if (bpf_map_update_elem(map, &key, &row, BPF_ANY) != 0) return false;
  }
  return true;
}

void LateMatcher::attach(ProbeId id, std::map<uint32_t, std::vector<SitePlan>> &sites, Outcome &outcome) {
  const ProbeHook &hook = catalog_.hook_now(id);
  const std::vector<ProgramPlan> &programs = enabling_.plan().programs;
  const auto program =
      std::find_if(programs.begin(), programs.end(), [&](const ProgramPlan &p) { return p.hook == hook.hook; });
  auto refuse = [&](std::string_view why) {
    outcome.problems.push_back(fmt::format("cannot trace {}: {}", catalog_.probe(id).text(), why));
  };
  if (program == programs.end()) return refuse("no probe like it was there when tracing began");

  const std::optional<std::vector<uint16_t>> rows = LateCookies::rows_of(*program, clauses_.at(id.value));
  if (!rows) return refuse("too many combinations of clauses");

  std::set<Attached> now;
  for (const UserSite &site : hook.sites) {
    const Attached key(id.value, site.file.get(), site.pid);
    if (attached_.contains(key)) continue;
    now.insert(key);
    uint32_t variant = site.variant;
    if (!hook.variants.empty()) {
      const std::optional<uint32_t> known = cookies_.variant_of(*program, hook.variants.at(variant));
      if (!known) return refuse("there is no room for the locations of its arguments");
      variant = *known;
    }
    for (uint16_t row : *rows)
      sites[static_cast<uint32_t>(program - programs.begin())].push_back(
          {site, SiteCookie{id.value, row, variant}.packed()});
  }
  attached_.merge(now);
}

}  // namespace dtrace::runtime
