/* Sleeping and waking in a lane (cpp/engine/lane.cc), checked exhaustively: no wake-up is lost.
 *
 * Pushers put ordinary and team tasks into the inbox and decide from three counters, read after the push,
 * whether to wake somebody. Workers spin, register as asleep, look once more, sleep. Worker 0 alone may run
 * team tasks. Every access that is sequentially consistent in the program is a step here; what the program
 * does under the ready lock or the crew mutex is one step. The hint flags that a spinning worker reads may
 * be stale: it may leave its loop at any time.
 *
 * A lost wake-up shows as an invalid end state: a task is left and all workers sleep.
 */
#define PUSHERS 2
#define WORKERS 2
#ifndef PER
#define PER 2
#endif

byte inbox_any, inbox_team, ready_any, ready_team; /* numbers of tasks */
byte asleep_count, searching, done;
bool team_asleep;
bool asleep[WORKERS]; /* under the crew mutex */

/* Under the crew mutex: one sleeper, the team's thread last. */
inline wake_any() {
  d_step {
    if
    :: asleep[1] -> asleep[1] = false; asleep_count--
    :: !asleep[1] && asleep[0] -> asleep[0] = false; team_asleep = false; asleep_count--
    :: else
    fi
  }
}
inline wake_team() {
  d_step {
    if
    :: asleep[0] -> asleep[0] = false; team_asleep = false; asleep_count--
    :: else
    fi
  }
}

/* Lane::take: moves the inbox and takes a task, under the ready lock; then sees to what it leaves, unless the team's
 * thread is back soon. */
inline take() {
  atomic {
    ready_any = ready_any + inbox_any; inbox_any = 0;
    ready_team = ready_team + inbox_team; inbox_team = 0;
    found = false; soon = false;
    if
    :: self == 0 && ready_team > 0 -> ready_team--; found = true; if :: soon = true :: skip fi
    :: ready_any > 0 -> ready_any--; found = true
    :: else
    fi;
    any_left = ready_any > 0; team_left = ready_team > 0
  }
  if
  :: found && any_left && !soon ->
     if
     :: asleep_count > 0 -> if :: searching == 0 -> wake_any() :: else fi
     :: else
     fi
  :: else
  fi;
  if
  :: found && team_left -> if :: team_asleep -> wake_team() :: else fi
  :: else
  fi;
  any_left = false; team_left = false; soon = false
}

proctype Pusher() {
  byte pushed;
  bool team;
  do
  :: pushed < PER ->
     atomic { if :: team = true; inbox_team++ :: team = false; inbox_any++ fi }
     if
     :: team -> if :: team_asleep -> wake_team() :: else fi
     :: else ->
        if
        :: asleep_count > 0 -> if :: searching == 0 -> wake_any() :: else fi
        :: else
        fi
     fi;
     pushed++
  :: else -> break
  od
}

proctype Worker(byte self) {
  bool found, soon, any_left, team_left, mine;
  do
  :: take();
     if
     :: found -> done++
     :: else ->
        searching++;
        skip; /* the loop, of any length */
        searching--;
        take();
        if
        :: found -> done++
        :: else ->
           /* Lane::sleep */
           d_step { asleep[self] = true; asleep_count++; team_asleep = team_asleep || self == 0 };
           take();
           if
           :: found ->
              d_step {
                mine = asleep[self];
                if
                :: mine -> asleep[self] = false; asleep_count--; team_asleep = team_asleep && self != 0
                :: else
                fi
              };
              /* Woken meanwhile for somebody else's task: pass the call on. */
              if
              :: !mine -> if :: ready_any > 0 || inbox_any > 0 || inbox_team > 0 -> wake_any() :: else fi
              :: else
              fi;
              mine = false;
              done++
           :: else ->
end:          !asleep[self]
           fi
        fi
     fi
  od
}

/* Waits until all has run: if a task is left asleep, this is an invalid end state. */
init {
  atomic { run Pusher(); run Pusher(); run Worker(0); run Worker(1) };
  done == PUSHERS * PER
}
