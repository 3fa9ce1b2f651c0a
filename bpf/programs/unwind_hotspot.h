/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * unwind_hotspot.h - the way through Java frames of HotSpot, part of unwind.c. A pc in the code cache belongs to a
 * CodeBlob, which the heap's segment map leads to. Frames of compiled methods and of most runtime stubs have a fixed
 * size, and the caller's frame pointer lies below the return address. The interpreter's frames are linked by the frame
 * pointer. Compiled code uses the frame pointer as any register, so a value of it may be anything.
 *
 * What a reader would get wrong: only frames that have called something have their full size. The innermost one may be
 * in its prologue or epilogue, which the instructions at the pc tell (unwind_hotspot_x86_64.h and _aarch64.h). Its
 * return address must look like one.
 */
#ifndef DT_PROGRAMS_UNWIND_HOTSPOT_H
#define DT_PROGRAMS_UNWIND_HOTSPOT_H

#include "bpf/dt_hotspot.h"

/* Segments to a block's start are at most 254 a step: this is enough for blocks of 2 MB. */
#define BLOCK_STEPS 64
#define MOST_FRAME_WORDS (MOST_FRAME_BYTES / 8)
/* A method has at most 255 words of arguments. */
#define MOST_ARGUMENT_BYTES 2048
/* Methods that are inlined in each other. */
#define MOST_SCOPES 64

/* What is known of a frame whose function may just begin or end. */
enum frame_state {
  FRAME_FULL,    /* it has its size, and the caller's frame pointer */
  FRAME_UNSAVED, /* it has its size, the frame pointer is still the caller's */
  FRAME_PUSHED,  /* the frame pointer lies at the stack pointer, the return address above */
  FRAME_NONE,    /* there is none: the return address is where a call has left it */
  FRAME_LINKED,  /* registers are being saved; the frame pointer leads to it */
};

/*
 * What is kept in the walk of the managed frames, from locating a frame to leaving it: in `object` the start of the
 * CodeBlob that the pc is in; words of `head`.
 */
enum {
  INTERPRETED = 14, /* where the frame pointer of an interpreted frame points to; 0: it is not one */
  BLOB = 15,        /* the CodeBlob's address */
};

DT_INLINE const struct dt_hotspot *hotspot_of(const struct dt_unwind_walk *walk) {
  u64 place = (u64)(walk->mapping_flags >> DT_MANAGED_RUNTIME_SHIFT) * DT_MANAGED_RUNTIME_BYTES;
  u8 *block;

  _Static_assert(sizeof(struct dt_hotspot) <= DT_MANAGED_RUNTIME_BYTES, "a runtime");
  if (!place) return NULL;
  block = block_of(place);
  if (!block) return NULL;
  return (const struct dt_hotspot *)(block + dt_masked(place, BLOCK_MASK & ~(DT_MANAGED_RUNTIME_BYTES - 1ull)));
}

DT_INLINE u64 blob_word(const struct dt_managed_walk *managed, u64 offset) {
  return *(u64 *)((u8 *)managed->object + dt_masked(offset, DT_HOTSPOT_BLOB_BYTES - 8));
}

DT_INLINE s64 blob_int(const struct dt_managed_walk *managed, u64 offset) {
  return *(s32 *)((u8 *)managed->object + dt_masked(offset, DT_HOTSPOT_BLOB_BYTES - 4));
}

DT_INLINE u64 blob_code(const struct dt_managed_walk *managed, const struct dt_hotspot *hotspot) {
  if (hotspot->code_is_offset) return managed->head[BLOB] + blob_int(managed, hotspot->code);
  return blob_word(managed, hotspot->code);
}

/* The first eight characters of its name. */
DT_INLINE u64 blob_name(const struct dt_managed_walk *managed, const struct dt_hotspot *hotspot) {
  u64 name = 0;

  return dt_unwind_read(&name, sizeof(name), blob_word(managed, hotspot->name)) ? 0 : name;
}

