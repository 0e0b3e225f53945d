// SPDX-License-Identifier: GPL-2.0-only
/*
 * Locks. One thread plays, so a lock that is taken twice is a bug of the kernel or of the harness,
 * and a trylock fails where the case says so. A held zone->lock is told, and may be looked at.
 */
#include "side.h"
#include "watch.h"

/* Work since zone->lock was taken (EV_ZONE_UNLOCK): looks for free buddies, scans of blocks. */
static unsigned int looks, scans;

struct page *watch_get_page_from_free_area(struct free_area *area, int mt)
{
	looks++;
	return real_get_page_from_free_area(area, mt);
}

#ifdef HAVE_FALLBACK_RESULT
enum fallback_result watch_find_suitable_fallback(struct free_area *area, unsigned int order,
						  int mt, bool claimable, int *found)
#else
int watch_find_suitable_fallback(struct free_area *area, unsigned int order, int mt,
				 bool claimable, bool *found)
#endif
{
	looks++;
	return real_find_suitable_fallback(area, order, mt, claimable, found);
}

#ifdef HAVE_WATCH_prep_move_freepages_block
bool watch_prep_move_freepages_block(struct zone *z, struct page *page, unsigned long *start,
				     int *num_free, int *num_movable)
{
	bool whole = real_prep_move_freepages_block(z, page, start, num_free, num_movable);

	scans += whole && num_free;
	return whole;
}

int watch___move_freepages_block(struct zone *z, unsigned long start, int old_mt, int new_mt)
{
	scans++;
	return real___move_freepages_block(z, start, old_mt, new_mt);
}
#endif

static struct zone *zone_of_lock(const raw_spinlock_t *lock)
{
	for (unsigned int i = 0; i < side.machine.nr_zones; i++)
		if (side.zones[i] && &side.zones[i]->lock.rlock == lock)
			return side.zones[i];
	return NULL;
}

static void take(raw_spinlock_t *lock)
{
	if (lock->raw_lock.val.counter)
		side.host.die("a lock is taken that is held already");
	lock->raw_lock.val.counter = 1;
}

static void zone_locked(struct zone *z)
{
	side_after_lock(z);
	looks = scans = 0;
	EMIT(EV_ZONE_LOCK, .zone = zone_number(z));
}

static void lock(raw_spinlock_t *lock)
{
	struct zone *z = zone_of_lock(lock);

	if (z)
		side_before_lock(z);
	take(lock);
	if (z)
		zone_locked(z);
}

static void unlock(raw_spinlock_t *lock)
{
	struct zone *z = zone_of_lock(lock);

	if (!lock->raw_lock.val.counter)
		side.host.die("a lock is released that is not held");
	if (z) {
		side_before_unlock(z);
		EMIT(EV_ZONE_UNLOCK, .zone = zone_number(z), .a = looks, .b = scans);
	}
	lock->raw_lock.val.counter = 0;
	side_after_unlock(lock);
}

static bool trylock(raw_spinlock_t *lock)
{
	struct zone *z = zone_of_lock(lock);

	if (lock->raw_lock.val.counter)
		return false;
	if (z ? env_ask(ENV_LOCK_ZONE, z, -1, 0, 0, NULL) :
		percpu_owns(lock) && env_ask(ENV_LOCK_PCP, NULL, -1, 0, 0, NULL))
		return false;
	take(lock);
	if (z)
		zone_locked(z);
	return true;
}

bool side_lock_is_held(const spinlock_t *lock)
{
	return lock->rlock.raw_lock.val.counter;
}

void _raw_spin_lock(raw_spinlock_t *l)
{
	lock(l);
}

unsigned long _raw_spin_lock_irqsave(raw_spinlock_t *l)
{
	lock(l);
	return 0;
}

void _raw_spin_lock_irq(raw_spinlock_t *l)
{
	lock(l);
}

int _raw_spin_trylock(raw_spinlock_t *l)
{
	return trylock(l);
}

#ifndef _raw_spin_unlock /* inlined without preemption */
void _raw_spin_unlock(raw_spinlock_t *l)
{
	unlock(l);
}
#endif

void _raw_spin_unlock_irqrestore(raw_spinlock_t *l, unsigned long flags)
{
	unlock(l);
}

#ifndef _raw_spin_unlock_irq
void _raw_spin_unlock_irq(raw_spinlock_t *l)
{
	unlock(l);
}
#endif
