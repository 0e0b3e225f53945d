/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The arena: one allocation that holds every table of the state, and a template
 * of it as it was after boot.
 *
 *      arena     | global | nodes | zones | pcps | pages | links | pageblock flags |
 *      pristine  the same, copied when boot is done
 *
 * Under AddressSanitizer there is a poisoned gap behind every table of the arena, so
 * that an index beyond its end is reported there and does not hit the next table.
 */
#include <stdlib.h>
#include <string.h>

#include "model/internal.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define HAVE_ASAN 1
#endif

#ifdef HAVE_ASAN
#include <sanitizer/asan_interface.h>
#define TABLE_GAP 4096
#else
#define TABLE_GAP 0
#define ASAN_POISON_MEMORY_REGION(p, size) ((void)(p), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(p, size) ((void)(p), (void)(size))
#endif

#define TABLE_ALIGN CARD_SIZE

enum {
	TABLE_GLOBAL,
	TABLE_NODES,
	TABLE_ZONES,
	TABLE_PCPS,
	TABLE_PAGES,
	TABLE_LINKS,
	TABLE_PAGEBLOCK_FLAGS,
	NR_TABLES,
};

struct layout {
	size_t offset[NR_TABLES];
	size_t size[NR_TABLES]; /* whole words: they are compared word by word */
	size_t total;
};

static size_t round_up(size_t x, size_t a)
{
	return (x + a - 1) & ~(a - 1);
}

static struct layout lay_out(const struct memory *m)
{
	struct layout l = {
		.size =
			{
				[TABLE_GLOBAL] = sizeof(*m->global),
				[TABLE_NODES] = m->nr_nodes * sizeof(*m->nodes),
				[TABLE_ZONES] = m->nr_zones * sizeof(*m->zones),
				[TABLE_PCPS] = (size_t)m->nr_zones * m->nr_cpus * sizeof(*m->pcps),
				[TABLE_PAGES] = m->nr_pages * sizeof(*m->pages),
				[TABLE_LINKS] = m->view.nr_links * sizeof(*m->links),
				[TABLE_PAGEBLOCK_FLAGS] =
					align_up(m->nr_pages, m->pageblock_nr_pages) >>
					m->pageblock_order,
			},
	};

	for (u32 t = 0; t < NR_TABLES; t++) {
		l.size[t] = round_up(l.size[t], sizeof(u64));
		l.offset[t] = l.total;
		l.total = round_up(l.total + l.size[t] + TABLE_GAP, TABLE_ALIGN);
	}
	return l;
}

/* Everything that follows from the machine alone. */
static void copy_parameters(struct memory *m, const struct machine *machine)
{
	m->machine = *machine;
	m->nr_pages = machine_end_pfn(machine);
	m->nr_zones = machine->nr_zones;
	m->nr_nodes = machine->nr_nodes;
	m->nr_cpus = machine->nr_cpus;
	m->max_page_order = machine->max_page_order;
	m->pageblock_order = machine->pageblock_order;
	m->pageblock_nr_pages = BIT(machine->pageblock_order);
	m->pmd_order = machine->pmd_order;
	m->alloc_nofragment = machine->config_dma32 ? ALLOC_NOFRAGMENT : 0;
	m->env_defaults = env_config_calls(&machine->env);
	m->fuel = machine->fuel;
	m->view.nr_pages = m->nr_pages;
	m->view.nr_links = m->nr_pages + GLOBAL_LIST_HEADS +
			   m->nr_zones * (ZONE_LIST_HEADS + m->nr_cpus * NR_PCP_LISTS);
}