#define BLOB_NAME(a, b, c, d, e, f, g, h)                                                                          \
  ((u64)(a) | (u64)(b) << 8 | (u64)(c) << 16 | (u64)(d) << 24 | (u64)(e) << 32 | (u64)(f) << 40 | (u64)(g) << 48 | \
   (u64)(h) << 56)

/* "nmethod" and "native nmethod": Java methods, compiled. */
DT_INLINE int is_method(u64 name) {
  return name == BLOB_NAME('n', 'm', 'e', 't', 'h', 'o', 'd', 0) ||
         name == BLOB_NAME('n', 'a', 't', 'i', 'v', 'e', ' ', 'n');
}

/* Code without frames, if it has no size of them: I2C/C2I adapters, vtable chunks, and so on. */
DT_INLINE int is_bare_blob(u64 name) {
  return is_method(name) || name == BLOB_NAME('I', '2', 'C', '/', 'C', '2', 'I', ' ') ||
         name == BLOB_NAME('v', 't', 'a', 'b', 'l', 'e', ' ', 'c') ||
         name == BLOB_NAME('M', 'e', 't', 'h', 'o', 'd', 'H', 'a') ||
         name == BLOB_NAME('I', 'n', 'l', 'i', 'n', 'e', 'C', 'a') ||
         name == BLOB_NAME('a', 'd', 'a', 'p', 't', 'e', 'r', 's') ||
         name == BLOB_NAME('j', 'n', 'i', '_', 'f', 'a', 's', 't');
}

/* Where the frame has been made; 0: that is not known. */
DT_INLINE u64 frame_complete(const struct dt_managed_walk *managed, const struct dt_hotspot *hotspot) {
  s64 offset;

  if (hotspot->frame_complete_bytes == 2)
    offset = *(s16 *)((u8 *)managed->object + dt_masked((u64)hotspot->frame_complete, DT_HOTSPOT_BLOB_BYTES - 2));
  else
    offset = blob_int(managed, hotspot->frame_complete);
  return offset < 0 ? 0 : blob_code(managed, hotspot) + offset;
}

/* ---- the blob of an address ---- */

struct dt_unwind_segment {
  u64 map, number;
  u64 is_start;
};

static long step_to_block(u32 round, struct dt_unwind_segment *segment) {
  u8 distance = DT_HOTSPOT_SEGMENT_FREE;

  if (dt_unwind_read(&distance, 1, segment->map + segment->number)) return 1;
  if (distance == DT_HOTSPOT_SEGMENT_FREE || distance > segment->number) return 1;
  segment->number -= distance;
  segment->is_start = !distance;
  return !distance;
}

/*
 * Finds the CodeBlob of the pc, which is in the code cache. Returns as dt_unwind_locate(): an address that is not in
 * code ends the walk.
 */
DT_GLOBAL int dt_hotspot_find_blob(struct dt_stack_walk *walk) {
  const struct dt_hotspot *hotspot;
  struct dt_unwind_segment segment = {};
  u64 address, start = 0;
  u32 shift = 0;
  int at;

  if (!walk) return 1;
  walk->native.end = DT_UNWIND_NO_RULE;
  hotspot = hotspot_of(&walk->native);
  if (!hotspot) return 1;
  address = pc_to_look_up(&walk->native);
  DT_UNROLL
  for (at = 0; at < DT_HOTSPOT_HEAPS; at++) {
    const struct dt_hotspot_heap *heap = &hotspot->heaps[at];

    if (address - heap->start >= heap->size_bytes) continue;
    start = heap->start;
    shift = heap->segment_shift & 63;
    segment.map = heap->segment_map;
    segment.number = (address - start) >> shift;
  }
  if (!start) return 1;
  dt_unwind_loop(BLOCK_STEPS, step_to_block, &segment);
  if (segment.is_start) {
    walk->managed.head[BLOB] = start + (segment.number << shift) + hotspot->block_header_bytes;
    if (!dt_unwind_read(walk->managed.object, DT_HOTSPOT_BLOB_BYTES, walk->managed.head[BLOB]) &&
        address >= blob_code(&walk->managed, hotspot))
      return 0;
  }
  /* What executes is shown in any case. */
  return walk->native.flags & DT_UNWIND_RETURNED ? 1 : 2;
}

