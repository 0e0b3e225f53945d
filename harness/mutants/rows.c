/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Making a row: the corpus, then each engine with some seeds, then the smallest script.
 *
 *      {"id": "B05", "reached": true, "infected": true, "detected": "free-list-type", "ops": 5,
 *       "corpus": {"file": "claim.script", "detected": "free-list-type"},
 *       "engines": {"libfuzzer": {"seeds": 8, "found": 8, "executions": 61, "seconds": 0.1}, ...}}
 */
#define _GNU_SOURCE /* asprintf */
#include "harness/mutants/rows.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/mutants/apart.h"

#define MAX_SCRIPTS 512
#define UNDETECTED_SEEDS 3 /* so many without success are enough */
#define RANDOM_FACTOR 5 /* of what a guided engine needs */
#define RANDOM_SECONDS 20U /* at most */

/* ---- files --------------------------------------------------------------- */

static void path_of(char path[FUZZ_PATH_SIZE], const struct plan *plan, const char *what,
		    const char *id, const char *suffix)
{
	snprintf(path, FUZZ_PATH_SIZE, "%s/%s", plan->folder, what);
	mkdir(path, 0777);
	snprintf(path, FUZZ_PATH_SIZE, "%s/%s/%s%s", plan->folder, what, id, suffix);
}

json_t *row_load(const struct plan *plan, const struct mutant *mutant)
{
	char path[FUZZ_PATH_SIZE];
	json_t *row;
	const char *build;

	path_of(path, plan, "rows", mutant->id, ".json");
	row = json_load_file(path, 0, NULL);
	build = json_string_value(json_object_get(row, "build"));
	if (build && !strcmp(build, plan->build))
		return row;
	json_decref(row);
	return NULL;
}

static void save(const struct plan *plan, const struct mutant *mutant, const json_t *row)
{
	char path[FUZZ_PATH_SIZE];

	path_of(path, plan, "rows", mutant->id, ".json");
	if (json_dump_file(row, path, JSON_INDENT(1)))
		perror(path);
}

static json_t *begin_row(const struct plan *plan, const struct mutant *mutant)
{
	return json_pack("{ss ss ss ss sb sb sn si sn s{}}", "build", plan->build, "id", mutant->id,
			 "title", mutant->title, "breaks", mutant->breaks, "reached", false,
			 "infected", false, "detected", "ops", 0, "corpus", "engines");
}

/* ---- the corpus ---------------------------------------------------------- */

static int is_script(const struct dirent *entry)
{
	return strstr(entry->d_name, ".script") != NULL;
}

/* The paths of the scripts of the corpus, regressions first; returns how many. */
static u32 list_corpus(const struct plan *plan, char *paths[MAX_SCRIPTS])
{
	static const char *const folders[] = {"regressions", "seeds"};
	u32 nr_paths = 0;

	for (u32 f = 0; f < ARRAY_SIZE(folders); f++) {
		char path[FUZZ_PATH_SIZE];
		struct dirent **files;
		int nr;

		snprintf(path, sizeof(path), "%s/%s", plan->corpus, folders[f]);
		nr = scandir(path, &files, is_script, alphasort);
		for (int i = 0; i < nr && nr_paths < MAX_SCRIPTS; i++) {
			if (asprintf(&paths[nr_paths++], "%s/%s", path, files[i]->d_name) < 0)
				abort();
			free(files[i]);
		}
		if (nr >= 0)
			free((void *)files);
	}
	return nr_paths;
}

static void try_corpus(const struct plan *plan, const struct mutant *mutant, json_t *row)
{
	char *paths[MAX_SCRIPTS];
	u32 nr = list_corpus(plan, paths), which;
	struct judgement v = apart_play(mutant, paths, nr, &which);

	if (v.detected) {
		json_object_set_new(row, "corpus",
				    json_pack("{ss ss}", "file", paths[which], "detected",
					      detected_by(v.how)));
		json_object_set_new(row, "reached", json_true());
		json_object_set_new(row, "infected", json_true());
	}
	while (nr)
		free(paths[--nr]);
}

/* ---- engines ------------------------------------------------------------- */