static void place_tables(struct memory *m, const struct layout *l)
{
	u8 *base = m->arena;

	m->global = (void *)(base + l->offset[TABLE_GLOBAL]);
	m->nodes = (void *)(base + l->offset[TABLE_NODES]);
	m->zones = (void *)(base + l->offset[TABLE_ZONES]);
	m->pcps = (void *)(base + l->offset[TABLE_PCPS]);
	m->pages = (void *)(base + l->offset[TABLE_PAGES]);
	m->links = (void *)(base + l->offset[TABLE_LINKS]);
	m->pageblock_flags = base + l->offset[TABLE_PAGEBLOCK_FLAGS];
	m->view.machine = &m->machine;
	m->view.global = m->global;
	m->view.nodes = m->nodes;
	m->view.zones = m->zones;
	m->view.pcps = m->pcps;
	m->view.pages = m->pages;
	m->view.links = m->links;
	m->view.pageblock_flags = m->pageblock_flags;
}

static bool create_arena(struct memory *m)
{
	struct layout l = lay_out(m);

	m->arena_size = l.total;
	m->arena = aligned_alloc(TABLE_ALIGN, l.total);
	m->pristine = calloc(1, l.total);
	if (!m->arena || !m->pristine || !journal_init(&m->journal, m->arena, l.total))
		return false;
	place_tables(m, &l);
	memset(m->arena, 0, l.total);
	for (u32 t = 0; t < NR_TABLES; t++)
		ASAN_POISON_MEMORY_REGION((u8 *)m->arena + l.offset[t] + l.size[t], TABLE_GAP);
	return true;
}

/* Table by table: the gaps between them must not be touched. */
static void copy_tables(const struct memory *m, void *to, const void *from)
{
	struct layout l = lay_out(m);

	for (u32 t = 0; t < NR_TABLES; t++)
		memcpy((u8 *)to + l.offset[t], (const u8 *)from + l.offset[t], l.size[t]);
}

struct memory *memory_create(const struct machine *machine)
{
	struct memory *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	copy_parameters(m, machine);
	if (!create_arena(m)) {
		memory_destroy(m);
		return NULL;
	}
	boot(m);
	copy_tables(m, m->pristine, m->arena);
	journal_forget(&m->journal);
	return m;
}

void memory_destroy(struct memory *m)
{
	if (!m)
		return;
	journal_exit(&m->journal);
	looker_exit(&m->looker);
	if (m->arena)
		ASAN_UNPOISON_MEMORY_REGION(m->arena, m->arena_size);
	free(m->arena);
	free(m->pristine);
	free(m);
}

void memory_reset(struct memory *m)
{
	journal_undo(&m->journal, m->pristine, m->looker.seen);
	m->env = (struct environment){.answers = {.nr = 0}};
	m->capture = NULL;
	m->fuel = m->machine.fuel;
	m->nest_points = 0;
	m->held = (struct held_pcp){.pcp = NULL};
}

/* ---- what users of the port reach for ------------------------------------ */

bool memory_is_pristine(const struct memory *m)
{
	struct layout l = lay_out(m);

	for (u32 t = 0; t < NR_TABLES; t++)
		if (memcmp((const u8 *)m->arena + l.offset[t],
			   (const u8 *)m->pristine + l.offset[t], l.size[t]) != 0)
			return false;
	return true;
}

const struct view *memory_view(const struct memory *m)
{
	return &m->view;
}

void memory_observe(struct memory *m, const struct observer *observer)
{
	m->observer = observer;
	m->observe_mask = observer ? observer->mask : 0;
}

struct zone *find_zone(struct memory *m, u32 nid, u32 type)
{
	for (u32 i = 0; i < m->nr_zones; i++)
		if (m->zones[i].node == nid && m->zones[i].type == type)
			return &m->zones[i];
	return NULL;
}

struct zone *zone_at(struct memory *m, u32 index)
{
	return index < m->nr_zones ? &m->zones[index] : NULL;
}

void set_cpu(struct memory *m, u32 cpu)
{
	SET(m, m->global->task.cpu, cpu);
}

void set_task_flags(struct memory *m, u32 flags)
{
	SET(m, m->global->task.flags, flags);
}

void set_mems_allowed(struct memory *m, u32 allowed, u32 hardwall)
{
	SET(m, m->global->task.mems_allowed, allowed);
	SET(m, m->global->task.mems_hardwall, hardwall);
}