/*
 * Is the blob, which the pc is in, the interpreter? Its bounds are those of the blob: while it is being made, it has
 * more room than it keeps, and the consumer may have seen that.
 */
DT_INLINE int is_interpreter(const struct dt_stack_walk *walk, const struct dt_hotspot *hotspot) {
  if (!hotspot->blob_size)
    return pc_to_look_up(&walk->native) - hotspot->interpreter_start < hotspot->interpreter_bytes;
  return hotspot->interpreter_start - walk->managed.head[BLOB] < (u64)blob_int(&walk->managed, hotspot->blob_size);
}

/* ---- steps ---- */

/* May the address be a return address of code of the process? */
DT_INLINE int may_be_return(const struct dt_hotspot *hotspot, u64 address) {
  return address - hotspot->cache_start < hotspot->cache_bytes || dt_unwind_is_behind_call(address);
}

/*
 * Goes to the caller, whose return address lies at `at`, and its frame pointer below if it was saved there. Returns 0,
 * or 1: there is no return address.
 */
DT_INLINE int return_from(struct dt_unwind_walk *walk, const struct dt_hotspot *hotspot, u64 at, int is_saved) {
  u64 pc = 0;

  if (read_word(walk, at, &pc)) return 1;
  pc = dt_unwind_code_address(walk, pc);
  if (!(walk->flags & DT_UNWIND_RETURNED) && !may_be_return(hotspot, pc)) return 1;
  walk->pc = pc;
  walk->return_place = at;
  walk->stack = at + 8;
  if (is_saved) walk->frame_place = at - 8;
  walk->other_place = DT_UNWIND_NOWHERE;
  walk->flags = DT_UNWIND_RETURNED;
  return 0;
}

/* Compiled code pushes registers for a few instructions, in comparisons of strings and the like. */
#define MOST_PUSHED_WORDS 8

/* Tries the next word up the stack. */
DT_STEP_OF(struct dt_unwind_walk, pushed_step) {
  const struct dt_hotspot *hotspot = hotspot_of(walk);

  if (!hotspot) return 1;
  walk->return_place += 8;
  return !return_from(walk, hotspot, walk->return_place, 1);
}

/* Goes to the caller, whose return address is in the register that calls leave it in. Returns 0, or 1: it is not. */
DT_INLINE int return_by_register(struct dt_unwind_walk *walk, const struct dt_hotspot *hotspot, u64 stack) {
  u64 pc;

  if ((walk->flags & DT_UNWIND_RETURNED) || fetch(walk, &walk->link, &walk->link_place)) return 1;
  pc = dt_unwind_code_address(walk, walk->link);
  if (!may_be_return(hotspot, pc)) return 1;
  walk->pc = pc;
  walk->return_place = 0;
  walk->stack = stack;
  walk->other_place = DT_UNWIND_NOWHERE;
  walk->flags = DT_UNWIND_RETURNED;
  return 0;
}

#ifdef __TARGET_ARCH_arm64
#include "bpf/programs/unwind_hotspot_aarch64.h"
#else
#include "bpf/programs/unwind_hotspot_x86_64.h"
#endif

/* Where a frame's return address lies. */
struct return_slot {
  u64 at;     /* 0: it must be looked for */
  u64 sender; /* the stack pointer of the caller; 0: behind the return address */
  u64 bare;   /* so, and the return address is in the register that calls leave it in; 0: it lies on the stack */
  int is_saved;
};

