// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * aggregate.bpf.c - finding an aggregation's value, and updating it.
 *
 * Updates are atomic, because a program may be interrupted by another on the same CPU between any two instructions; save
 * those of an aggregation that one program alone updates, and that the kernel does not run while it runs (`alone`, a
 * constant): there an addition without a lock is a third of the cost of the whole firing less.
 * Arithmetic that has no map in it is in buckets.bpf.h, which the host's tests compile too.
 */
#include "dt_bpf.h"
#include "buckets.bpf.h"
#include "dt_slot.h"

extern struct dt_control dt_control;

/*
 * dt_agg_total - the value of an aggregation without keys.
 *
 * In:       totals, its values, `slots` of `bytes` bytes each; slot, bank * CPUs + this CPU; mark, the word that says that
 *           there was an update, if no other does, else 0.
 * Out:      the value; NULL only for the verifier.
 * Cost:     a multiplication: the number of the CPU is a load, and a look-up in a per-CPU array is three.
 */
DT_API u64 *dt_agg_total(void *totals, u32 slot, u32 slots, u32 bytes, u32 mark)
{
	u64 at = slot, *value;

	barrier_var(at);
	if (unlikely(at >= slots))
		return NULL;
	value = totals + at * bytes;
	if (mark)
		value[mark] = 1;
	return value;
}

/*
 * dt_bank_enter - the bank of a program that may sleep, which the consumer then does not drain before dt_bank_leave().
 *
 * In:       running, per-CPU array of two counters: the programs that use each bank.
 * Out:      the bank. It was the active one after the counter said so, so that a consumer that switches banks and then
 *           reads the counters sees this program or is seen by it.
 * Note:     programs that cannot sleep need none of this: the consumer waits for them as RCU does.
 */
DT_API u32 dt_bank_enter(void *running)
{
	u32 bank = 0;

	for (u32 i = 0; i < 4; i++) {
		u64 *count, before;

		bank = *(volatile u32 *)&dt_control.state & DT_STATE_BANK;
		count = bpf_map_lookup_elem(running, &bank);
		if (!count)
			return bank;
		before = __sync_fetch_and_add(count, 1); /* with a result it is a full barrier */
		asm volatile("" ::"r"(before));
		if ((*(volatile u32 *)&dt_control.state & DT_STATE_BANK) == bank || i == 3)
			return bank;
		__sync_fetch_and_add(count, -1);
	}
	return bank;
}

DT_API void dt_bank_leave(void *running, u32 bank)
{
	u64 *count = bpf_map_lookup_elem(running, &bank);

	u64 before;

	if (!count)
		return;
	/* Without a result the processor may do it before the program's last stores; arm64 does. */
	before = __sync_fetch_and_add(count, -1);
	asm volatile("" ::"r"(before));
}

extern void *dt_ring(u32 cpu);

/*
 * wake_consumer - a bare record that makes the consumer look at its tables. Losing it costs only time.
 */
DT_FUNC int dt_wake(void)
{
	void *ring = dt_ring(bpf_get_smp_processor_id());
	struct dt_record *record;

	if (!ring)
		return 0;
	record = bpf_ringbuf_reserve(ring, sizeof(*record), 0);
	if (!record)
		return 0;
	record->clause = DT_RECORD_WAKE;
	record->probe = 0;
	record->time = 0;
	bpf_ringbuf_submit(record, BPF_RB_FORCE_WAKEUP);
	return 0;
}

/* element_in - the value of a key in the table of this CPU; as dt_agg_element(). */
DT_INLINE u64 *element_in(void *map, const void *key, const void *zero, u32 index)
{
	u64 *value = bpf_map_lookup_elem(map, key);

	if (likely(value))
		return value;
	if (bpf_map_update_elem(map, key, zero, BPF_NOEXIST) == 0) {
		index &= DT_MAX_AGGREGATIONS - 1;
		if (__sync_fetch_and_add(&dt_control.new_keys[index], 1) + 1 == dt_control.wake_at[index])
			dt_wake();
	}
	return bpf_map_lookup_elem(map, key);
}

/*
 * dt_agg_element - the value of one key, made if absent.
 *
 * In:       maps, array of hash maps; slot, bank * CPUs + this CPU; key, of the map's key size, every byte defined;
 *           zero, read-only zeros of the map's value size; index, the aggregation's counter of new keys.
 * Out:      map value; NULL: no room. A value is never removed while its bank is in use.
 * Cost:     one lookup in the array, one in the hash (40-80 ns).      Context: any, NMI included.
 */
DT_API u64 *dt_agg_element(void *maps, u32 slot, const void *key, const void *zero, u32 index)
{
	void *map = bpf_map_lookup_elem(maps, &slot);

	return unlikely(!map) ? NULL : element_in(map, key, zero, index);
}

