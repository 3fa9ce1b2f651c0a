// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * path.bpf.c - parts of path names, and the path name of a directory entry.
 */
#include "loop.bpf.h"

/*
 * dt_copy_part - copies `count` bytes of a string and ends them with a NUL.
 *
 * In:       copy, from: offsets; count, cut to size - 1; size, of the copy's space, constant, at least 1.
 */
DT_API void dt_copy_part(struct dt_slot *slot, u32 copy, u64 from, u64 count, u32 size)
{
#ifdef DT_HOST
	if (count > size - 1)
		count = size - 1;
	for (u64 i = 0; i < count; i++)
		dt_put(slot, copy + i, dt_get(slot, from + i));
	dt_put(slot, copy + count, 0);
#else
	u64 bytes = dt_opaque(count);

	if (bytes >= size)
		bytes = size - 1;
	bytes = dt_opaque(bytes);
	if (bytes >= size)
		return;
	/* The source by number: the verifier need not bound where we only read, checked. */
	bpf_probe_read_kernel_str((u8 *)slot + copy, bytes + 1, (void *)(slot->base + from));
#endif
}

/*
 * ---- components: a the path; state 1 within one; i, j begin and end of the last one; value, aux: components seen, and end
 * of the one before the last ----
 */

DT_BODY(component_byte)
{
	struct dt_loop *loop = &slot->loop;
	u8 c = dt_get(slot, loop->a + index);

	if (c == 0)
		return 1;
	if (c == '/') {
		loop->state = 0;
		loop->depth = 1; /* there is a slash */
		return 0;
	}
	if (!loop->state) {
		loop->state = 1;
		loop->aux = loop->j;
		loop->i = index;
		loop->value++;
	}
	loop->j = index + 1;
	return 0;
}

DT_INLINE void find_components(struct dt_slot *slot, u32 path, u32 size)
{
	struct dt_loop *loop = &slot->loop;

	loop->a = path;
	loop->state = 0;
	loop->depth = 0;
	loop->i = 0;
	loop->j = 0;
	loop->value = 0;
	loop->aux = 0;
	dt_repeat(size, component_byte, slot);
}

/* A path of one character. */
DT_INLINE void put_path(struct dt_slot *slot, u32 result, u8 c)
{
	dt_put(slot, result, c);
	dt_put(slot, result + 1, 0);
}

/*
 * dt_basename - the last component; "." of an empty path, "/" of slashes only.
 */
DT_FUNC int dt_basename(struct dt_slot *slot, u32 result, u32 path, u32 size)
{
	struct dt_loop *loop = &slot->loop;

	find_components(slot, path, size);
	if (loop->value == 0)
		put_path(slot, result, loop->depth ? '/' : '.');
	else
		dt_copy_part(slot, result, path + loop->i, loop->j - loop->i, size);
	return 0;
}

/*
 * dt_dirname - all but the last component; "." if there is no slash before it, "/" if there is nothing else.
 */
DT_FUNC int dt_dirname(struct dt_slot *slot, u32 result, u32 path, u32 size)
{
	struct dt_loop *loop = &slot->loop;

	find_components(slot, path, size);
	if (loop->value > 1)
		dt_copy_part(slot, result, path, loop->aux, size);
	else
		put_path(slot, result, dt_get(slot, path) == '/' ? '/' : '.');
	return 0;
}

/*
 * ---- cleanpath(): a the path, b the result, j its length so far; i where the current component began in it;
 * depth: components that a ".." may take back ----
 */

DT_BODY(back_byte)
{
	struct dt_loop *loop = &slot->loop;

	if (loop->j == 0 || dt_get(slot, loop->b + loop->j - 1) == '/')
		return 1;
	loop->j--;
	return 0;
}

DT_BODY(clean_byte)
{
	struct dt_loop *loop = &slot->loop;
	u8 c = dt_get(slot, loop->a + index);
	u32 length = loop->j - loop->i;

	if (c != 0 && c != '/') {
		dt_put(slot, loop->b + loop->j, c);
		loop->j++;
		return 0;
	}
	/* A component ends here. */
	if (length == 0) {
		/* Only the slash at the very beginning counts. */
		if (c == '/' && index == 0)
			goto slash;
		return c == 0;
	}
	if (dt_get(slot, loop->b + loop->i) == '.') {
		if (length == 1) {
			loop->j = loop->i;
			return c == 0;
		}
		if (length == 2 && dt_get(slot, loop->b + loop->i + 1) == '.') {
			if (loop->depth) {
				loop->depth--;
				loop->j = loop->i - 1;
				dt_repeat(loop->a_end, back_byte, slot);
				loop->i = loop->j;
				return c == 0;
			}
			if (dt_get(slot, loop->b) == '/') {
				loop->j = loop->i; /* the root is its own parent */
				return c == 0;
			}
			goto slash;
		}
	}
	loop->depth++;
slash:
	if (c == 0)
		return 1;
	dt_put(slot, loop->b + loop->j, '/');
	loop->j++;
	loop->i = loop->j;
	return 0;
}

/*
 * dt_cleanpath - without empty components, "." and what ".." takes back; leading ".." of a relative path stay.
 */
DT_FUNC int dt_cleanpath(struct dt_slot *slot, u32 result, u32 path, u32 size)
{
	struct dt_loop *loop = &slot->loop;

	loop->a = path;
	loop->b = result;
	loop->a_end = size;
	loop->i = 0;
	loop->j = 0;
	loop->depth = 0;
	dt_repeat(size, clean_byte, slot);
	dt_put(slot, result + loop->j, 0);
	return 0;
}

#ifndef DT_HOST
/*
 * ---- names of directories: from the entry upwards, written from the buffer's end backwards. value the entry, aux its mount,
 * j where the text begins ----
 */

