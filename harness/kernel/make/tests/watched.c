// SPDX-License-Identifier: GPL-2.0-only
/* For the test of watch.awk: functions as a kernel file has them. Line numbers are looked at. */
#define __always_inline inline __attribute__((always_inline))
typedef int flags_t;
enum mode {
	ONE,
	TWO,
};

static int early(int a);
static inline void other(int a);

int call_early(int a)
{
	return early(a) + 1;
}

/* early(int a) in a comment; */
static int early(int a)
{
	return a + 1;
}

static __always_inline int
two_lines(int a,
	  enum mode mode, flags_t flags)
{
	return a + mode + flags;
}

int call_two_lines(int a)
{
	return two_lines(a, TWO, 10) * 2;
}

int tail_call(int a)
{
	return two_lines(a, ONE, 100);
}

#ifdef NEVER
static int compiled_out(int a)
{
	return a;
}
#endif

int shared(int a)
{
	return early(a);
}

int (*const table[])(int) = { early, shared };

int line_here(void)
{
	return __LINE__;
}
