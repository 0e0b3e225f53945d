/* SPDX-License-Identifier: GPL-2.0-only */
/* What the watched functions tell each other. Their prototypes come from the tree: real_NAME, watch_NAME. */
#ifndef KERNEL_SIDE_WATCH_H
#define KERNEL_SIDE_WATCH_H

#include "watched.h" /* made by the builder */

/* A look at the free lists begins, and has ended. */
void side_slow_look(gfp_t gfp);
void side_slow_looked(struct page *page, gfp_t gfp, unsigned int alloc_flags);
/* An op of another CPU begins inside of one, and has ended: what is known of the one that waits. */
void side_slow_set_aside(void);
void side_slow_take_up(void);
void side_watch_set_aside(void);
void side_watch_take_up(void);
/* Around zone->lock. */
void side_before_lock(struct zone *z);
void side_after_lock(struct zone *z);
void side_before_unlock(struct zone *z);
/* Of any lock. */
void side_after_unlock(raw_spinlock_t *lock);

#endif
