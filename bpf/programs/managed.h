/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * managed.h - part of unwind.c: records of functions of managed languages (bpf/dt_managed.h), found by their content or
 * made.
 */
#ifndef DT_PROGRAMS_MANAGED_H
#define DT_PROGRAMS_MANAGED_H

#define UNITS_OF_BLOCK (DT_UNWIND_BLOCK_BYTES / DT_MANAGED_UNIT_BYTES)
#define WORDS_OF_TEXT (DT_MANAGED_TEXT_BYTES / 8)

DT_INLINE u64 managed_units(u64 size_bytes) { return (size_bytes + DT_MANAGED_UNIT_BYTES - 1) / DT_MANAGED_UNIT_BYTES; }

DT_INLINE struct dt_managed_share *managed_share(void) {
  u8 *block = dt_unwind_block(0);

  return block ? (struct dt_managed_share *)(block + DT_MANAGED_SHARE_PLACE) : NULL;
}

DT_INLINE const struct dt_managed_runtime *managed_runtime(const struct dt_stack_walk *walk) {
  u64 place = (u64)walk->managed.runtime * DT_MANAGED_RUNTIME_BYTES;
  u8 *block = block_of(place);

  if (!place || !block) return NULL;
  return (const struct dt_managed_runtime *)(block + dt_masked(place, BLOCK_MASK & ~(DT_MANAGED_RUNTIME_BYTES - 1ull)));
}

DT_INLINE u64 managed_value(u64 position, u64 unit) {
  if (position > DT_MANAGED_POSITION_MASK) position = DT_MANAGED_NO_POSITION;
  return DT_MANAGED_TAG << DT_MANAGED_TAG_SHIFT | position << DT_MANAGED_POSITION_SHIFT | (u32)unit;
}

/* What dt_managed_next() returns. */
enum managed_found {
  MANAGED_NONE = 0,
  MANAGED_ENTRY = 1,    /* managed->entry is there */
  MANAGED_FUNCTION = 2, /* dt_managed_intern() is to make it */
};

/* The frame of a function that has no record: it says why, and is counted. */
DT_INLINE int managed_missed(struct dt_managed_walk *managed, u32 why) {
  managed->entry = managed_value(why, 0);
  managed->missed |= 1 << why;
  managed->last = 0;
  return MANAGED_ENTRY;
}

/* Is it the function of the last frame again? Then the entry is made. */
DT_INLINE int managed_again(struct dt_managed_walk *managed, u64 function, u64 position) {
  if (!function || function != managed->last) return 0;
  managed->entry = managed_value(position, managed->unit);
  return 1;
}

/* ---- the content ---- */

DT_INLINE void managed_mix(struct dt_managed_walk *managed, u64 word) {
  u64 *digest = managed->record.digest;

  digest[0] = (digest[0] ^ word) * 0x9e3779b97f4a7c15ull;
  digest[0] ^= digest[0] >> 32;
  digest[1] = (digest[1] + word) * 0xd6e8feb86659fd93ull;
  digest[1] ^= digest[1] >> 29;
}

/* Mixes in the next word of the text that is read. */
DT_STEP_OF(struct dt_stack_walk, managed_mix_word) {
  struct dt_managed_walk *managed = &walk->managed;
  u64 at = dt_opaque_u64(managed->round);

  if (at >= sizeof(managed->text_bytes) / 8) return 1;
  managed_mix(managed, ((u64 *)managed->text_bytes)[at]);
  managed->round = at + 1;
  return 0;
}

/* Reads `size_bytes`, of at most DT_MANAGED_TEXT_BYTES, into a buffer, and clears the rest of its last word. */
DT_INLINE int managed_read(u8 *buffer, u64 size_bytes, u64 from) {
  u64 whole = dt_masked(size_bytes, (2 * DT_MANAGED_TEXT_BYTES - 1) & ~7ull);

  if (whole < DT_MANAGED_TEXT_BYTES) *(u64 *)(buffer + dt_masked(whole, DT_MANAGED_TEXT_BYTES - 8)) = 0;
  dt_hide(size_bytes);
  if (size_bytes > DT_MANAGED_TEXT_BYTES) size_bytes = DT_MANAGED_TEXT_BYTES;
  return dt_unwind_read(buffer, size_bytes, from) ? -1 : 0;
}

/* Takes a text into the record and the digest. Returns 0, or -1: it is not there. */
DT_INLINE int managed_take_text(struct dt_stack_walk *walk, u32 role) {
  struct dt_managed_walk *managed = &walk->managed;
  const struct dt_managed_source *source = &managed->texts[role];
  struct dt_managed_text *text = &managed->record.texts[role];
  u64 size_bytes = source->size_bytes;

  text->is_cut = size_bytes > DT_MANAGED_TEXT_BYTES;
  /* Whole characters. */
  if (text->is_cut) size_bytes = DT_MANAGED_TEXT_BYTES;
  text->size_bytes = size_bytes;
  text->width = source->width;
  managed_mix(managed, (u64)source->size_bytes << 8 | source->width);
  if (!size_bytes) return 0;
  if (managed_read(managed->text_bytes[role], size_bytes, source->address)) return -1;
  managed->round = role * WORDS_OF_TEXT;
  dt_unwind_repeat_of(struct dt_stack_walk, (u32)(size_bytes + 7) / 8, managed_mix_word, walk);
  return 0;
}