/*
 * dt_agg_element_called - the same, not inlined: for programs with so many updates that the copies would be most of them.
 */
DT_FUNC u64 *dt_agg_element_called(void *maps, u32 slot, const void *key, const void *zero, u32 index)
{
	void *map = bpf_map_lookup_elem(maps, &slot);

	/* Never so, but the verifier follows both ways, and this one first if it lies right behind: there it has least to
	 * come back to, and what it has to come back to is bounded. */
	if (likely(!map)) {
		asm volatile("");
		return NULL;
	}
	return element_in(map, key, zero, index);
}

/*
 * dt_key_text_end - ends the text that is the open field of a long key.
 *
 * In:       text, scratch, aligned to 8; length, without the NUL; bytes, the field's size.
 * Out:      bytes up to and with the NUL. Zeros behind it in its word.
 */
DT_API u64 dt_key_text_end(u64 *text, u64 length, u32 bytes)
{
	u64 word;

	barrier_var(length);
	if (length >= bytes)
		return bytes; /* never: the text has its NUL within its size */
	word = length >> 3;
	text[word] &= (1ULL << (length & 7) * 8) - 1;
	return length + 1;
}

/*
 * Where a long key is in the table: the key itself if it ends within these bytes, else a hash of it, the last bit of which
 * is 1. The last byte of a text is 0, so a text is never another key's hash; two kernel addresses are one as likely as
 * 127 bits are equal by chance.
 */
struct dt_place {
	u64 low, high;
};

/* Two sums side by side: a multiplication takes as long as the next one's operand takes to load. */
#define DT_HASH_A 0x9e3779b97f4a7c15ULL
#define DT_HASH_B 0xc2b2ae3d27d4eb4fULL

/*
 * Loops over the words of a long key take a group of words at a time. The verifier looks at a group once, not at every round;
 * a firing pays 2 ns for it. A key that ends within a group has zeros up to the group's end.
 */
#define DT_GROUP  8

/* A bpf_loop() hands its body an address on the stack only. */
struct dt_words {
	const u64 *one, *other; /* of `words` words, of which `used` are compared or hashed */
	u64 words, used;
	u64 differ;
	struct dt_place sums;
};

/* Words of a group from there on are all in the key, and some are in use. */
DT_INLINE int is_in_group(const struct dt_words *of, u64 at)
{
	return at <= of->words - DT_GROUP && at < of->used;
}

DT_INLINE void hash_pair(struct dt_place *sums, const u64 *key)
{
	sums->low = (sums->low ^ key[0]) * DT_HASH_A;
	sums->high = (sums->high ^ key[1]) * DT_HASH_B;
	sums->low ^= sums->low >> 32;
	sums->high ^= sums->high >> 29;
}

static long hash_group(u32 i, struct dt_words *of)
{
	u64 at = (u64)i * DT_GROUP;

	barrier_var(at);
	if (!is_in_group(of, at))
		return 1;
	hash_pair(&of->sums, of->one + at);
	hash_pair(&of->sums, of->one + at + 2);
	hash_pair(&of->sums, of->one + at + 4);
	hash_pair(&of->sums, of->one + at + 6);
	return 0;
}

/*
 * This and same_words() are calls, so that their frames are not below a walk of a user stack: the frames of what is called
 * from one function have 512 bytes together.
 */
static __attribute__((noinline)) void hash_words(const u64 *key, volatile u64 *in_use, u32 words,
						 struct dt_place *place)
{
	struct dt_words of = {.one = key, .words = words, .used = *in_use, .sums = {DT_HASH_A, DT_HASH_B}};
	u32 i;

	if (words >= DT_GROUP)
		bpf_loop(words / DT_GROUP, hash_group, &of, 0);
#pragma clang loop unroll(disable)
	for (i = words & -DT_GROUP; i < words && i < *in_use; i += 2)
		hash_pair(&of.sums, key + i);
	of.sums.high |= 1ULL << 63; /* the table's own hash mixes them */
	*place = of.sums;
}

DT_INLINE u64 difference(const u64 *one, const u64 *other)
{
	return (one[0] ^ other[0]) | (one[1] ^ other[1]);
}

static long compare_group(u32 i, struct dt_words *of)
{
	u64 at = (u64)i * DT_GROUP;
	const u64 *one = of->one, *other = of->other;

	barrier_var(at);
	if (!is_in_group(of, at))
		return 1;
	of->differ = difference(one + at, other + at) | difference(one + at + 2, other + at + 2) |
		     difference(one + at + 4, other + at + 4) | difference(one + at + 6, other + at + 6);
	return of->differ != 0;
}

