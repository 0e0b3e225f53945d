// SPDX-License-Identifier: GPL-2.0-only
/* What watches the functions of watched.c, and what the calls must come to. */
#include "watched.h"

int call_early(int a);
int call_two_lines(int a);
int tail_call(int a);
int line_here(void);
extern int (*const table[])(int);

#ifdef HAVE_WATCH_compiled_out
#error "compiled_out is not there"
#endif

int watch_early(int a)
{
	return 1000 + real_early(a);
}

int watch_two_lines(int a, enum mode mode, flags_t flags)
{
	return 10000 + real_two_lines(a, mode, flags);
}

int watch_shared(int a)
{
	return 100000 + real_shared(a);
}

#define EXPECT(what, value)            \
	do {                           \
		if ((what) != (value)) \
			return __LINE__; \
	} while (0)

int main(void)
{
	EXPECT(call_early(5), 1000 + 6 + 1);
	EXPECT(call_two_lines(5), (10000 + 5 + 1 + 10) * 2);
	EXPECT(tail_call(5), 10000 + 5 + 0 + 100);
	/* Through pointers, and one watched function that calls another. */
	EXPECT(table[0](5), 1000 + 6);
	EXPECT(table[1](5), 100000 + 1000 + 6);
	EXPECT(line_here(), 57);
	return 0;
}
