/* SPDX-License-Identifier: GPL-2.0-only */
/* Looking at the environment once; saving findings. */
#include "harness/fuzz/target.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/bytes.h"
#include "harness/fuzz_subject.h"
#include "harness/fuzz/violations.h"

static struct {
	bool ready;
	struct fuzz_subject subject;
	const char *findings; /* a folder, or NULL */
	struct fuzz_progress *progress;
	struct fuzz_progress own; /* without a session */
} target;

_Noreturn static void die(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s\n", what, why);
	exit(2);
}

static struct fuzz_progress *map_progress(const char *path)
{
	int fd = open(path, O_RDWR);
	void *map = MAP_FAILED;

	if (fd >= 0)
		map = mmap(NULL, sizeof(struct fuzz_progress), PROT_READ | PROT_WRITE, MAP_SHARED,
			   fd, 0);
	if (map == MAP_FAILED) {
		perror(path);
		exit(2);
	}
	close(fd);
	return map;
}

static void get_ready(void)
{
	const char *subject = getenv(FUZZ_SUBJECT);
	const char *progress = getenv(FUZZ_PROGRESS);
	const char *why;

	if (target.ready)
		return;
	if (subject && *subject) {
		why = fuzz_subject_parse(&target.subject, subject);
		if (why)
			die(FUZZ_SUBJECT, why);
	}
	target.findings = getenv(FUZZ_FINDINGS);
	target.progress = progress ? map_progress(progress) : &target.own;
	target.ready = true;
}

bool target_fit(struct testcase *c)
{
	get_ready();
	return fuzz_subject_fit(&target.subject, c);
}

const char *target_kernel(void)
{
	get_ready();
	return target.subject.kernel;
}

struct fuzz_progress *target_begin(void)
{
	get_ready();
	target.progress->executions++;
	return target.progress;
}

/* DIR/NAME.bytes is there wholly or not at all, whenever we are killed. */
void target_save(const struct testcase *c, const char *name)
{
	char path[4096], new[4096];
	const char *why;
	struct bytes bytes;
	FILE *out;

	if (!target.findings)
		return;
	snprintf(path, sizeof(path), "%s/%s.bytes", target.findings, name);
	snprintf(new, sizeof(new), "%s/.%s.new", target.findings, name);
	why = bytes_encode(c, &bytes);
	if (why)
		die(path, why);
	out = fopen(new, "wb");
	if (!out || fwrite(bytes.data, 1, bytes.len, out) != bytes.len || fclose(out) ||
	    rename(new, path)) {
		perror(path);
		exit(2);
	}
	free(bytes.data);
}

static u32 property_index(const struct property *p)
{
	u32 i = 0;

	while (properties[i] != p)
		i++;
	return i;
}

void target_violation(const struct testcase *c, const struct finding *finding)
{
	const struct property *p = finding->violation.property;
	u64 *found_at = &target.progress->found_at[property_index(p)];

	target.progress->violations++;
	if (*found_at)
		return;
	target_save(c, p->id);
	*found_at = target.progress->executions;
	if (!target.findings)
		abort_with(finding);
}