/*
 * A table's identity is its length and so many of its first and last bytes: to read 8 KB for each new function would
 * cost the traced program tens of microseconds. The manual page says what can be confused.
 */
#define DT_MANAGED_SAMPLE_BYTES 64

DT_INLINE int managed_take_table(struct dt_stack_walk *walk) {
  struct dt_managed_walk *managed = &walk->managed;
  u64 size_bytes = managed->table.size_bytes, sample = size_bytes, from = managed->table.address;
  u8 *buffer = managed->text_bytes[DT_MANAGED_TEXTS];
  u32 at;

  managed->record.is_table_cut = size_bytes > DT_MANAGED_TABLE_BYTES;
  managed->record.table_bytes = managed->record.is_table_cut ? DT_MANAGED_TABLE_BYTES : size_bytes;
  managed_mix(managed, size_bytes);
  if (!size_bytes) return 0;
  DT_UNROLL
  for (at = 0; at < 2 * DT_MANAGED_SAMPLE_BYTES / 8; at++) ((u64 *)buffer)[at] = 0;
  dt_hide(sample);
  if (sample > DT_MANAGED_SAMPLE_BYTES) sample = DT_MANAGED_SAMPLE_BYTES;
  if (dt_unwind_read(buffer, sample, from)) return -1;
  if (size_bytes > DT_MANAGED_SAMPLE_BYTES && dt_unwind_read(buffer + DT_MANAGED_SAMPLE_BYTES, DT_MANAGED_SAMPLE_BYTES,
                                                             from + size_bytes - DT_MANAGED_SAMPLE_BYTES))
    return -1;
  DT_UNROLL
  for (at = 0; at < 2 * DT_MANAGED_SAMPLE_BYTES / 8; at++) managed_mix(managed, ((u64 *)buffer)[at]);
  return 0;
}

/* ---- the index ---- */

/* Looks at the next word of the index: managed->unit is that of the record; or managed->free the index of a free word.
 */
DT_STEP_OF(struct dt_stack_walk, managed_probe) {
  struct dt_managed_walk *managed = &walk->managed;
  u64 place = managed->probe + managed->round * sizeof(u64), word;
  const struct dt_managed_record *record;
  u8 *block = block_of(place);

  managed->round++;
  if (!block) return 1;
  word = *(volatile u64 *)(block + dt_masked(place, BLOCK_MASK & ~7ull));
  if (!word) {
    managed->free = place;
    return 1;
  }
  if ((word ^ managed->record.digest[0]) >> 32) return 0;
  place = (word & 0xffffffff) * DT_MANAGED_UNIT_BYTES;
  block = block_of(place);
  if (!block) return 1;
  record = (const struct dt_managed_record *)(block + dt_masked(place, BLOCK_MASK & ~(DT_MANAGED_UNIT_BYTES - 1ull)));
  if (record->digest[0] != managed->record.digest[0] || record->digest[1] != managed->record.digest[1]) return 0;
  managed->unit = (u32)word;
  return 1;
}

DT_INLINE void managed_find(struct dt_stack_walk *walk, const struct dt_managed_share *share) {
  struct dt_managed_walk *managed = &walk->managed;
  u64 first = managed->record.digest[1] & (share->nr_words - 1) & ~(DT_MANAGED_PROBES - 1ull);

  managed->probe = (u64)share->index + first * sizeof(u64);
  managed->round = managed->unit = managed->free = 0;
  dt_unwind_repeat_of(struct dt_stack_walk, DT_MANAGED_PROBES, managed_probe, walk);
}

/* ---- new records ---- */

/* Takes room for a record. Returns its unit, or 0: there is none. */
DT_INLINE u64 managed_take_units(struct dt_managed_share *share, u64 nr_units) {
  u64 unit;
  u32 round;

  DT_UNROLL
  for (round = 0; round < 3; round++) {
    if (*(volatile u64 *)&share->taken + nr_units > share->nr_units) return 0;
    unit = __sync_fetch_and_add(&share->taken, nr_units);
    if (unit + nr_units > share->nr_units) return 0;
    unit += share->first_unit;
    if (unit / UNITS_OF_BLOCK == (unit + nr_units - 1) / UNITS_OF_BLOCK) return unit;
  }
  return 0;
}

