// SPDX-License-Identifier: GPL-2.0-only
/* batch SUBJECT...: load all of them, then print what each says of a zone of 65536 pages. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	int (*batch_of[8])(unsigned long) = {0};

	for (int i = 1; i < argc && i <= 8; i++) {
		void *subject = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);

		if (subject)
			*(void **)&batch_of[i - 1] = dlsym(subject, "batch_of");
		if (!batch_of[i - 1]) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
	}
	for (int i = 1; i < argc; i++)
		printf("%d\n", batch_of[i - 1](65536));
	return 0;
}
