// SPDX-License-Identifier: Apache-2.0
// iter:vmlinux:OBJECT:WHEN fires for each object of a kind that there is: each task, open file or socket. WHEN is
// at-begin, at-end or every-RATE. iter:::WHEN-done fires once when all walks of that time are done.
//
// The kernel's iterators (bpf_iter_*) make the walk in dtrace's own thread, so that pid, execname and the like are
// those of dtrace; the object is in args[]. They show what the process that opens them may see: the tasks of its pid
// namespace, the sockets of its network namespace. A kernel without an iterator lacks its probes.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/text/glob.h"
#include "frontend/types/btf.h"
#include "runtime/kernel/kernel_info.h"
#include "runtime/probes/provider.h"
#include "runtime/probes/providers/rate.h"

namespace dtrace::runtime {
namespace {

struct Walked {
  std::string_view object, table;  ///< in D, and in the kernel
};
// Their order decides the probes' numbers: new rows at the end.
constexpr Walked kWalked[] = {
    {"task", "task"},         {"file", "task_file"},    {"vma", "task_vma"},    {"tcp", "tcp"},
    {"udp", "udp"},           {"unix", "unix"},         {"netlink", "netlink"}, {"bpf-map", "bpf_map"},
    {"bpf-prog", "bpf_prog"}, {"bpf-link", "bpf_link"}, {"slab", "kmem_cache"}, {"dmabuf", "dmabuf"},
};
constexpr std::string_view kDone = "-done", kEvery = "every-";
constexpr std::string_view kListed[] = {"at-begin", "at-end", "every-1s", "every-10s"};
constexpr int64_t kShortestWalkPeriodNs = 1'000'000;

struct WalkTime {
  WalkHook::When when = WalkHook::When::kBegin;
  uint64_t period_ns = 0;
  bool done = false;  ///< at the end of the walks of that time
};

std::optional<WalkTime> parse_time(std::string_view name) {
  WalkTime time;
  if (name.ends_with(kDone)) {
    time.done = true;
    name.remove_suffix(kDone.size());
  }
  if (name == "at-begin") return time;
  time.when = WalkHook::When::kEnd;
  if (name == "at-end") return time;
  time.when = WalkHook::When::kEvery;
  if (!name.starts_with(kEvery)) return std::nullopt;
  const std::optional<int64_t> period = period_of_rate(name.substr(kEvery.size()), kShortestWalkPeriodNs);
  if (!period) return std::nullopt;
  time.period_ns = static_cast<uint64_t>(*period);
  return time;
}

class IterProvider final : public Provider {
 public:
  explicit IterProvider(KernelInfo &kernel) : kernel_(kernel) {}

  std::string_view name() const override { return "iter"; }
  ProviderAttributes attributes() const override {
    constexpr Attributes kEvolving{Stability::kEvolving, Stability::kEvolving, DependencyClass::kCommon};
    constexpr Attributes kPrivate{Stability::kPrivate, Stability::kPrivate, DependencyClass::kUnknown};
    constexpr Attributes kPrivateIsa{Stability::kPrivate, Stability::kPrivate, DependencyClass::kIsa};
    return {kEvolving, kPrivate, kEvolving, kEvolving, kPrivateIsa};
  }
  Result<Unit> list(const ProbeDesc &want, ProbeSink &sink) override;
  Absence why_absent(const ProbeDesc &desc) override;
  Result<std::vector<ProbeArg>> args(const Probe &probe, TypeTable &types) override;
  ProbeHook hook(const Probe &probe) override;

 private:
  /// What the kernel calls for each object of a table, less the walk's own parameter. Empty: it has no such iterator.
  std::vector<BtfIndex::RawParam> parameters(std::string_view table);
  uint32_t resolved(uint32_t type);

