/* SPDX-License-Identifier: GPL-2.0-only */
/* The script with every word, and what tests of forms do with texts. */
#include "harness/tests/forms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/input.h"
#include "harness/script.h"

const char every_word[] =
	"buddycheck script 1\n"
	"subject port:v7.3+V1+V2+contig_valid=hugeskip\n"
	"max_page_order 11\n"
	"pageblock_order 8\n"
	"pmd_order 10\n"
	"gigantic_order 12\n"
	"pcp_batch_scale_max 4\n"
	"cache_pages 77\n"
	"fuel 99\n"
	"config dma off compaction off\n"
	"hugetlb_migration off\n"
	"mobility on\n"
	"pcp batch 16 high_min 64 high_max 128\n"
	"nodes 5\n"
	"cpus 3\n"
	"kswapd_pages 5\n"
	"kcompactd_blocks 6\n"
	"node 1 cpus on\n"
	"distance 0 1 21\n"
	"distance 1 0 22\n"
	"cpu 1 node 1\n"
	"cpu 2 node 3\n"
	"zone 0 DMA32 start 0 pages 1024\n"
	"zone 0 Normal start 1024 pages 4000\n"
	"zone 1 Normal start 5120 pages 2048\n"
	"zone 1 Movable start 7168 pages 1024\n"
	"reserved start 100 pages 12\n"
	"cma start 2048 pages 512\n"
	"sysctl defrag_mode 1\n"
	"sysctl watermark_boost_factor 0\n"
	"sysctl watermark_scale_factor 11\n"
	"sysctl min_free_kbytes 1000\n"
	"sysctl percpu_pagelist_high_fraction 8\n"
	"sysctl node_reclaim_mode 1\n"
	"sysctl lowmem_reserve_ratio_dma 1\n"
	"sysctl lowmem_reserve_ratio_dma32 2\n"
	"sysctl lowmem_reserve_ratio_normal 3\n"
	"sysctl lowmem_reserve_ratio_movable 4\n"
	"env compact zone\n"
	"env wake closed\n"
	"default reclaim 1 x3 then 0 frees 2\n"
	"default compact SUCCESS x1 then PARTIAL_SKIPPED\n"
	"default oom 1 x2 then 0 frees 7 victim\n"
	"default node_reclaim 4\n"
	"boot zone 0 DMA32 start 0 pages 1012 min 1 low 2 high 3 promo 4 pcp_batch 5 "
	"pcp_high_min 6 pcp_high_max 7 lowmem_reserve 8 9 10 11\n"
	"---\n"
	"plain = alloc order 3 node 0 gfp GFP_KERNEL|__GFP_NORETRY => 4096\n"
	"masked = alloc order 0 node 3 gfp 0 nodemask 0,2 frozen => none kswapd 1 reclaim 2 "
	"compact 1 oom 3\n"
	"at = alloc_nolock order 0 node 0 gfp __GFP_ACCOUNT kswapd 0\n"
	"many = alloc_bulk nr 8 node 1 gfp GFP_KERNEL nodemask 1 filled 2 => 5120\n"
	"get plain\n"
	"free plain\n"
	"free many[3] nolock\n"
	"free at batch\n"
	"free_piece plain +4 order 2\n"
	"mark many lru|movable_ops|hugetlb|reserved|hwpoison|pinned|clean|mlocked\n"
	"unmark many lru\n"
	"drain all\n"
	"drain zone 1 Movable\n"
	"drain local\n"
	"drain cpu 1 zone 0 Normal\n"
	"drain expire cpu 0 zone 0 DMA32\n"
	"drain decay cpu 2 zone 1 Normal\n"
	"pcp_disable zone 0 Normal\n"
	"pcp_enable zone 0 Normal\n"
	"isolate 1024..1280\n"
	"unisolate 1024..1280\n"
	"isolate 2048..2560 mode cma\n"
	"isolate 1024..5024 mode other\n"
	"range = contig_range 512..768 gfp GFP_KERNEL cma frozen => 512\n"
	"pages = contig_pages nr 2048 node 0 gfp GFP_USER|__GFP_COMP nodemask 0,1 frozen\n"
	"cpu 2\n"
	"task plain\n"
	"task pf_memalloc|rt|in_softirq|cpusets_insane\n"
	"cpuset mems 0,1 hardwall 0,1,3\n"
	"sysctl watermark_boost_factor 0\n"
	"kswapd node 0\n"
	"kswapd node 1 max 32\n"
	"kcompactd node 1\n"
	"kcompactd node 0 blocks 1\n"
	"answer reclaim 3 frees 2\n"
	"answer compact zone SUCCESS frees 512\n"
	"answer oom 1 frees 16 victim\n"
	"answer oom 0 victim\n"
	"answer node_reclaim 9 frees 9\n"
	"answer node_dirty 1\n"
	"answer lock_pcp 1\n"
	"answer lock_zone 1\n"
	"answer lock_oom 1\n"
	"answer lock_drain 1\n"
	"answer no_trylock 1\n"
	"answer cpuset_cookie 1\n"
	"answer zonelist_cookie 0\n"
	"answer fault 1\n"
	"answer migrate 1\n"
	"at slowpath cpu 1: free pages\n"
	"at reclaim cpu 2: other = alloc order 0 node 0 gfp GFP_ATOMIC\n"
	"at contig_isolated cpu 0: drain cpu 0 zone 0 Normal\n"
	"f = filemap index 16 order 4 min 1 max 9 node 0 gfp GFP_HIGHUSER_MOVABLE nofs nowait "
	"write p2 lru\n"
	"g = filemap index 0 order 0 max 0 node 0 gfp GFP_TRANSHUGE_LIGHT\n"
	"h = mpol order 9 node 0 gfp GFP_TRANSHUGE nodemask 3 no_interleave\n"
	"i = hugetlb pages 4 order 9 node 0 movable\n"
	"j = hugetlb pages 1 node 1\n"
	"free other\n"
	"free i[3]\n"
	"---\n"
	"final zone 0 DMA32 free 28 reserved_highatomic 0 free_highatomic 0 boost 0 flags 4 "
	"pcp_count 17 pcp_high 30 pcp_free_count 2 pcp_alloc_factor 0 free_blocks -1\n"
	"final pcp 0 DMA32 cpu 1 count 3 high 60 free_count 0 alloc_factor 0\n"
	"freelist 0 DMA32 order 2 mt 0 : 428\n"
	"pcplist 0 DMA32 index 3 : 388 384 394 466\n"
	"pcplist 0 DMA32 cpu 1 index 1 : 8 9 10\n"
	"trylocklist 0 Normal : 77\n"
	"pageblocks 0 DMA32 : 0 0\n"
	"warnings 2\n";

void must_decode(const char *data, size_t len, struct testcase *c)
{
	char err[CASE_ERROR_SIZE];

	case_init(c);
	if (case_decode("t", data, len, c, err))
		fail_msg("%s", err);
}

void must_parse(const char *text, struct testcase *c)
{
	must_decode(text, strlen(text), c);
}

char *script_text(const struct testcase *c)
{
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	script_write(out, c);
	assert_int_equal(fclose(out), 0);
	return text;
}

void must_fail(const char *data, size_t len, const char *error)
{
	char err[CASE_ERROR_SIZE];
	struct testcase c, empty;

	case_init(&c);
	case_init(&empty);
	assert_int_equal(case_decode("t", data, len, &c, err), -1);
	assert_string_equal(err, error);
	assert_memory_equal(&c, &empty, offsetof(struct testcase, ops));
	assert_null(c.ops);
	assert_int_equal(c.nr_ops + c.nr_answers + c.nr_nested + c.nr_slots + c.nr_final, 0);
	assert_null(c.subject);
	case_free(&c);
}
