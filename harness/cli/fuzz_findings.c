/* SPDX-License-Identifier: GPL-2.0-only */
/* Findings as files. */
#include "harness/cli/fuzz_findings.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/budget.h"
#include "harness/bytes.h"
#include "harness/fuzz_subject.h"
#include "harness/input.h"
#include "harness/script.h"

#define PATH_SIZE (FUZZ_PATH_SIZE + 64)

static u64 hash(const char *data, size_t len)
{
	u64 h = 0xcbf29ce484222325ULL;

	while (len--)
		h = (h ^ (u8)*data++) * 0x100000001b3ULL;
	return h;
}

static bool write_file(const char *path, const u8 *data, size_t len)
{
	FILE *out = fopen(path, "wb");

	if (out && fwrite(data, 1, len, out) == len && !fclose(out))
		return true;
	perror(path);
	return false;
}

/* As the target has it: within the budget, for the session's subject. */
static void decode_body(const struct fuzz_options *o, const char *data, size_t len,
			struct testcase *c)
{
	struct fuzz_subject subject;

	case_init(c);
	bytes_decode_body((const u8 *)data, len < BUDGET_BODY ? len : BUDGET_BODY, c);
	if (!fuzz_subject_parse(&subject, o->subject))
		fuzz_subject_fit(&subject, c);
}

static void write_script(const struct testcase *c, const char *path)
{
	FILE *out = fopen(path, "w");

	if (out) {
		script_write(out, c);
		fclose(out);
	}
}

/* False: it is there already. */
static bool keep_body(const struct fuzz_options *o, const char *data, size_t len)
{
	char path[PATH_SIZE];
	struct testcase c;
	struct bytes bytes;
	bool kept;

	snprintf(path, sizeof(path), "%s/died-%016llx.bytes", o->findings,
		 (unsigned long long)hash(data, len));
	if (!access(path, F_OK))
		return false;
	decode_body(o, data, len, &c);
	bytes_encode(&c, &bytes);
	kept = write_file(path, bytes.data, bytes.len);
	strcpy(strrchr(path, '.'), ".script");
	write_script(&c, path);
	if (kept)
		printf("found: the target dies, see %s\n", path);
	free(bytes.data);
	case_free(&c);
	return kept;
}

static u32 take_matches(const struct fuzz_options *o, const char *pattern)
{
	char err[CASE_ERROR_SIZE];
	glob_t matches;
	u32 kept = 0;

	if (glob(pattern, 0, NULL, &matches))
		return 0;
	for (size_t i = 0; i < matches.gl_pathc; i++) {
		char *data;
		size_t len;

		if (!input_read(matches.gl_pathv[i], &data, &len, err))
			continue;
		kept += keep_body(o, data, len);
		free(data);
		/* AFL++ keeps its own. */
		if (!o->engine->dead_in_corpus)
			unlink(matches.gl_pathv[i]);
	}
	globfree(&matches);
	return kept;
}

u32 fuzz_take_dead(const struct fuzz_options *o)
{
	const char *folder = o->engine->dead_in_corpus ? o->corpus : o->findings;
	char pattern[PATH_SIZE];
	u32 kept = 0;

	for (u32 i = 0; i < ARRAY_SIZE(o->engine->dead) && o->engine->dead[i]; i++) {
		snprintf(pattern, sizeof(pattern), "%s/%s", folder, o->engine->dead[i]);
		kept += take_matches(o, pattern);
	}
	return kept;
}

/* ---- showing ------------------------------------------------------------- */

/* Run this program on @argv; its exit status. */
static int run_self(char *const argv[])
{
	pid_t pid = fork();
	int status = -1;

	if (!pid) {
		execv("/proc/self/exe", argv);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void finding_paths(const struct fuzz_options *o, const char *name, char bytes[PATH_SIZE],
			  char script[PATH_SIZE])
{
	snprintf(bytes, PATH_SIZE, "%s/%s.bytes", o->findings, name);
	snprintf(script, PATH_SIZE, "%s/%s.script", o->findings, name);
}

static bool is_older(const struct stat *x, const struct stat *y)
{
	if (x->st_mtim.tv_sec != y->st_mtim.tv_sec)
		return x->st_mtim.tv_sec < y->st_mtim.tv_sec;
	return x->st_mtim.tv_nsec < y->st_mtim.tv_nsec;
}

bool fuzz_is_left(const struct fuzz_options *o, const char *name)
{
	char bytes[PATH_SIZE], script[PATH_SIZE];
	struct stat found, shown;

	finding_paths(o, name, bytes, script);
	return !stat(bytes, &found) && (stat(script, &shown) || is_older(&shown, &found));
}

void fuzz_show_finding(const struct fuzz_options *o, const char *name)
{
	char bytes[PATH_SIZE], script[PATH_SIZE];
	char *shrink[] = {"buddycheck", "shrink", "--property", (char *)name, "-o",
			  script,	bytes,	  NULL,		NULL,	      NULL};
	char err[CASE_ERROR_SIZE];
	struct testcase c;

	finding_paths(o, name, bytes, script);
	/* A port's policy is the case's own. */
	if (fuzz_plays_kernel(o)) {
		shrink[7] = "--subject";
		shrink[8] = (char *)o->subject;
	}
	fflush(stdout);
	if (!o->as_found && run_self(shrink) == 1)
		return;
	/* As found, or of a port that is not this program's. */
	case_init(&c);
	if (!case_load(bytes, &c, err))
		write_script(&c, script);
	case_free(&c);
	printf("%s: %s\n", name, script);
}
