/* SPDX-License-Identifier: GPL-2.0-only */
/* The cases of a folder. */
#ifndef HARNESS_CLI_CASE_FILES_H
#define HARNESS_CLI_CASE_FILES_H

#include "model/types.h"

struct case_file {
	char *path;
};

struct case_files {
	struct case_file *list; /* sorted by path */
	u64 nr;
};

/* Scripts, bytes files and recordings below @folder. False: errno says why. */
bool case_files_find(struct case_files *files, const char *folder);
void case_files_free(struct case_files *files);

#endif
