/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `buddycheck fuzz` around an engine: nothing that is found may get lost, whoever is stopped or killed.
 * The engine is this program itself, as the random one; FAKE says what it does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/bytes.h"
#include "harness/fuzz/session.h"

#define BROKEN "free-list-type" /* what the fake engine finds */
#define UNTIL "--seconds 0 --until " BROKEN
#define PLAY "--seconds 0 --executions 20"
#define WHEN_FOUND "& until [ -e f/" BROKEN ".bytes ]; do sleep 0.1; done; "

/* ---- the engine ---------------------------------------------------------- */

static struct fuzz_progress *map_progress(void)
{
	int fd = open(getenv(FUZZ_PROGRESS), O_RDWR);
	void *map =
		mmap(NULL, sizeof(struct fuzz_progress), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (fd < 0 || map == MAP_FAILED)
		exit(3);
	return map;
}

static void write_to_findings(const char *name, const void *data, size_t size)
{
	char path[512];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", getenv(FUZZ_FINDINGS), name);
	out = fopen(path, "wb");
	if (!out || fwrite(data, 1, size, out) != size || fclose(out))
		exit(3);
}

/* As the target does when BROKEN is broken, by an empty case. */
static void find(struct fuzz_progress *progress)
{
	const char bytes[] = BYTES_MAGIC "\001";

	write_to_findings(BROKEN ".bytes", bytes, sizeof(bytes) - 1);
	for (u32 i = 0; i < nr_properties; i++)
		if (!strcmp(properties[i]->id, BROKEN))
			progress->found_at[i] = progress->executions;
}

/* As the target does when a sanitizer, or a limit of the engine, stops it at a body of one byte. */
static _Noreturn void die_at(char body)
{
	write_to_findings(".random-1", &body, 1);
	abort();
}

static int fake_engine(const char *does)
{
	struct fuzz_progress *progress = map_progress();
	u64 before = progress->executions;

	if (!strcmp(does, "quit"))
		return 3;
	progress->executions++;
	if (!strcmp(does, "find"))
		find(progress);
	if (!strcmp(does, "die") && !before)
		die_at(1);
	if (!strcmp(does, "die again"))
		die_at(1);
	if (!strcmp(does, "killed") && !before)
		raise(SIGKILL);
	for (;;) { /* until it is told to stop */
		usleep(1000);
		progress->executions++;
	}
}

/* ---- the command --------------------------------------------------------- */

static char dir[] = "/tmp/buddycheck-fuzz-XXXXXX";
static char out[1 << 16];

/* Run `buddycheck fuzz` with FAKE and ARGUMENTS; @then goes on in that shell. Fills in out. */
static int run(const char *fake, const char *arguments, const char *then)
{
	char command[2048], program[1024], self[1024] = "";
	FILE *in;
	int status;

	assert_non_null(realpath(BUDDYCHECK, program));
	assert_true(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	snprintf(command, sizeof(command),
		 "cd %s; FAKE='%s' exec %s fuzz --engine random --target %s --findings f "
		 "--corpus c "
		 "%s >.out 2>&1 </dev/null %s",
		 dir, fake, program, self, arguments, then);
	status = system(command);
	snprintf(command, sizeof(command), "%s/.out", dir);
	in = fopen(command, "r");
	assert_non_null(in);
	out[fread(out, 1, sizeof(out) - 1, in)] = '\0';
	fclose(in);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static bool exists(const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return !access(path, F_OK);
}

static void in_shell(const char *format)
{
	char command[1024];

	snprintf(command, sizeof(command), format, dir);
	assert_int_equal(system(command), 0);
}

static int clear(void **state)
{
	(void)state;
	in_shell("rm -rf %s/*");
	return 0;
}

static u32 count(const char *what)
{
	u32 n = 0;

	for (const char *p = out; (p = strstr(p, what)); p++)
		n++;
	return n;
}

/* ---- tests --------------------------------------------------------------- */

/* A line each second, one at the end, and nothing was found. */
static void finds_nothing(void **state)
{
	(void)state;
	assert_int_equal(run("good", "--seconds 3", ""), 0);
	assert_true(count(" s: ") >= 1);
	assert_int_equal(count("random: "), 1);
	assert_int_equal(count(", 0 findings\n"), count(" s: ") + 1);
}

/* What is found is told at once and shown in the end; on this port nothing fails, and so nothing is shrunk. */
static void finds(void **state)
{
	(void)state;
	assert_int_equal(run("find", UNTIL, ""), 1);
	assert_int_equal(count("found: " BROKEN), 1);
	assert_int_equal(count("the property does not fail"), 1);
	assert_int_equal(count(BROKEN ": f/" BROKEN ".script"), 1);
	assert_non_null(strstr(out, ", 1 findings\n"));
	assert_true(exists("f/" BROKEN ".script"));
	/* The next run has nothing to do with it. */
	assert_int_equal(run("good", PLAY, ""), 0);
	assert_int_equal(count(BROKEN), 0);
}

/* Stopped by a signal, it sums up all the same, long before the time is over. */
static void is_interrupted(void **state)
{
	static const char *const signals[] = {"INT", "TERM", "HUP"};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(signals); i++) {
		char then[128];

		snprintf(then, sizeof(then), WHEN_FOUND "kill -%s $!; wait $!", signals[i]);
		clear(NULL);
		assert_int_equal(run("find", "--seconds 0", then), 1);
		assert_int_equal(count("random: "), 1);
		assert_true(exists("f/" BROKEN ".script"));
	}
}

/* Killed, it leaves what was found, and the next run shows it, once. */
static void is_killed(void **state)
{
	(void)state;
	run("find", "--seconds 0", WHEN_FOUND "kill -KILL $!; wait $!");
	assert_true(exists("f/" BROKEN ".bytes"));
	assert_false(exists("f/" BROKEN ".script"));
	assert_int_equal(run("good", PLAY, ""), 1);
	assert_int_equal(count("found by a run that was killed: " BROKEN), 1);
	assert_true(exists("f/" BROKEN ".script"));
	assert_int_equal(run("good", PLAY, ""), 0);
	/* A newer finding than what was shown of an older one. */
	in_shell("touch -d '1 hour ago' %s/f/*.script");
	assert_int_equal(run("good", PLAY, ""), 1);
}

/* An engine that is killed starts again. */
static void engine_is_killed(void **state)
{
	(void)state;
	assert_int_equal(run("killed", PLAY, ""), 0);
	assert_int_equal(count("random: "), 1);
}

/* A target that dies is a finding with the case, and the engine goes on. */
static void target_dies(void **state)
{
	(void)state;
	assert_int_equal(run("die", PLAY, ""), 1);
	assert_int_equal(count("found: the target dies"), 1);
	assert_non_null(strstr(out, ", 1 findings\n"));
	in_shell("test $(ls %s/f/died-*.script | wc -l) = 1");
	/* It is known from then on. */
	assert_int_equal(run("die", PLAY, ""), 0);
}

/* One that dies at what is known, again and again, ends the session; what was found counts. */
static void target_dies_again(void **state)
{
	(void)state;
	assert_int_equal(run("die again", "--seconds 0", ""), 1);
	assert_int_equal(count("found: the target dies"), 1);
	assert_int_equal(count("ended by itself, see c.log"), 1);
}

/* An engine that cannot be run, and places where nothing can be written: one line, status 2. */
static void cannot_run(void **state)
{
	static const char *const places[] = {
		"--findings /dev/null/f",
		"--findings /dev/null",
		"--corpus /dev/null/c",
		"--target /dev/null",
	};

	(void)state;
	assert_int_equal(run("quit", "--seconds 5", ""), 2);
	assert_int_equal(count("\n"), 1);
	assert_non_null(strstr(out, "see c.log"));
	for (u32 i = 0; i < ARRAY_SIZE(places); i++) {
		assert_int_equal(run("good", places[i], ""), 2);
		assert_int_equal(count("\n"), 1);
		assert_non_null(strstr(out, "/dev/null"));
	}
}

/* So are names that are none, with where the help is. */
static void bad_names(void **state)
{
	static const char *const names[] = {
		"--subject v7.3",
		"--subject port:nope",
		"--subject port:v7.3+nope",
		"--engine nope",
		"--until nope",
		"--seconds -1",
		"--seed nope",
		"--subject kernel:/nonexistent.so",
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		assert_int_equal(run("good", names[i], ""), 2);
		assert_int_equal(count("\n"), 2);
		assert_non_null(strstr(out, names[i]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(finds_nothing, clear),
		cmocka_unit_test_setup(finds, clear),
		cmocka_unit_test_setup(is_interrupted, clear),
		cmocka_unit_test_setup(is_killed, clear),
		cmocka_unit_test_setup(engine_is_killed, clear),
		cmocka_unit_test_setup(target_dies, clear),
		cmocka_unit_test_setup(target_dies_again, clear),
		cmocka_unit_test_setup(cannot_run, clear),
		cmocka_unit_test_setup(bad_names, clear),
	};
	int status;

	if (getenv(FUZZ_PROGRESS))
		return fake_engine(getenv("FAKE"));
	if (!mkdtemp(dir))
		return 2;
	status = cmocka_run_group_tests(tests, NULL, NULL);
	clear(NULL);
	unlink(strcat(strcpy(out, dir), "/.out"));
	rmdir(dir);
	return status;
}
