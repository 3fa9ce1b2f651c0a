// SPDX-License-Identifier: Apache-2.0
#include "runtime/cgroups/cgroup_watch.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/cgroup_options.h"
#include "bpf/dt_cgroup.h"
#include "bpf/library.h"
#include "runtime/cgroups/cgroup_path.h"

namespace dtrace::runtime {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// Names are looked for soon after a cgroup was made, then ever more seldom.
constexpr milliseconds kFirstPause{2};
constexpr seconds kLongestPause{5};
/// A process that ends fires probes after it has left its cgroup's count, and the cgroup may be gone by then.
constexpr seconds kKeptAfterRemoval{3};

constexpr uint64_t bit(unsigned number) { return uint64_t{1} << number % 64; }

Result<Mapping> mapped(int map, size_t size_bytes) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t whole = (size_bytes + page - 1) / page * page;
  void *address = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
  if (address == MAP_FAILED) return Error::from_errno("cannot map what programs know of cgroups", errno);
  return Mapping(address, whole);
}

/// False: the text is too long.
template <size_t size_bytes>
bool put(char (&to)[size_bytes], std::string_view text) {
  if (text.size() >= size_bytes) return false;
  std::memcpy(to, text.data(), text.size());
  return true;
}

}  // namespace

void CgroupWatch::CloseObject::operator()(bpf_object *object) const { bpf_object__close(object); }
void CgroupWatch::CloseLink::operator()(bpf_link *link) const { bpf_link__destroy(link); }
void CgroupWatch::CloseRing::operator()(ring_buffer *ring) const { ring_buffer__free(ring); }

CgroupWatch::CgroupWatch(CgroupNames &names, const Plan &plan, const Options &options)
    : names_(names), plan_(plan), options_(options) {}
CgroupWatch::~CgroupWatch() = default;

Result<std::unique_ptr<CgroupWatch>> CgroupWatch::start(CgroupNames &names, const Plan &plan, const Options &options,
                                                        int table, int texts) {
  std::unique_ptr<CgroupWatch> watch(new CgroupWatch(names, plan, options));
  names.read_system();  // first of all where the hierarchy is
  if (Result<Unit> opened = watch->open(table, texts); !opened)
    return std::move(opened.error()).during("cannot watch cgroups");
  names.read_system();
  for (const auto &[id, cgroup] : names.all())
    if (!cgroup.is_gone) watch->publish(id);
  watch->late_ = 0;
  watch->update(true);
  return watch;
}

/// What the program can decide from a cgroup's path: comparisons with whole paths, and the filter if nothing but units
/// or nothing but paths make it.
void CgroupWatch::tell_what_is_wanted(std::vector<char> &texts, void *layout) {
  dt_cgroup_watch watch{};
  std::fill(std::begin(watch.inherited), std::end(watch.inherited), ~uint64_t{0});
  watch.inherited[0] &= ~bit(DT_CGROUP_SETTLED);
  size_t nr_wanted = 0;
  bool all_told = true;
  const auto want = [&](dt_cgroup_wanted_kind kind, std::string_view text, uint32_t number) {
    if (nr_wanted == DT_CGROUP_WANTED || text.size() >= DT_CGROUP_WANTED_BYTES) {
      all_told = false;
      return;
    }
    watch.wanted_kind[nr_wanted] = kind;
    watch.wanted_bit[nr_wanted] = number;
    std::memcpy(texts.data() + nr_wanted * DT_CGROUP_WANTED_BYTES, text.data(), text.size());
    ++nr_wanted;
  };
  for (size_t i = 0; i < plan_.cgroup_tests.size(); ++i) {
    const CgroupTest &test = plan_.cgroup_tests[i];
    const auto number = static_cast<uint32_t>(DT_CGROUP_TESTS + i);
    if (test.name != Variable::k_cgrouppath) {
      all_told = false;
      continue;
    }
    watch.inherited[number / 64] &= ~bit(number);
    want(DT_CGROUP_WANTED_PATH, test.text, number);
  }
  const auto nr_options = std::ranges::count_if(kCgroupOptions, [&](Opt option) { return options_.is_set(option); });
  const bool by_unit = options_.is_set(Opt::unit), by_path = options_.is_set(Opt::cgroup);
  if (nr_options == 1 && by_unit)
    for (const std::string &unit : options_.list(Opt::unit))
      want(DT_CGROUP_WANTED_NAME, unit_name(unit), DT_CGROUP_FILTER);
  if (nr_options == 1 && by_path)
    for (const std::string &path : options_.list(Opt::cgroup))
      want(DT_CGROUP_WANTED_PATH, cgroup_path_of(path, names_.hierarchy()), DT_CGROUP_FILTER);
  path_says_all_ = all_told && (nr_options == 0 || (nr_options == 1 && (by_unit || by_path)));
  watch.path_says_all = path_says_all_ ? 1 : 0;
  std::memcpy(layout, &watch, sizeof watch);
}