/* Copies the next unit of the texts or of the table to the record. managed->round: which; managed->copied: to where. */
DT_STEP_OF(struct dt_stack_walk, managed_copy_unit) {
  struct dt_managed_walk *managed = &walk->managed;
  u64 place = managed->copied * DT_MANAGED_UNIT_BYTES, from = dt_opaque_u64(managed->round), left;
  u8 *block = block_of(place), *to;
  u32 at;

  if (!block) return 1;
  to = block + dt_masked(place, BLOCK_MASK & ~(DT_MANAGED_UNIT_BYTES - 1ull));
  managed->copied++;
  managed->round += DT_MANAGED_UNIT_BYTES;
  if (from < sizeof(managed->text_bytes)) {
    from = dt_masked(from, sizeof(managed->text_bytes) - DT_MANAGED_UNIT_BYTES);
    DT_UNROLL
    for (at = 0; at < DT_MANAGED_UNIT_BYTES; at += 8)
      *(u64 *)(to + at) = *(u64 *)((u8 *)managed->text_bytes + from + at);
    return 0;
  }
  from -= sizeof(managed->text_bytes);
  left = managed->record.table_bytes - from;
  dt_hide(left);
  if (left > DT_MANAGED_UNIT_BYTES) left = DT_MANAGED_UNIT_BYTES;
  if (!dt_unwind_read(to, left, managed->table.address + from)) return 0;
  /* What has been read serves. */
  managed->record.table_bytes = from;
  managed->record.is_table_cut = 1;
  return 1;
}

/* Makes the record. Returns its unit, or 0: there is no room. */
DT_INLINE u64 managed_make(struct dt_stack_walk *walk, struct dt_managed_share *share) {
  struct dt_managed_walk *managed = &walk->managed;
  u64 nr_units = 1 + managed_units(managed->record.table_bytes), unit;
  const u64 *words = (const u64 *)&managed->record;
  u8 *block, *to;
  u32 role, at;

  DT_UNROLL
  for (role = 0; role < DT_MANAGED_TEXTS; role++) nr_units += managed_units(managed->record.texts[role].size_bytes);
  unit = managed_take_units(share, nr_units);
  block = unit ? block_of(unit * DT_MANAGED_UNIT_BYTES) : NULL;
  if (!block) return 0;
  managed->copied = unit + 1;
  DT_UNROLL
  for (role = 0; role < DT_MANAGED_TEXTS; role++) {
    managed->round = role * DT_MANAGED_TEXT_BYTES;
    dt_unwind_repeat_of(struct dt_stack_walk, (u32)managed_units(managed->record.texts[role].size_bytes),
                        managed_copy_unit, walk);
  }
  managed->round = sizeof(managed->text_bytes);
  dt_unwind_repeat_of(struct dt_stack_walk, (u32)managed_units(managed->record.table_bytes), managed_copy_unit, walk);
  to = block + dt_masked(unit * DT_MANAGED_UNIT_BYTES, BLOCK_MASK & ~(DT_MANAGED_UNIT_BYTES - 1ull));
  DT_UNROLL
  for (at = 0; at < sizeof(struct dt_managed_record) / 8; at++) ((u64 *)to)[at] = words[at];
  return unit;
}

/*
 * Makes managed->entry the value of the frame of the function that managed->function to managed->table describe.
 * Returns MANAGED_ENTRY: it is there in any case.
 */
DT_GLOBAL int dt_managed_intern(struct dt_stack_walk *walk) {
  struct dt_managed_walk *managed;
  struct dt_managed_share *share;
  u64 *word, unit;
  u8 *block;
  u32 role;

  if (!walk) return MANAGED_ENTRY;
  managed = &walk->managed;
  managed->unit = 0;
  share = managed_share();
  if (!share || !share->index) return managed_missed(managed, DT_MANAGED_NO_ROOM);
  managed->record.digest[0] = dt_managed_seed;
  managed->record.digest[1] = ~dt_managed_seed;
  managed->record.language = managed->language;
  managed->record.version = managed->version;
  managed->record.first_line = managed->first_line;
  managed->record.detail = managed->detail;
  managed_mix(managed, (u64)managed->language << 32 | managed->version);
  managed_mix(managed, (u64)managed->first_line << 32 | managed->detail);
  DT_UNROLL
  for (role = 0; role < DT_MANAGED_TEXTS; role++)
    if (managed_take_text(walk, role)) return managed_missed(managed, DT_MANAGED_UNREADABLE);
  if (managed_take_table(walk)) return managed_missed(managed, DT_MANAGED_UNREADABLE);
  managed_find(walk, share);
  if (!managed->unit && managed->free) {
    unit = managed_make(walk, share);
    block = block_of(managed->free);
    if (!unit || !block) return managed_missed(managed, DT_MANAGED_NO_ROOM);
    word = (u64 *)(block + dt_masked(managed->free, BLOCK_MASK & ~7ull));
    if (__sync_val_compare_and_swap(word, 0, managed->record.digest[0] >> 32 << 32 | unit))
      managed_find(walk, share); /* another CPU was first, perhaps with the same function */
    else
      managed->unit = unit;
  }
  if (!managed->unit) return managed_missed(managed, DT_MANAGED_NO_ROOM);
  managed->last = managed->function;
  managed->entry = managed_value(managed->position, managed->unit);
  return MANAGED_ENTRY;
}

#endif