/* Finds the return address of a frame of a fixed size. */
DT_INLINE void find_in_compiled(struct dt_stack_walk *walk, const struct dt_hotspot *hotspot, u64 words,
                                struct return_slot *slot) {
  const struct dt_managed_walk *managed = &walk->managed;
  u64 stack = walk->native.stack, frame = walk->native.frame;
  u32 state = FRAME_FULL;

  if (DT_UNWIND_LOST_STACK(&walk->native)) return;
  if (!(walk->native.flags & DT_UNWIND_RETURNED))
    state = compiled_frame_state(walk, hotspot, words,
                                 is_method(blob_name(managed, hotspot)) ? frame_complete(managed, hotspot) : 0);
  if (DT_UNWIND_LINKS && (state == FRAME_NONE || state == FRAME_UNSAVED)) {
    slot->bare = state == FRAME_NONE ? stack : stack + words * 8;
    return;
  }
  slot->at = stack + words * 8 - 8;
  if (state == FRAME_NONE) slot->at = stack;
  if (state == FRAME_PUSHED) slot->at = stack + 8;
  if (state == FRAME_LINKED && frame - stack < words * 8 && !(frame & 7)) slot->at = frame + 8;
  slot->is_saved = state != FRAME_NONE && state != FRAME_UNSAVED;
}

/* Finds the return address of a frame that the frame pointer leads to. `is_interpreted`: it has the stack pointer of
 * its caller, too. */
DT_INLINE void find_by_frame_pointer(struct dt_unwind_walk *walk, const struct dt_hotspot *hotspot, int is_interpreted,
                                     struct return_slot *slot) {
  u64 frame, sender = 0;
#ifdef HOTSPOT_LAST_STACK_OFFSET
  u64 last = 0;
#endif

  if (fetch(walk, &walk->frame, &walk->frame_place)) return;
  frame = walk->frame;
  if (frame - walk->stack > MOST_FRAME_BYTES || (frame & 7)) return;
  if (is_interpreted) {
    if (read_word(walk, frame + HOTSPOT_SENDER_OFFSET, &sender)) return;
#ifdef HOTSPOT_LAST_STACK_OFFSET
    /* The interpreter has just been entered, and has no frame yet. */
    if (read_word(walk, frame + HOTSPOT_LAST_STACK_OFFSET, &last) || last - hotspot->cache_start < hotspot->cache_bytes)
      return;
#endif
    if (HOTSPOT_SENDER_BELOW && frame - sender < MOST_FRAME_BYTES) sender = frame + 16;
    if (sender - frame > MOST_FRAME_BYTES || sender == frame || (sender & 7)) return;
  }
  slot->at = frame + 8;
  slot->sender = sender;
  slot->is_saved = 1;
}

/* Finds the return address of frames of the interpreter, of stubs and of adapters. */
DT_INLINE void find_in_stub(struct dt_stack_walk *walk, const struct dt_hotspot *hotspot, struct return_slot *slot) {
  int is_interpreted = is_interpreter(walk, hotspot);
  u32 state = FRAME_FULL;

  if (!(walk->native.flags & DT_UNWIND_RETURNED)) state = stub_frame_state(walk, hotspot, is_interpreted);
  if (state == FRAME_PUSHED) {
    slot->at = walk->native.stack + 8;
    slot->is_saved = 1;
  }
  if (state == FRAME_FULL) find_by_frame_pointer(&walk->native, hotspot, is_interpreted, slot);
}

/* Goes from a frame in the code cache to its caller. Returns 0, or 1: the walk has ended. */
DT_GLOBAL int dt_hotspot_follow(struct dt_stack_walk *walk) {
  const struct dt_hotspot *hotspot;
  struct return_slot slot = {};
  struct dt_unwind_walk *native;
  s64 words;

  if (!walk) return 1;
  native = &walk->native;
  native->end = DT_UNWIND_NO_RULE;
  walk->managed.head[INTERPRETED] = 0;
  hotspot = hotspot_of(native);
  if (!hotspot) return 1;
  words = blob_int(&walk->managed, hotspot->frame_size);
  if (words > MOST_FRAME_WORDS) return 1;
  if (words > 1)
    find_in_compiled(walk, hotspot, words, &slot);
  else
    find_in_stub(walk, hotspot, &slot);
  if (slot.bare) return return_by_register(native, hotspot, slot.bare);
  if (slot.at && !return_from(native, hotspot, slot.at, slot.is_saved)) {
    if (slot.sender) {
      native->stack = slot.sender;
      walk->managed.head[INTERPRETED] = slot.at - 8;
    }
    return 0;
  }
  if (native->flags & DT_UNWIND_RETURNED) return 1;
  /* The interpreter's first instructions, and stubs without a frame of their own. */
  if (words <= 1) return follow_bare(walk, hotspot);
  native->return_place = slot.at;
  dt_unwind_repeat_of(struct dt_unwind_walk, MOST_PUSHED_WORDS, pushed_step, native);
  return !(native->flags & DT_UNWIND_RETURNED);
}

