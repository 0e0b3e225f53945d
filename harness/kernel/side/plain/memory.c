// SPDX-License-Identifier: GPL-2.0-only
/* The few functions of libc that compiled code needs; there is no libc in a subject. */
typedef __SIZE_TYPE__ size_t;

void *memcpy(void *to, const void *from, size_t size)
{
	void *start = to;

	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
	return start;
}

void *memmove(void *to, const void *from, size_t size)
{
	char *d = to;
	const char *s = from;

	if (d <= s)
		return memcpy(to, from, size);
	while (size--)
		d[size] = s[size];
	return to;
}

void *memset(void *to, int byte, size_t size)
{
	void *start = to;

	__asm__ volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(byte) : "memory");
	return start;
}

int memcmp(const void *x, const void *y, size_t size)
{
	const unsigned char *a = x, *b = y;

	for (; size; size--, a++, b++)
		if (*a != *b)
			return *a - *b;
	return 0;
}

size_t strlen(const char *text)
{
	size_t n = 0;

	while (text[n])
		n++;
	return n;
}

int strcmp(const char *x, const char *y)
{
	for (; *x && *x == *y; x++, y++)
		;
	return (unsigned char)*x - (unsigned char)*y;
}