struct outcome {
	u64 executions;
	double seconds;
};

static int by_executions(const void *a, const void *b)
{
	const struct outcome *x = a, *y = b;

	return (x->executions > y->executions) - (x->executions < y->executions);
}

/* Of the seeds, those without success count as more than all others. */
static json_t *figures(struct outcome *found, u32 nr_found, u32 seeds)
{
	u32 middle = (seeds - 1) / 2;

	qsort(found, nr_found, sizeof(*found), by_executions);
	if (middle >= nr_found)
		return json_pack("{si si}", "seeds", seeds, "found", nr_found);
	return json_pack("{si si sI sf}", "seeds", seeds, "found", nr_found, "executions",
			 (json_int_t)found[middle].executions, "seconds", found[middle].seconds);
}

static double median_of(const json_t *engines, const char *name)
{
	return json_number_value(json_object_get(json_object_get(engines, name), "seconds"));
}

static u64 seconds_for(const struct plan *plan, const struct fuzz_engine *engine,
		       const json_t *engines)
{
	double guided = median_of(engines, "libfuzzer");

	if (engine->guided)
		return plan->seconds;
	if (guided > 0 && guided * RANDOM_FACTOR < RANDOM_SECONDS)
		return 1 + (u64)(guided * RANDOM_FACTOR);
	return plan->seconds < RANDOM_SECONDS ? plan->seconds : RANDOM_SECONDS;
}

static void note(const struct plan *plan, const struct mutant *mutant,
		 const struct mutant_progress *end, json_t *row)
{
	char path[FUZZ_PATH_SIZE];
	u32 ops = 0;

	if (end->reached_at || end->infected_at)
		json_object_set_new(row, "reached", json_true());
	if (end->infected_at || end->detected_at)
		json_object_set_new(row, "infected", json_true());
	if (!end->detected_at || json_is_string(json_object_get(row, "detected")))
		return;
	path_of(path, plan, "scripts", mutant->id, ".script");
	if (!plan->no_scripts)
		ops = apart_shrink(mutant, end, path);
	json_object_set_new(row, "detected", json_string(detected_by(end->how)));
	json_object_set_new(row, "ops", json_integer(ops));
}

/* False, with a message: it could not be run. */
static bool try_engine(const struct plan *plan, const struct mutant *mutant,
		       const struct fuzz_engine *engine, json_t *row)
{
	json_t *engines = json_object_get(row, "engines");
	u64 seconds = seconds_for(plan, engine, engines);
	struct outcome found[64] = {0};
	char work[FUZZ_PATH_SIZE];
	u32 nr_found = 0, seed;

	path_of(work, plan, "work", mutant->id, engine->name);
	for (seed = 1; seed <= plan->seeds; seed++) {
		static struct mutant_progress end;

		if (!nr_found && seed > UNDETECTED_SEEDS)
			break;
		if (!trial_run(mutant, engine, seed, seconds, work, &end))
			return false;
		if (end.detected_at && end.how >= nr_properties && !apart_confirm(mutant, &end)) {
			fprintf(stderr, "%s: %s dies, and not of the mutant, see %s/log\n",
				mutant->id, engine->name, work);
			return false;
		}
		note(plan, mutant, &end, row);
		if (end.detected_at)
			found[nr_found++] =
				(struct outcome){end.executions, (double)end.used_us / 1e6};
	}
	json_object_set_new(engines, engine->name, figures(found, nr_found, seed - 1));
	return true;
}

json_t *row_make(const struct plan *plan, const struct mutant *mutant)
{
	json_t *row = row_load(plan, mutant);

	if (!row) {
		row = begin_row(plan, mutant);
		try_corpus(plan, mutant, row);
	}
	for (u32 i = 0; plan->engines[i]; i++) {
		const char *name = plan->engines[i]->name;

		if (json_object_get(json_object_get(row, "engines"), name))
			continue;
		if (!try_engine(plan, mutant, plan->engines[i], row)) {
			json_decref(row);
			return NULL;
		}
		save(plan, mutant, row);
	}
	save(plan, mutant, row);
	return row;
}