Result<Unit> CgroupWatch::open(int table, int texts) {
  texts_ = texts;
  const std::span<const std::byte> image = cgroup_watch_object();
  LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "dt_cgroups");
  object_.reset(bpf_object__open_mem(image.data(), image.size(), &opts));
  if (!object_) return Error::from_errno("cannot read the program that watches", errno);
  const auto map = [&](const char *name) { return bpf_object__find_map_by_name(object_.get(), name); };
  size_t layout_bytes = 0, wanted_bytes = 0;
  void *layout = bpf_map__initial_value(map(".rodata"), &layout_bytes);
  void *wanted = bpf_map__initial_value(map(".rodata.wanted"), &wanted_bytes);
  if (layout == nullptr || wanted == nullptr || layout_bytes < sizeof(dt_cgroup_watch))
    return Error("the program that watches has no layout");
  std::vector<char> text(wanted_bytes);
  tell_what_is_wanted(text, layout);
  std::memcpy(wanted, text.data(), text.size());
  bpf_map *const cgroups = map("cgroups");  // which takes another name when it becomes another map
  if (table >= 0)
    if (const int error = bpf_map__reuse_fd(cgroups, table); error != 0)
      return Error::from_errno("cannot share the table of cgroups", -error);
  if (const int error = bpf_object__load(object_.get()); error != 0)
    return Error::from_errno("the kernel refuses the program that watches", -error);
  Result<Mapping> entries = mapped(bpf_map__fd(cgroups), sizeof(dt_cgroup) * DT_CGROUP_SETS * DT_CGROUP_WAYS);
  if (!entries) return std::move(entries.error());
  table_ = std::move(*entries);
  Result<Mapping> globals = mapped(bpf_map__fd(map(".bss")), sizeof(uint64_t));
  if (!globals) return std::move(globals.error());
  globals_ = std::move(*globals);
  lost_events_ = static_cast<uint64_t *>(globals_.data());
  ring_.reset(ring_buffer__new(bpf_map__fd(map("events")), note_event, this, nullptr));
  if (!ring_) return Error::from_errno("cannot map a ring buffer", errno);
  for (const char *name : {"cgroup_born", "cgroup_gone"}) {
    bpf_link *link = bpf_program__attach(bpf_object__find_program_by_name(object_.get(), name));
    if (link == nullptr) return Error::from_errno("the kernel has no tracepoints of cgroups", errno);
    links_.emplace_back(link);
  }
  return ok();
}

int CgroupWatch::note_event(void *self, void *data, size_t size_bytes) {
  if (size_bytes < offsetof(dt_cgroup_event, path)) return 0;
  const auto *event = static_cast<const dt_cgroup_event *>(data);
  const size_t most = std::min<size_t>(event->path_bytes, size_bytes - offsetof(dt_cgroup_event, path));
  static_cast<CgroupWatch *>(self)->events_.push_back(
      {event->id, event->parent, event->is_removal != 0, std::string(event->path, strnlen(event->path, most))});
  return 0;
}

int CgroupWatch::poll_fd() const { return ring_buffer__epoll_fd(ring_.get()); }

CgroupWatch::Clock::time_point CgroupWatch::next() const {
  if (removed_.empty()) return next_look_;
  return std::min(next_look_, removed_.front().first + kKeptAfterRemoval);
}

void CgroupWatch::update(bool now) {
  (void)ring_buffer__consume(ring_.get());
  const Clock::time_point time = Clock::now();
  const uint64_t lost = __atomic_load_n(lost_events_, __ATOMIC_RELAXED);
  const std::vector<Event> events = std::exchange(events_, {});
  // A path that is too long for an event is read from the hierarchy.
  const bool is_behind = lost != std::exchange(known_lost_events_, lost) ||
                         std::ranges::any_of(events, [](const Event &event) { return event.path.empty(); });
  if (is_behind) {
    names_.read_system();
    for (const auto &[id, cgroup] : names_.all())
      if (!cgroup.is_gone) publish(id);
  }
  if (std::ranges::any_of(events, [](const Event &event) { return !event.is_removal; })) {
    names_.read_claims();
    pause_ = kFirstPause;
    now = true;
  }
  for (const Event &event : events) {
    if (event.is_removal) {
      names_.gone(event.id);
      removed_.emplace_back(time, event.id);
    } else if (!event.path.empty()) {
      names_.born(event.id, event.path, event.parent);
      publish(event.id);
    }
  }
  forget(time - kKeptAfterRemoval);
  if (!now && time < next_look_) return;
  for (const uint64_t id : names_.look_again()) publish(id);
  pause_ = std::clamp<Clock::duration>(pause_ * 2, kFirstPause, kLongestPause);
  next_look_ = names_.has_unnamed() ? time + pause_ : Clock::time_point::max();
}