  KernelInfo &kernel_;
};

std::vector<BtfIndex::RawParam> IterProvider::parameters(std::string_view table) {
  const BtfIndex *btf = kernel_.btf();
  if (btf == nullptr) return {};
  const std::optional<uint32_t> id = btf->find("bpf_iter_" + std::string(table), BtfIndex::Kind::kFunc);
  const std::optional<BtfIndex::Record> function = id ? btf->record(*id) : std::nullopt;
  if (!function) return {};
  std::vector<BtfIndex::RawParam> all = btf->params(function->size_or_type);
  if (!all.empty()) all.erase(all.begin());
  return all;
}

/// A type without its typedefs and qualifiers.
uint32_t IterProvider::resolved(uint32_t type) {
  using Kind = BtfIndex::Kind;
  constexpr int kMaxSteps = 32;
  for (int i = 0; i < kMaxSteps; i++) {
    const std::optional<BtfIndex::Record> record = kernel_.btf()->record(type);
    const bool is_other_name = record && (record->kind == Kind::kTypedef || record->kind == Kind::kConst ||
                                          record->kind == Kind::kVolatile || record->kind == Kind::kTypeTag);
    if (!is_other_name) break;
    type = record->size_or_type;
  }
  return type;
}

Result<Unit> IterProvider::list(const ProbeDesc &want, ProbeSink &sink) {
  if (!field_match(want.module, "vmlinux") && !field_match(want.module, "")) return ok();
  std::vector<std::string> names(std::begin(kListed), std::end(kListed));
  // A rate that is not in the list exists as soon as somebody names it.
  const bool is_listed = std::ranges::any_of(names, [&](const std::string &listed) {
    return field_match(want.name, listed) || field_match(want.name, listed + std::string(kDone));
  });
  const std::optional<WalkTime> named = is_listed ? std::nullopt : parse_time(want.name);
  if (!is_listed && !named) return ok();

  uint32_t ordinal = 0;
  const auto offer = [&](std::string_view module, std::string_view object, std::string_view suffix) {
    for (const std::string &listed : names) {
      const std::string name = listed + std::string(suffix);
      if (field_match(want.name, name)) sink.offer(ordinal, module, object, name);
      ++ordinal;
    }
    if (named && named->done == !suffix.empty()) sink.offer(ProbeSink::kOnDemand, module, object, want.name);
  };
  if (field_match(want.function, ""))
    offer("", "", kDone);
  else
    ordinal += static_cast<uint32_t>(names.size());
  for (const Walked &walked : kWalked) {
    if (field_match(want.module, "vmlinux") && field_match(want.function, walked.object) &&
        !parameters(walked.table).empty())
      offer("vmlinux", walked.object, "");
    else
      ordinal += static_cast<uint32_t>(names.size());
  }
  return ok();
}

Absence IterProvider::why_absent(const ProbeDesc &desc) {
  if (kernel_.btf() == nullptr)
    return {fmt::format("the kernel's iterators are known by its type information (BTF): {}", kernel_.btf_error()),
            true};
  if (!desc.name.empty() && !is_glob(desc.name) && !parse_time(desc.name))
    return {
        "a walk is made at-begin, at-end or every-1ms, every-10s and so on; at-begin-done and the like fire when it is "
        "done",
        true};
  if (desc.function.empty() || is_glob(desc.function)) return {};
  const auto *walked = std::ranges::find(kWalked, desc.function, &Walked::object);
  if (walked == std::end(kWalked)) {
    std::string objects;
    for (const Walked &known : kWalked) objects += fmt::format("{}{}", objects.empty() ? "" : ", ", known.object);
    return {fmt::format("what can be walked is {}", objects), true};
  }
  if (parameters(walked->table).empty())
    return {fmt::format("this kernel has no iterator bpf_iter_{}", walked->table), true};
  return {"-done is a probe of all walks of a time: leave the function empty (iter:::at-end-done)", true};
}

Result<std::vector<ProbeArg>> IterProvider::args(const Probe &probe, TypeTable &types) {
  std::vector<ProbeArg> args;
  const auto *walked = std::ranges::find(kWalked, probe.function, &Walked::object);
  if (walked == std::end(kWalked)) return args;
  for (const BtfIndex::RawParam &param : parameters(walked->table)) {
    const TypeId type = types.from_btf(*kernel_.btf(), param.type);
    args.push_back({type, type, static_cast<unsigned>(args.size())});
    args.back().name = param.name;
  }
  return args;
}

ProbeHook IterProvider::hook(const Probe &probe) {
  using Kind = BtfIndex::Kind;
  ProbeHook hook;
  WalkHook walk;
  const std::optional<WalkTime> time = parse_time(probe.name);
  if (time) {
    walk.when = time->when;
    walk.period_ns = time->period_ns;
  }
  const auto *walked = std::ranges::find(kWalked, probe.function, &Walked::object);
  if (walked != std::end(kWalked)) {
    walk.table = walked->table;
    walk.words = 1;
    for (const BtfIndex::RawParam &param : parameters(walked->table)) {
      const uint32_t type = resolved(param.type);
      const BtfIndex *btf = kernel_.btf();
      const std::optional<BtfIndex::Record> record = btf->record(type);
      // The last pointer is the object; what is before it belongs to the object, too.
      if (record && record->kind == Kind::kPtr) walk.object = walk.words;
      const std::optional<BtfIndex::RawInt> number = btf->integer(type);
      const auto bytes = static_cast<uint8_t>(number ? record->size_or_type : 8);
      hook.args.push_back({ArgSource::Kind::kContextWord, walk.words, bytes, number && number->is_signed});
      ++walk.words;
    }
  }
  hook.hook.target = walk;
  return hook;
}

}  // namespace

std::unique_ptr<Provider> make_iter_provider(KernelInfo &kernel) { return std::make_unique<IterProvider>(kernel); }

}  // namespace dtrace::runtime
