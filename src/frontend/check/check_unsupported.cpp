// SPDX-License-Identifier: Apache-2.0
#include "frontend/check/check_unsupported.h"

#include <algorithm>
#include <iterator>

#include "frontend/check/check_call.h"
#include "frontend/check/check_convert.h"
#include "frontend/check/check_expr.h"
#include "frontend/check/check_order.h"

namespace dtrace::check {
namespace {

struct Reason {
  Builtin builtin;
  std::string_view text;
  std::string_view what = "cannot run on Linux";
  bool is_destructive = false;
};
constexpr Reason kReasons[] = {
    {Builtin::k_breakpoint, "no BPF program may enter the kernel's debugger", "cannot run on Linux", true},
    {Builtin::k_panic,
     "no BPF program may end the kernel; `echo c > /proc/sysrq-trigger` does, as a command of system( )",
     "cannot run on Linux", true},
    {Builtin::k_return, "no probe of this dtrace replaces what a kernel function returns", "is not implemented", true},
    {Builtin::k_pcap, "packets are not captured; tracemem( ) records the bytes at an address", "is not implemented"},
    {Builtin::k_ddi_pathname, "devices have no device tree; args[1]->dev_pathname of io probes is the path"},
    {Builtin::k_msgsize, "there are no STREAMS messages"},
    {Builtin::k_msgdsize, "there are no STREAMS messages"},
};

/// Checks that pcap() gets the address of a packet and the number of a protocol.
bool check_pcap(Context &cx, Builtin builtin, const ast::Call &call, Span span) {
  if (!check_count(cx, builtin, call.args.size(), span)) return false;
  const Operand packet = check_expr(cx, *call.args[0]), protocol = check_expr(cx, *call.args[1]);
  if (packet.poison() || protocol.poison()) return false;
  if (!is_pointer(cx, packet)) {
    cx.diags.report(Tag::D_PCAP_ADDR, packet.span, "pcap( ) argument #1 is not the address of a packet, but \"{}\"",
                    cx.describe(packet));
    return false;
  }
  if (!is_integer(cx, protocol)) {
    cx.diags.report(Tag::D_PCAP_PROTO, protocol.span, "pcap( ) argument #2 is not the number of a protocol, but \"{}\"",
                    cx.describe(protocol));
    return false;
  }
  return true;
}

}  // namespace

void check_unsupported(Context &cx, Builtin builtin, const ast::Call &call, Span span) {
  const bool is_right = builtin == Builtin::k_pcap ? check_pcap(cx, builtin, call, span)
                                                   : check_arguments(cx, builtin, call.args, span).has_value();
  if (!is_right) return;
  const auto *const reason = std::ranges::find(kReasons, builtin, &Reason::builtin);
  constexpr Reason kOther{{}, "it has no meaning here"};
  const Reason &found = reason != std::end(kReasons) ? *reason : kOther;
  if (found.is_destructive && !may_destroy(cx, builtin, span)) return;
  cx.diags.report(Tag::D_NOT_ON_LINUX, span, "{}( ) {}: {}", row(builtin).name, found.what, found.text);
}

}  // namespace dtrace::check