/* ---- methods ---- */

/* A Symbol as a text. Returns 0, or -1: it is not there. */
DT_INLINE int symbol_text(const struct dt_hotspot *hotspot, u64 symbol, struct dt_managed_source *text) {
  u16 length = 0;

  text->address = symbol + hotspot->symbol_body;
  text->width = 0;
  if (!symbol || dt_unwind_read(&length, sizeof(length), symbol + hotspot->symbol_length)) return -1;
  text->size_bytes = length;
  return 0;
}

/* A signed number in the CodeBlob, which may lie behind what was read of it. */
DT_INLINE s64 far_int(const struct dt_managed_walk *managed, u64 offset) {
  s32 value = 0;

  dt_unwind_read(&value, sizeof(value), managed->head[BLOB] + offset);
  return value;
}

struct dt_unwind_places {
  u64 table, size_bytes;
  u64 first, end; /* what is looked for is one of these */
  s64 offset;
};
#define PLACE_ROUNDS 20
#define MOST_PLACES (1u << PLACE_ROUNDS)

/* Halves what is left of the table. */
static long narrow_places(u32 round, struct dt_unwind_places *places) {
  u64 middle = (places->first + places->end) / 2;
  s32 offset = 0;

  if (places->first >= places->end) return 1;
  if (dt_unwind_read(&offset, sizeof(offset), places->table + middle * places->size_bytes)) {
    places->first = places->end = MOST_PLACES;
    return 1;
  }
  if (offset < places->offset)
    places->first = middle + 1;
  else
    places->end = middle;
  return 0;
}

/*
 * Finds the innermost scope of a pc of a compiled method, whose CodeBlob is in managed->object. A return address has an
 * entry of its own in the table; a pc that was interrupted takes the next entry.
 */
DT_INLINE void find_scope(struct dt_managed_walk *managed, const struct dt_hotspot *hotspot, u64 pc, int is_return) {
  u64 base = hotspot->immutable ? blob_word(managed, hotspot->immutable) : managed->head[BLOB];
  u64 metadata = hotspot->metadata_base ? blob_word(managed, hotspot->metadata_base) : managed->head[BLOB];
  struct dt_unwind_places places = {};
  s64 start = far_int(managed, hotspot->places);
  u64 size_bytes = far_int(managed, hotspot->places_end) - start;
  s32 offset = 0, scope = 0;

  if (!hotspot->place_bytes || size_bytes >= MOST_PLACES * 16ull) return;
  places.table = base + start;
  places.size_bytes = hotspot->place_bytes;
  places.end = size_bytes / 16; /* the consumer has seen that this is their size */
  places.offset = pc - blob_code(managed, hotspot);
  dt_unwind_loop(PLACE_ROUNDS + 1, narrow_places, &places);
  if (places.first >= size_bytes / 16) return;
  places.table += places.first * places.size_bytes;
  if (dt_unwind_read(&offset, sizeof(offset), places.table + hotspot->place_offset) ||
      dt_unwind_read(&scope, sizeof(scope), places.table + hotspot->place_scope))
    return;
  if (scope <= 0 || offset < places.offset || (is_return && offset != places.offset)) return;
  managed->scope = scope;
  managed->is_scoped = 1;
  managed->scopes =
      hotspot->scopes_is_offset ? base + far_int(managed, hotspot->scopes) : blob_word(managed, hotspot->scopes);
  managed->metadata = metadata + far_int(managed, hotspot->metadata);
}

