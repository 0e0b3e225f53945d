// SPDX-License-Identifier: GPL-2.0-only
void stub_called(const char *name);
void stub_called(const char *name)
{
	(void)name;
	__builtin_trap();
}