/* Offsets in kernel structures, filled in by the code generator from BTF. */
struct dt_path_layout {
	u32 path_mnt, path_dentry;
	u32 dentry_parent, dentry_name, qstr_name, qstr_len;
	u32 vfsmount_root, mount_mnt, mount_parent, mount_mountpoint;
	u32 mount_in_super; /* where a superblock's list of mounts points to; 0: to the mount, the newest first */
	u32 mount_next;
	u32 dentry_super, super_mounts, super_root;
};

extern const struct dt_path_layout dt_path_layout;

#define DT_NAME 256

DT_INLINE u64 load_pointer(u64 address)
{
	u64 value = 0;

	bpf_probe_read_kernel(&value, sizeof(value), (void *)address);
	return value;
}

DT_BODY(entry_step)
{
	const struct dt_path_layout *at = &dt_path_layout;
	struct dt_loop *loop = &slot->loop;
	u64 entry = loop->value, mount = loop->aux;
	u64 parent = load_pointer(entry + at->dentry_parent);
	u64 name;
	u32 length = 0;
	u64 to;

	/* The mount's root: go on at its mount point. */
	if (entry == load_pointer(mount + at->vfsmount_root)) {
		u64 outer = mount - at->mount_mnt;
		u64 above = load_pointer(outer + at->mount_parent);

		if (above == outer)
			return 1; /* the root of all */
		loop->value = load_pointer(outer + at->mount_mountpoint);
		loop->aux = above + at->mount_mnt;
		return 0;
	}
	if (parent == entry || parent == 0)
		return 1;
	name = load_pointer(entry + at->dentry_name + at->qstr_name);
	bpf_probe_read_kernel(&length, sizeof(length), (void *)(entry + at->dentry_name + at->qstr_len));
	if (length >= DT_NAME || loop->j < loop->a + length + 1) {
		loop->state = 1; /* no room: what there is so far is the end of the name */
		return 1;
	}
	to = loop->j - length;
	if (to < sizeof(*slot))
		return 1;
	to = dt_opaque(to); /* as in dt_put() */
	if (to >= dt_slot_bytes - DT_NAME)
		return 1;
	length &= DT_NAME - 1;
	bpf_probe_read_kernel((u8 *)slot + to, length, (void *)name);
	loop->j = to - 1;
	dt_put(slot, loop->j, '/');
	loop->value = parent;
	return 0;
}

/* Entries and mounts passed at most. */
#define DT_ENTRIES 128

/* Mounts of a file system that are looked at. */
#define DT_MOUNTS  64

/*
 * ---- mounts of a file system: value the link to the next mount; words[0] where the list ends, words[1] the root entry;
 * aux the mount that was found ----
 */

DT_BODY(mount_step)
{
	const struct dt_path_layout *at = &dt_path_layout;
	struct dt_loop *loop = &slot->loop;
	u64 mount = loop->value - at->mount_in_super;

	if (loop->value == loop->words[0])
		return 1;
	if (load_pointer(mount + at->mount_mnt + at->vfsmount_root) == loop->words[1]) {
		loop->aux = mount;
		if (at->mount_in_super)
			return 1;
	}
	loop->value = load_pointer(mount + at->mount_next);
	return 0;
}

/*
 * whole_mount - the oldest mount of all of a file system, not of a part of it; its first one if there is none.
 */
DT_INLINE u64 whole_mount(struct dt_slot *slot, u64 super)
{
	const struct dt_path_layout *at = &dt_path_layout;
	struct dt_loop *loop = &slot->loop;
	u64 first = load_pointer(super + at->super_mounts);

	loop->value = first;
	loop->words[0] = at->mount_in_super ? super + at->super_mounts : 0;
	loop->words[1] = load_pointer(super + at->super_root);
	loop->aux = 0;
	dt_repeat(DT_MOUNTS, mount_step, slot);
	return (loop->aux ? loop->aux : first - at->mount_in_super) + at->mount_mnt;
}

/* Bits of an address, which has none of its own there. */
#define DT_PATH_OF_MOUNT 1ul
#define DT_PATH_OF_ENTRY 2ul

/*
 * dt_path_name - path name of a struct path.
 *
 * In:       path, kernel address, with DT_PATH_OF_ENTRY of a dentry, whose path is that by a mount of all of its file system;
 *           with DT_PATH_OF_MOUNT the path asked for is that of the mount. result, offset of `size` bytes that the text is built in, from the end, and DT_NAME more
 *           behind them.
 * Out:      offset where the text begins.      Fault: none; what cannot be read ends the name.
 */
DT_FUNC u64 dt_path_name(struct dt_slot *slot, u64 path, u32 result, u32 size)
{
	const struct dt_path_layout *at = &dt_path_layout;
	struct dt_loop *loop = &slot->loop;
	u64 address = path & ~(DT_PATH_OF_MOUNT | DT_PATH_OF_ENTRY);

	if (path & DT_PATH_OF_ENTRY) {
		u64 super = load_pointer(address + at->dentry_super);

		loop->aux = whole_mount(slot, super);
		loop->value = address;
	} else {
		loop->value = load_pointer(address + at->path_dentry);
		loop->aux = load_pointer(address + at->path_mnt);
	}
	if (path & DT_PATH_OF_MOUNT)
		loop->value = load_pointer(loop->aux + at->vfsmount_root);
	loop->a = result;
	loop->j = result + size - 1;
	loop->state = 0;
	dt_put(slot, loop->j, 0);
	dt_repeat(DT_ENTRIES, entry_step, slot);
	if (loop->j == result + size - 1) {
		loop->j--;
		dt_put(slot, loop->j, '/');
	}
	return loop->j;
}
#endif
