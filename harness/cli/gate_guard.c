/* SPDX-License-Identifier: GPL-2.0-only */
/* A child that may die. */
#define _GNU_SOURCE /* strsignal() */
#include "harness/cli/gate_guard.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/bytes.h"
#include "harness/cli/cli.h"
#include "harness/script.h"

/* Shared with the child. */
struct gate_guard {
	size_t size; /* of the body of the case, or 0: it was too long */
	u8 body[256 << 10];
};

struct gate_guard *gate_guard_create(void)
{
	struct gate_guard *guard = mmap(NULL, sizeof(*guard), PROT_READ | PROT_WRITE,
					MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return guard == MAP_FAILED ? NULL : guard;
}

void gate_guard_about(void *ctx, const struct testcase *c)
{
	struct gate_guard *guard = ctx;
	/* Of its own time: a busy machine is nobody's fault. */
	const struct itimerval limit = {.it_value = {.tv_sec = GUARD_SECONDS}};
	struct bytes body;

	setitimer(ITIMER_PROF, &limit, NULL);
	guard->size = 0;
	if (bytes_encode_body(c, &body))
		return;
	if (body.len <= sizeof(guard->body)) {
		memcpy(guard->body, body.data, body.len);
		guard->size = body.len;
	}
	free(body.data);
}

static void show_end(const struct gate_guard *guard, int sig)
{
	struct testcase c;

	if (sig == SIGPROF)
		printf("\nverdict: fails\n  a case did not end within %d s of its own time\n",
		       GUARD_SECONDS);
	else
		printf("\nverdict: fails\n  a side ended the process: %s\n", strsignal(sig));
	if (!guard->size)
		return;
	puts("  with this script:");
	case_init(&c);
	bytes_decode_body(guard->body, guard->size, &c);
	script_write(stdout, &c);
	case_free(&c);
}

int gate_guard_run(struct gate_guard *guard, int (*run)(void *ctx), void *ctx)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child < 0 || (child && waitpid(child, &status, 0) != child)) {
		perror("buddycheck gate");
		return CLI_BAD;
	}
	if (!child) {
		status = run(ctx);
		exit(fflush(stdout) ? CLI_BAD : status);
	}
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	show_end(guard, WTERMSIG(status));
	return CLI_FAILS;
}
