/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vminfo.d - what the provider vminfo asks about the pages that a disk is asked for; the rest of that is in io.d.
 */

/*
 * Memory of programs on its way from the swap area and to it. What is read has no owner yet, but the marks of the swap cache in
 * its page's flags, which come first there.
 */
inline int __dt_has_swap_marks[struct folio *f] = (*(unsigned long *)f & (1ul << PG_swapcache)) != 0 &&
    (*(unsigned long *)f & (1ul << PG_swapbacked)) != 0;
inline int __dt_is_swapped_in[struct bio *b] =
    (this->__dt_folio = __dt_folio_of[b]) != NULL && this->__dt_folio->mapping == NULL &&
    __dt_has_swap_marks[this->__dt_folio];
inline int __dt_is_swapped_out[struct bio *b] = (b->bi_opf & (1 << __REQ_SWAP)) != 0;
