/* Loops of the team (cpp/base/team.cc), checked exhaustively: every chunk once, nobody in a loop that is over, no helper
 * asleep that was to be woken.
 *
 * One opener runs ROUNDS loops of CHUNKS chunks. Helpers look for a round, may give up at any time and sleep, enter, look
 * again, and work. Every access that is sequentially consistent in the program is a step here; what happens under the
 * mutex is one step. In the last round the opener waits until every helper has come, which a program could not demand, so
 * that a lost wake-up shows as an invalid end state.
 */
#ifndef HELPERS
#define HELPERS 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef CHUNKS
#define CHUNKS 2
#endif

byte round, inside, next;   /* odd: a loop is open */
byte loop;                  /* which loop the shared fields describe */
byte times[CHUNKS];         /* how often each chunk was done */
bool asleep[HELPERS];
byte came;                  /* helpers that entered the last loop */
bool over;

inline work() {
  do
  :: d_step { next < CHUNKS -> chunk = next; next++ };
     d_step { assert(loop == mine); times[chunk]++; assert(times[chunk] == 1) }
  :: else -> break
  od
}

active proctype opener() {
  byte chunk, mine, i;
  byte left = ROUNDS;
  do
  :: left == 0 -> break
  :: else ->
     left--;
     d_step {
       assert(inside == 0 || round % 2 == 0);
       loop = loop + 1; mine = loop; next = 0;
       i = 0;
       do :: i < CHUNKS -> times[i] = 0; i++ :: else -> break od;
     }
     round++;
     i = 0;
     do
     :: i < HELPERS ->
        if
        :: asleep[i] -> asleep[i] = false   /* wake: under the mutex */
        :: else
        fi;
        i++
     :: else -> break
     od;
     work();
     if
     :: left == 0 -> came == HELPERS
     :: else
     fi;
     round++;
     inside == 0;
     d_step {
       i = 0;
       do :: i < CHUNKS -> assert(times[i] == 1); i++ :: else -> break od;
     }
  od;
  over = true
}

active [HELPERS] proctype helper() {
  byte seen = 0, now, chunk, mine;
  byte self = _pid - 1;
  bool looks = true;
end:
  do
  :: over -> break
  :: else ->
     if
     :: looks && round > seen + seen % 2 /* found one */
     :: skip ->                          /* gives up, or has not worked */
        d_step { asleep[self] = true };
        /* the predicate, under the mutex; then asleep until woken */
        if
        :: round > seen + seen % 2 -> asleep[self] = false
        :: else -> !asleep[self] || over
        fi;
        looks = true
     fi;
     now = round;
     if
     :: now != seen && now % 2 == 1 ->
        inside++;
        if
        :: round == now ->
           mine = loop;
           if :: now == 2 * ROUNDS - 1 -> came++ :: else fi;
           work()
        :: else
        fi;
        inside--
     :: else
     fi;
     seen = now
  od
}
