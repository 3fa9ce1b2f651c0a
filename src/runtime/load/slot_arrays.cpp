// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/slot_arrays.h"

#include <bpf/libbpf.h>

#include <cerrno>

namespace dtrace::runtime {

Result<Unit> SlotArrays::make(const std::string &map, const SlotShape &shape, uint32_t nr_slots) {
  LIBBPF_OPTS(bpf_map_create_opts, inner_options, .map_flags = shape.flags);
  // The kernel wants an example; it takes the shape from there and keeps nothing of it.
  const Fd inner(
      bpf_map_create(shape.type, "dt_slot", shape.key_bytes, shape.value_bytes, shape.entries, &inner_options));
  if (!inner) return Error::from_errno("cannot create a map", errno);
  LIBBPF_OPTS(bpf_map_create_opts, options, .inner_map_fd = static_cast<uint32_t>(inner.get()));
  const std::string name = map.substr(0, BPF_OBJ_NAME_LEN - 1);
  Fd array(
      bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, name.c_str(), sizeof(uint32_t), sizeof(uint32_t), nr_slots, &options));
  if (!array) return Error::from_errno("cannot create an array of maps", errno);
  arrays_.insert_or_assign(map, std::move(array));
  return ok();
}

int SlotArrays::fd(const std::string &map) const {
  const auto found = arrays_.find(map);
  return found == arrays_.end() ? -1 : found->second.get();
}

Result<Unit> SlotArrays::give_to(bpf_object &object) const {
  for (const auto &[name, array] : arrays_) {
    bpf_map *map = bpf_object__find_map_by_name(&object, name.c_str());
    if (map == nullptr) continue;  // planned, and no program came to use it
    if (const int error = bpf_map__reuse_fd(map, array.get()); error != 0)
      return Error::from_errno("cannot use an array of maps", -error);
  }
  return ok();
}

}  // namespace dtrace::runtime