static __attribute__((noinline)) int same_words(const u64 *one, const u64 *other, volatile u64 *in_use, u32 words)
{
	struct dt_words of = {.one = one, .other = other, .words = words, .used = *in_use};
	u64 differ;
	u32 i;

	if (words >= DT_GROUP)
		bpf_loop(words / DT_GROUP, compare_group, &of, 0);
	differ = of.differ;
#pragma clang loop unroll(disable)
	for (i = words & -DT_GROUP; i < words && i < *in_use; i += 2)
		differ |= difference(one + i, other + i);
	return differ == 0;
}

/* A bpf_loop() hands its body an address on the stack only, which the body does not change. */
struct dt_clearing {
	u64 *memory;
	u64 from, words;
};

static long clear_word(u32 i, struct dt_clearing *of)
{
	u64 at = of->from + i;

	barrier_var(at);
	if (at >= of->words)
		return 1;
	of->memory[at] = 0;
	return 0;
}

DT_INLINE void clear_words(u64 *memory, u64 from, u32 words)
{
	struct dt_clearing of = {.memory = memory, .from = from, .words = words};

	bpf_loop(words, clear_word, &of, 0);
}

/* Ends a key of `used` words with zeros, up to the end of the group or of the key. */
DT_INLINE void end_words(u64 *key, u64 used, u32 words)
{
	u64 *end;

	barrier_var(used);
	if (words < DT_GROUP || used > words - DT_GROUP) {
		clear_words(key, used, words);
		return;
	}
	end = key + used;
#pragma unroll
	for (u32 i = 0; i < DT_GROUP; i++)
		end[i] = 0;
}

/*
 * new_element - makes the element of a long key.
 *
 * In:       as dt_agg_long(); *in_use, the words of the key that are set.
 * Out:      map value, this one or that of a program that interrupted; NULL: no room.
 */
DT_INLINE u64 *new_element(void *map, struct dt_place *place, u64 *element, u32 head, volatile u64 *in_use, u32 words,
			   u32 index)
{
	clear_words(element + head, *in_use, words);
	clear_words(element, 0, head);
	if (bpf_map_update_elem(map, place, element, BPF_NOEXIST) == 0) {
		index &= DT_MAX_AGGREGATIONS - 1;
		if (__sync_fetch_and_add(&dt_control.new_keys[index], 1) + 1 == dt_control.wake_at[index])
			dt_wake();
	}
	return bpf_map_lookup_elem(map, place);
}

/*
 * dt_agg_long - the value of one long key, made if absent.
 *
 * The table is keyed by a hash of the key, because the kernel would hash and compare every byte that a key can have; each
 * element has its key behind the value, and is taken only if that is the one wanted. The used part of a key is often short,
 * and is then the table's key itself: there is nothing to hash and to compare.
 *
 * In:       maps, slot, index as dt_agg_element(); scratch, the firing's slot; element, in it: `head` words of the value,
 *           unset, and the key, `words` words, an even number; end, bytes of the key up to the end of its open field, which
 *           is a word of 0 or a NUL with zeros up to the next word. What lies behind is unset.
 * Out:      map value; NULL: no room, or another key has the same hash. A value is never removed while its bank is in use.
 * Note:     keys are the same if they are the same up to where one ends: there the other is 0 and ends too.
 * Cost:     2 ns a word and two lookups.      Context: any, NMI included.
 */
DT_API u64 *dt_agg_long(void *maps, u32 slot, void *scratch, u64 *element, u32 head, u64 end, u32 words, u32 index)
{
	void *map = bpf_map_lookup_elem(maps, &slot);
	/* The number of words in use goes through memory: a verifier that knew it would walk each loop once for every
	 * number. */
	volatile u64 *in_use = &((struct dt_slot *)scratch)->loop.value;
	u64 *key = element + head;
	u64 used, *value;
	struct dt_place place;
	int is_place;

	if (unlikely(!map))
		return NULL;
	/* Likewise once for every way that the key was made. */
	*in_use = end;
	end = *in_use;
	used = (end + 7) / 8;
	is_place = end <= sizeof(place);
	if (likely(is_place)) {
		place.low = key[0];
		place.high = end > 8 ? key[1] : 0;
		value = bpf_map_lookup_elem(map, &place);
		if (likely(value))
			return value;
		*in_use = used;
	} else {
		barrier_var(used);
		if (used > words)
			used = words;
		end_words(key, used, words);
		*in_use = used;
		hash_words(key, in_use, words, &place);
	}

	value = bpf_map_lookup_elem(map, &place);
	if (!value)
		value = new_element(map, &place, element, head, in_use, words, index);
	if (!value || is_place || same_words(value + head, key, in_use, words))
		return value;
	return NULL;
}

/*
 * dt_agg_long_called - the same, not inlined: for programs with many long keys. The kernel copies a program for each look-up
 * that it replaces, so copies of this function cost the square of their number.
 *
 * In:       layout, constants of dt_agg_long(): bits 0 to 23 where the element is in the scratch, 24 to 37 head, 38 to 53
 *           words, from 54 on index.
 */
