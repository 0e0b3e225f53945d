/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inside the judge: copies of the small state before an op, and of one zone before a
 * decision (struct shot, struct zone_shot of step.h). Taking one is a few plain copies
 * into memory that was allocated once.
 */
#ifndef PROPERTIES_SHOT_H
#define PROPERTIES_SHOT_H

#include "properties/step.h"

/* Room for @view's machine; false without memory. */
bool shot_init(struct shot *shot, const struct view *view);
void shot_exit(struct shot *shot);
void shot_take(struct shot *shot, const struct view *view, bool blocks);

/* Room for any zone of @view's machine; false without memory. */
bool zone_shot_init(struct zone_shot *shot, const struct view *view);
void zone_shot_exit(struct zone_shot *shot);
/* With or without the @heads of its free lists. */
void zone_shot_take(struct zone_shot *shot, const struct view *view, u32 zone, bool heads);

/*
 * Make the shot that @d was judged by show the zone after it, by copying what a page that is taken
 * off the lists of one type, or drained, changes. False, and nothing is done: @d is of another kind.
 */
bool zone_shot_update(struct zone_shot *shot, const struct decision *d);
/* Has a block of the zone other flags than in the shot? */
bool zone_shot_blocks_changed(const struct zone_shot *shot, const struct view *view);

#endif