// ---------------------------------------------------------------- entries

std::span<dt_cgroup> CgroupWatch::set_of(uint64_t id) {
  return {static_cast<dt_cgroup *>(table_.data()) + size_t{dt_cgroup_set(id)} * DT_CGROUP_WAYS, DT_CGROUP_WAYS};
}

dt_cgroup *CgroupWatch::entry_of(uint64_t id, bool make) {
  for (dt_cgroup &entry : set_of(id))
    if (__atomic_load_n(&entry.id, __ATOMIC_ACQUIRE) == id) return &entry;
  if (!make) return nullptr;
  for (dt_cgroup &entry : set_of(id)) {
    __u64 free = 0;
    if (__atomic_compare_exchange_n(&entry.id, &free, id, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return &entry;
    if (free == id) return &entry;  // the program was quicker
  }
  ++nr_without_entry_;
  return nullptr;
}

void CgroupWatch::publish(uint64_t id) {
  publish_text(id);
  const CgroupNames::Cgroup *cgroup = names_.find(id);
  dt_cgroup *entry = cgroup == nullptr ? nullptr : entry_of(id, true);
  if (entry == nullptr) return;
  uint64_t bits[DT_CGROUP_WORDS] = {};
  const auto set = [&](unsigned number, bool is_so) { bits[number / 64] |= is_so ? bit(number) : 0; };
  set(DT_CGROUP_SETTLED, cgroup->is_settled || path_says_all_);
  set(DT_CGROUP_INSIDE, !cgroup->id.empty());
  set(DT_CGROUP_FILTER, names_.is_wanted(*cgroup, options_));
  for (size_t i = 0; i < plan_.cgroup_tests.size(); ++i) {
    const CgroupTest &test = plan_.cgroup_tests[i];
    set(DT_CGROUP_TESTS + static_cast<unsigned>(i), names_.text(id, test.name) == test.text);
  }
  constexpr uint64_t kNoAnswers = bit(DT_CGROUP_SETTLED) | bit(DT_CGROUP_INSIDE);
  bool differs = false;
  for (size_t word = DT_CGROUP_WORDS; word-- > 0;) {
    const uint64_t before = __atomic_exchange_n(&entry->bits[word], bits[word], __ATOMIC_SEQ_CST);
    differs |= ((before ^ bits[word]) & (word == 0 ? ~kNoAnswers : ~uint64_t{0})) != 0;
  }
  const bool is_settled = (bits[0] & bit(DT_CGROUP_SETTLED)) != 0;
  if (!differs && !is_settled) return;
  const uint64_t asked = __atomic_exchange_n(&entry->asked, 0, __ATOMIC_SEQ_CST);
  if (differs) late_ += asked;
}

void CgroupWatch::publish_text(uint64_t id) {
  if (texts_ < 0) return;
  dt_cgroup_names names{};
  const bool fits = put(names.path, names_.text(id, Variable::k_cgrouppath)) &&
                    put(names.container, names_.text(id, Variable::k_container)) &&
                    put(names.pod, names_.text(id, Variable::k_pod)) &&
                    put(names.zone, names_.text(id, Variable::k_zonename));
  // Without an entry the programs count what they ask for.
  if (!fits || bpf_map_update_elem(texts_, &id, &names, BPF_ANY) != 0) (void)bpf_map_delete_elem(texts_, &id);
}

void CgroupWatch::forget(Clock::time_point until) {
  for (; !removed_.empty() && removed_.front().first <= until; removed_.pop_front()) {
    const uint64_t id = removed_.front().second;
    if (texts_ >= 0) (void)bpf_map_delete_elem(texts_, &id);
    if (dt_cgroup *entry = entry_of(id, false)) __atomic_store_n(&entry->id, 0, __ATOMIC_RELEASE);
  }
}

}  // namespace dtrace::runtime
