/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of gfp names, for both directions. */
#include <stdio.h>
#include <string.h>

#include "harness/gfp_text.h"
#include "model/gfp.h"

#define PREFIX "__GFP_"
#define PREFIX_LEN (sizeof(PREFIX) - 1)

struct gfp_name {
	const char *name;
	size_t len;
	u32 mask;
};

#define MASK(mask) {#mask, sizeof(#mask) - 1, mask}
/* The name is written out, for the preprocessor would replace the flag by its value. */
#define FLAG(name) {PREFIX #name, PREFIX_LEN + sizeof(#name) - 1, __GFP_##name}

/* Printing takes the first that fits: larger masks stand before their parts. */
static const struct gfp_name gfp_names[] = {
	MASK(GFP_TRANSHUGE),
	MASK(GFP_TRANSHUGE_LIGHT),
	MASK(GFP_HIGHUSER_MOVABLE),
	MASK(GFP_HIGHUSER),
	MASK(GFP_USER),
	MASK(GFP_KERNEL),
	MASK(GFP_NOFS),
	MASK(GFP_NOIO),
	MASK(GFP_ATOMIC),
	MASK(GFP_NOWAIT),
	FLAG(DMA),
	FLAG(HIGHMEM),
	FLAG(DMA32),
	FLAG(MOVABLE),
	FLAG(RECLAIMABLE),
	FLAG(HIGH),
	FLAG(IO),
	FLAG(FS),
	FLAG(ZERO),
	FLAG(RECLAIM),
	FLAG(DIRECT_RECLAIM),
	FLAG(KSWAPD_RECLAIM),
	FLAG(WRITE),
	FLAG(NOWARN),
	FLAG(RETRY_MAYFAIL),
	FLAG(NOFAIL),
	FLAG(NORETRY),
	FLAG(MEMALLOC),
	FLAG(COMP),
	FLAG(NOMEMALLOC),
	FLAG(HARDWALL),
	FLAG(THISNODE),
	FLAG(ACCOUNT),
	FLAG(ZEROTAGS),
	FLAG(SKIP_ZERO),
	FLAG(SKIP_KASAN),
};

static bool is_name(struct word w, const char *name, size_t len)
{
	return len == w.len && !memcmp(name, w.s, len);
}

static u32 find_name(struct word w)
{
	for (size_t i = 0; i < ARRAY_SIZE(gfp_names); i++) {
		const struct gfp_name *n = &gfp_names[i];
		bool flag = n->name[0] == '_';

		if (is_name(w, n->name, n->len) ||
		    (flag && is_name(w, n->name + PREFIX_LEN, n->len - PREFIX_LEN)))
			return n->mask;
	}
	return 0;
}

bool gfp_parse(struct word text, u32 *gfp, struct word *unknown)
{
	bool more;

	*gfp = 0;
	if (word_is(text, "0"))
		return true;
	do {
		struct word name;
		u32 mask;

		more = word_cut(&text, '|', &name);
		*unknown = more ? name : text;
		mask = find_name(*unknown);
		if (!mask)
			return false;
		*gfp |= mask;
	} while (more);
	return true;
}

const char *gfp_print(u32 gfp, char buf[GFP_TEXT_SIZE])
{
	size_t len = 0;

	strcpy(buf, "0");
	for (size_t i = 0; i < ARRAY_SIZE(gfp_names) && gfp; i++) {
		const struct gfp_name *n = &gfp_names[i];

		if ((gfp & n->mask) != n->mask)
			continue;
		len += (size_t)sprintf(buf + len, "%s%s", len ? "|" : "", n->name);
		gfp &= ~n->mask;
	}
	return buf;
}
