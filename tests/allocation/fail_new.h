/* Allocations that fail on demand, in any thread of the process. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* From now on allocations are counted. The n-th fails, and with `every_later` all after it, too; of n = 0 none does. */
void fail_new_start(long n, int every_later);
/* Ends that. Returns how many were counted. */
long fail_new_stop(void);
int fail_new_counts(void); /* whether they are */
/* Counts one, and says whether it fails. */
int fail_new_refuses(void);

#ifdef __cplusplus
}
#endif
