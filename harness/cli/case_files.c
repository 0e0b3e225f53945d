/* SPDX-License-Identifier: GPL-2.0-only */
/* Walking down a folder. */
#define _GNU_SOURCE /* nftw() */
#include "harness/cli/case_files.h"

#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>

/* nftw() has no context: where it puts what it finds. */
static struct case_files *found;

static bool is_case(const char *path)
{
	static const char *const endings[] = {".script", ".bytes", ".gz"};
	size_t n = strlen(path);

	for (size_t i = 0; i < ARRAY_SIZE(endings); i++) {
		size_t k = strlen(endings[i]);

		if (n > k && !strcmp(path + n - k, endings[i]))
			return true;
	}
	return false;
}

static int note_file(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	struct case_file *grown;

	(void)st;
	(void)ftw;
	if (type != FTW_F || !is_case(path))
		return 0;
	grown = realloc(found->list, (found->nr + 1) * sizeof(*grown));
	if (!grown)
		return ENOMEM;
	found->list = grown;
	found->list[found->nr].path = strdup(path);
	return found->list[found->nr++].path ? 0 : ENOMEM;
}

static int compare_paths(const void *x, const void *y)
{
	const struct case_file *a = x, *b = y;

	return strcmp(a->path, b->path);
}

bool case_files_find(struct case_files *files, const char *folder)
{
	*files = (struct case_files){.nr = 0};
	found = files;
	if (nftw(folder, note_file, 16, FTW_PHYS))
		return false;
	if (files->nr)
		qsort(files->list, files->nr, sizeof(*files->list), compare_paths);
	return true;
}

void case_files_free(struct case_files *files)
{
	for (u64 i = 0; i < files->nr; i++)
		free(files->list[i].path);
	free(files->list);
}