DT_FUNC u64 *dt_agg_long_called(void *maps, u32 slot, void *scratch, u64 end, u64 layout)
{
	u64 *element = scratch + (layout & 0xffffff);

	return dt_agg_long(maps, slot, scratch, element, layout >> 24 & 0x3fff, end, layout >> 38 & 0xffff,
			   layout >> 54);
}

/*
 * dt_agg_is_full - why a key found no room.
 *
 * In:       index, the aggregation's counter of new keys.
 * Out:      0: there are too few new keys for a table to be full. The kernel has refused the key, because this firing
 *           interrupted another update of the table, or because no memory was at hand where it may not wait.
 */
DT_API u32 dt_agg_is_full(u32 index)
{
	index &= DT_MAX_AGGREGATIONS - 1;
	return *(volatile u64 *)&dt_control.new_keys[index] >= *(volatile u64 *)&dt_control.wake_at[index];
}

DT_INLINE void add(u64 *word, u64 amount, u32 alone)
{
	if (alone)
		*word += amount;
	else
		__sync_fetch_and_add(word, amount);
}

DT_API void dt_agg_add(u64 *word, u64 amount, u32 alone)
{
	add(word, amount, alone);
}

/* How often a min/max update may lose to a program that interrupted it. */
#define DT_RACES 8

/*
 * dt_agg_extreme - keeps the smallest (sign 1) or greatest (sign -1) value.
 *
 * In:       words { value, n }: n == 0 means no value yet.
 * Out:      0; -1 if it lost DT_RACES races, and the value may be missing.
 * Order:    the value is written before n, so a reader that sees n > 0 sees a value that was passed. Before that a value other
 *           than 0 is one too; only a first 0 is lost if another program interrupts between the two writes.
 */
DT_INLINE int extreme(u64 *words, s64 value, int is_min, u32 alone)
{
	if (alone) {
		s64 seen = words[0];

		if (words[1] == 0 || (is_min ? value < seen : value > seen))
			words[0] = value;
		words[1]++;
		return 0;
	}
	for (int i = 0; i < DT_RACES; i++) {
		u64 n = *(volatile u64 *)&words[1];
		s64 seen = *(volatile s64 *)&words[0];

		if ((n || seen) && (is_min ? seen <= value : seen >= value))
			goto done;
		if (__sync_val_compare_and_swap(&words[0], seen, value) == (u64)seen)
			goto done;
	}
	return -1;
done:
	__sync_fetch_and_add(&words[1], 1);
	return 0;
}

DT_API int dt_agg_min(u64 *words, s64 value, u32 alone)
{
	return extreme(words, value, 1, alone);
}

DT_API int dt_agg_max(u64 *words, s64 value, u32 alone)
{
	return extreme(words, value, 0, alone);
}

/*
 * dt_agg_avg - words { n, sum }.
 */
DT_API void dt_agg_avg(u64 *words, s64 value, u32 alone)
{
	add(&words[0], 1, alone);
	add(&words[1], value, alone);
}

/*
 * dt_agg_stddev - words { n, sum, sum of squares low, high }.
 *
 * The carry is found from what the low word was before this addition, so no other update can take it away.
 */
DT_API void dt_agg_stddev(u64 *words, s64 value, u32 alone)
{
	u64 high, low = dt_square(value, &high), before;

	add(&words[0], 1, alone);
	add(&words[1], value, alone);
	before = alone ? words[2] : __sync_fetch_and_add(&words[2], low);
	if (alone)
		words[2] = before + low;
	if (before + low < before)
		high++;
	if (high)
		add(&words[3], high, alone);
}

/*
 * The three histogram functions: bucket of `value` += `amount`. `buckets` bounds the index for the verifier, which
 * cannot follow the arithmetic.
 */
DT_INLINE void add_to_bucket(u64 *words, u32 bucket, u32 buckets, u64 amount, u32 alone)
{
	barrier_var(bucket);
	if (bucket < buckets)
		add(&words[bucket], amount, alone);
}

DT_API void dt_agg_quantize(u64 *words, s64 value, u64 amount, u32 alone)
{
	add_to_bucket(words, dt_quantize_bucket(value), 127, amount, alone);
}

DT_API void dt_agg_lquantize(u64 *words, s64 value, u64 amount, s32 base, u32 step, u32 levels, u32 alone)
{
	add_to_bucket(words, dt_lquantize_bucket(value, base, step, levels), levels + 2, amount, alone);
}

DT_API void dt_agg_llquantize(u64 *words, s64 value, u64 amount, u64 params, u32 buckets, u32 alone)
{
	add_to_bucket(words, dt_llquantize_bucket(value, params, params >> 16, params >> 32, params >> 48), buckets,
		      amount, alone);
}