/*
 * Finds the methods of the frame that the walk has just left, whose pc is managed->pc: the interpreter's frames and
 * compiled code lead to a Method, which cannot be freed while its frame is there. Returns 1 if there are any, else 0.
 */
DT_GLOBAL int dt_hotspot_begin_methods(struct dt_stack_walk *walk, int is_return) {
  const struct dt_hotspot *hotspot;
  struct dt_managed_walk *managed;

  if (!walk) return 0;
  managed = &walk->managed;
  managed->method = managed->bytecode = managed->scope = managed->is_scoped = 0;
  hotspot = hotspot_of(&walk->native);
  if (!hotspot) return 0;
  if (managed->head[INTERPRETED]) {
    managed->method = user_word(managed->head[INTERPRETED] + HOTSPOT_METHOD_OFFSET);
    managed->bytecode = user_word(managed->head[INTERPRETED] + HOTSPOT_BYTECODE_OFFSET);
    return managed->method != 0;
  }
  if (!is_method(blob_name(managed, hotspot))) return 0;
  managed->method = blob_word(managed, hotspot->method);
  if (managed->shows) find_scope(managed, hotspot, managed->pc, is_return);
  return managed->method || managed->is_scoped;
}

/* Takes a number of up to five bytes off sixteen: of six bits each, and more follow a byte from 192 on. */
DT_INLINE u32 take_number(u64 *low, u64 *high, u64 bias) {
  u64 number = 0, going = ~0ull, nr_bytes = 0, byte;
  u32 at;

  DT_UNROLL
  for (at = 0; at < 5; at++) {
    byte = *low >> (8 * at) & 0xff;
    number += ((byte - bias) & going) << (6 * at);
    nr_bytes += going & 1;
    going &= if_negative(191 - (s64)byte);
  }
  *low = *low >> (8 * nr_bytes) | *high << (64 - 8 * nr_bytes);
  *high >>= 8 * nr_bytes;
  return number;
}

/* Takes the next scope: its method, the bytecode that it is at, and the scope around it. */
DT_STEP_OF(struct dt_stack_walk, take_scope) {
  const struct dt_hotspot *hotspot = hotspot_of(&walk->native);
  struct dt_managed_walk *managed = &walk->managed;
  u64 words[2] = {};
  u32 method;

  if (!hotspot || !managed->scope) return 1;
  managed->method = 0;
  if (dt_unwind_read(words, sizeof(words), managed->scopes + managed->scope)) {
    managed->scope = 0;
    return 1;
  }
  managed->scope = take_number(&words[0], &words[1], hotspot->number_bias);
  method = take_number(&words[0], &words[1], hotspot->number_bias);
  /* -1: before the first one. */
  managed->bytecode = take_number(&words[0], &words[1], hotspot->number_bias);
  managed->bytecode -= managed->bytecode != 0;
  if (method) managed->method = user_word(managed->metadata + (u64)(method - 1) * 8);
  return 0;
}

/* The table of lines of the method whose ConstMethod managed->object is, and the position in it. */
DT_INLINE void take_lines(const struct dt_stack_walk *walk, struct dt_managed_walk *managed,
                          const struct dt_hotspot *hotspot, u64 address) {
  const u8 *object = (const u8 *)managed->object;
  u64 code_bytes = *(u16 *)(object + dt_masked((u64)hotspot->const_code, DT_HOTSPOT_CONST_BYTES - 2));
  u64 flags = *(u16 *)(object + dt_masked((u64)hotspot->const_flags, DT_HOTSPOT_CONST_BYTES - 2));
  s64 words = *(s32 *)(object + dt_masked((u64)hotspot->const_words, DT_HOTSPOT_CONST_BYTES - 4));
  u64 code = address + hotspot->const_bytes, position = managed->bytecode, annotations;

  if (!managed->is_scoped) {
    position -= code;
    if (!walk->native.nr_frames) {
      u64 live = dt_unwind_register(walk->native.registers, HOTSPOT_BYTECODE_REGISTER) - code;

      if (live < code_bytes) position = live;
    }
  }
  if (position < code_bytes) managed->position += position - DT_HOTSPOT_NO_BYTECODE;
  if (!(flags & DT_HOTSPOT_HAS_LINES)) return;
  /* What follows is pointers, which differ from process to process. */
  flags >>= DT_HOTSPOT_ANNOTATION_SHIFT;
  annotations = (flags & 1) + (flags >> 1 & 1) + (flags >> 2 & 1) + (flags >> 3 & 1);
  managed->table.address = code + code_bytes;
  words = words * 8 - annotations * 8 - hotspot->const_bytes - code_bytes;
  if (words > 0 && words < 1 << 20) managed->table.size_bytes = words;
}

/*
 * The next method of the frame that the walk has left: as managed->function and what follows. Returns enum
 * managed_found.
 */
DT_GLOBAL int dt_hotspot_method(struct dt_stack_walk *walk) {
  const struct dt_hotspot *hotspot;
  struct dt_managed_walk *managed;
  u64 address, constants, name;
  u32 nr_constants = 0;
  u16 index, file = 0;

  if (!walk) return MANAGED_NONE;
  managed = &walk->managed;
  hotspot = hotspot_of(&walk->native);
  if (!hotspot) return managed_missed(managed, DT_MANAGED_UNREADABLE);
  if (managed->is_scoped)
    dt_unwind_repeat_of(struct dt_stack_walk, managed->shows & DT_UNWIND_INLINED ? 1 : MOST_SCOPES, take_scope, walk);
  if (!managed->method) return managed_missed(managed, DT_MANAGED_UNREADABLE);
  address = user_word(managed->method + hotspot->method_const);
  if (dt_unwind_read(managed->object, DT_HOTSPOT_CONST_BYTES, address))
    return managed_missed(managed, DT_MANAGED_UNREADABLE);
  constants = *(u64 *)((u8 *)managed->object + dt_masked((u64)hotspot->const_constants, DT_HOTSPOT_CONST_BYTES - 8));
  index = *(u16 *)((u8 *)managed->object + dt_masked((u64)hotspot->const_name, DT_HOTSPOT_CONST_BYTES - 2));
  managed->position = managed->scope ? DT_HOTSPOT_INLINED | DT_HOTSPOT_NO_BYTECODE : DT_HOTSPOT_NO_BYTECODE;
  managed->table.size_bytes = 0;
  if (managed->shows & DT_UNWIND_LINES && hotspot->const_bytes) take_lines(walk, managed, hotspot, address);
  if (managed_again(managed, managed->method, managed->position)) return MANAGED_ENTRY;
  dt_unwind_read(&nr_constants, sizeof(nr_constants), constants + hotspot->constants_length);
  if (index >= nr_constants) return managed_missed(managed, DT_MANAGED_UNREADABLE);
  name = user_word(constants + hotspot->constants_bytes + (u64)index * 8);
  if (symbol_text(hotspot, name, &managed->texts[DT_MANAGED_NAME]) ||
      symbol_text(hotspot, user_word(user_word(constants + hotspot->constants_holder) + hotspot->klass_name),
                  &managed->texts[DT_MANAGED_SCOPE]))
    return managed_missed(managed, DT_MANAGED_UNREADABLE);
  managed->texts[DT_MANAGED_FILE].size_bytes = 0;
  managed->texts[DT_MANAGED_FILE].width = 0;
  if (managed->shows & DT_UNWIND_LINES && hotspot->constants_file)
    dt_unwind_read(&file, sizeof(file), constants + hotspot->constants_file);
  if (file && file < nr_constants &&
      symbol_text(hotspot, user_word(constants + hotspot->constants_bytes + (u64)file * 8),
                  &managed->texts[DT_MANAGED_FILE]))
    managed->texts[DT_MANAGED_FILE].size_bytes = 0;
  managed->function = managed->method;
  managed->language = DT_MANAGED_JAVA;
  managed->version = hotspot->number_bias;
  managed->first_line = managed->detail = 0;
  return MANAGED_FUNCTION;
}

#endif
