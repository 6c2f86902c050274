/* The queue protocol of Vars (cpp/engine/protocol.cc), checked exhaustively.
 *
 * Two user threads push tasks whose accesses spin chooses freely, run them inline when they can, and drop
 * their references to the Vars with tasks in flight. One more thread waits for a Var. Workers complete what
 * is ready. A push takes its locks one by one, a step each. What happens under a single lock, and all
 * between the last lock of a push and its last unlock, is one step: giving back a lock commutes with the
 * steps of others before it (Lipton's reduction), so finer steps reach no other states.
 *
 * Asserted: a Var is never touched after its destruction and is destroyed once; readers and writers exclude
 * each other; a task runs only after every conflicting task that was pushed before it on any of its Vars; in
 * the end all is done. A deadlock or a lost task shows as an invalid end state.
 */
#ifndef VARS
#define VARS 2
#endif
#ifndef PER
#define PER 2 /* tasks per user thread */
#endif
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef WAITS
#define WAITS 1 /* 0 without the waiting thread */
#endif
#define USERS 2
#define TASKS (USERS * PER)
#define NONE 0
#define READ 1
#define WRITE 2
#define WAITER TASKS /* the queue entry of the waiting thread */
#define SLOTS (TASKS + 1)

#define ACCESS(t, v) access[(t) * VARS + (v)]
#define QUEUE(v, i) queue[(v) * SLOTS + (i)]
#define LOG(v, i) log[(v) * TASKS + (i)]

bool locked[VARS], writer[VARS], dropped[VARS], destroyed[VARS];
byte readers[VARS], references[VARS], waiting[VARS]; /* waiting: length of the queue */
byte queue[VARS * SLOTS];
byte log[VARS * TASKS], logged[VARS]; /* order of the pushes on each Var, for the assertions */

byte access[TASKS * VARS];
byte pending[TASKS];
bool complete[TASKS];
byte completed;
bool woken;

chan ready = [TASKS] of { byte };

/* A task has begun: everything it must come after is over, and it excludes what it must. */
inline check_begin(t) {
  d_step {
    v = 0;
    do
    :: v < VARS ->
       if
       :: ACCESS(t, v) == NONE
       :: else ->
          assert(!destroyed[v]);
          assert(ACCESS(t, v) != WRITE || (writer[v] && readers[v] == 0));
          assert(ACCESS(t, v) != READ || (!writer[v] && readers[v] > 0));
          i = 0;
          do
          :: LOG(v, i) != t ->
             assert(i < logged[v]);
             assert((ACCESS(t, v) == READ && ACCESS(LOG(v, i), v) == READ) || complete[LOG(v, i)]);
             i++
          :: else -> break
          od
       fi;
       v++
    :: else -> break
    od;
    v = 0; i = 0
  }
}

/* Ends the task on all its Vars, one lock at a time, and hands on what that sets free. */
inline release_all(t) {
  d_step { complete[t] = true; completed++ }
  v = 0;
  do
  :: d_step { v < VARS && ACCESS(t, v) == NONE -> v++ }
  :: d_step {
       v < VARS && ACCESS(t, v) != NONE && !locked[v] -> assert(!destroyed[v]);
       if
       :: ACCESS(t, v) == WRITE -> assert(writer[v]); writer[v] = false
       :: else -> assert(readers[v] > 0); readers[v]--
       fi;
       do
       :: waiting[v] > 0 && !writer[v] && QUEUE(v, 0) == WAITER -> woken = true; shift(v)
       :: waiting[v] > 0 && !writer[v] && QUEUE(v, 0) != WAITER &&
          (ACCESS(QUEUE(v, 0), v) == READ || readers[v] == 0) ->
            if
            :: ACCESS(QUEUE(v, 0), v) == WRITE -> writer[v] = true
            :: else -> readers[v]++
            fi;
            assert(pending[QUEUE(v, 0)] > 0);
            pending[QUEUE(v, 0)]--;
            /* The program delivers after all Vars are released; to a worker that is only a slower sender. */
            if
            :: pending[QUEUE(v, 0)] == 0 -> ready!QUEUE(v, 0)
            :: else
            fi;
            shift(v)
       :: else -> break
       od;
       if
       :: dropped[v] && !writer[v] && readers[v] == 0 && waiting[v] == 0 ->
          assert(!destroyed[v]);
          destroyed[v] = true
       :: else
       fi;
       v++
     }
  :: v == VARS -> break
  od;
  v = 0
}

inline shift(x) {
  waiting[x]--;
  i = 0;
  do
  :: i < waiting[x] -> QUEUE(x, i) = QUEUE(x, i + 1); i++
  :: else -> break
  od;
  QUEUE(x, waiting[x]) = 0;
  i = 0
}

/* The last reference destroys an idle Var, and leaves a busy one to its last task. */
inline drop(x) {
  d_step { assert(references[x] > 0); references[x]--; last = references[x] == 0 }
  if
  :: last ->
     d_step {
       !locked[x] -> assert(!destroyed[x]);
       if
       :: !writer[x] && readers[x] == 0 && waiting[x] == 0 -> destroyed[x] = true
       :: else -> dropped[x] = true
       fi;
       last = false
     }
  :: else
  fi
}

proctype User(byte first) {
  byte t = first, v, i, count;
  bool last, busy, may_inline;
  do
  :: t < first + PER ->
     /* Which Vars, and how: any choice with at least one. */
     atomic {
       count = 0;
       do
       :: v < VARS ->
          if
          :: ACCESS(t, v) = READ; count++
          :: ACCESS(t, v) = WRITE; count++
          :: v < VARS - 1 || count > 0 -> skip
          fi;
          v++
       :: v == VARS -> break
       od;
       v = 0; count = 0;
       if :: may_inline = true :: may_inline = false fi
     }
     /* All locks, in the order of the Vars. */
     do
     :: d_step {
          v < VARS && ACCESS(t, v) != NONE && !locked[v] -> assert(!destroyed[v]); locked[v] = true; v++
        }
     :: d_step { v < VARS && ACCESS(t, v) == NONE -> v++ }
     :: v == VARS -> break
     od;
     skip; /* spin allows no jump into a d_step */
     d_step {
       v = 0; busy = false; count = 0;
       do
       :: v < VARS ->
          if
          :: ACCESS(t, v) != NONE && (writer[v] || waiting[v] > 0 || (ACCESS(t, v) == WRITE && readers[v] > 0)) ->
             busy = true
          :: else
          fi;
          v++
       :: else -> break
       od;
       v = 0;
       do
       :: v < VARS ->
          if
          :: ACCESS(t, v) == NONE
          :: else ->
             LOG(v, logged[v]) = t; logged[v]++;
             if
             :: writer[v] || waiting[v] > 0 || (ACCESS(t, v) == WRITE && readers[v] > 0) ->
                QUEUE(v, waiting[v]) = t; waiting[v]++; count++
             :: else ->
                if
                :: ACCESS(t, v) == WRITE -> writer[v] = true
                :: else -> readers[v]++
                fi
             fi
          fi;
          v++
       :: else -> break
       od;
       pending[t] = count;
       v = 0;
       do
       :: v < VARS ->
          if
          :: ACCESS(t, v) != NONE -> assert(locked[v] && !destroyed[v]); locked[v] = false
          :: else
          fi;
          v++
       :: else -> break
       od;
       v = 0; count = 0
     }
     if
     :: !busy && may_inline -> check_begin(t); release_all(t)
     :: !busy && !may_inline -> ready!t
     :: busy /* count decides, not pending[t]: the task may be over already */
     fi;
     d_step { busy = false; may_inline = false; count = 0; t++ }
  :: t == first + PER -> break
  od;
  do
  :: v < VARS -> drop(v); v++
  :: v == VARS -> break
  od
}

proctype Worker() {
  byte t, v, i;
end:
  do
  :: ready?t -> check_begin(t); release_all(t); t = 0
  od
}

/* wait_for_var(Var 0, Wait::to_read), with a reference of its own. */
proctype WaitingThread() {
  bool last, must_wait;
  d_step {
    !locked[0] -> assert(!destroyed[0]);
    must_wait = writer[0] || waiting[0] > 0;
    if
    :: must_wait -> QUEUE(0, waiting[0]) = WAITER; waiting[0]++
    :: else
    fi
  }
  if
  :: must_wait -> woken
  :: else
  fi;
  drop(0)
}

init {
  byte v;
  atomic {
    do
    :: v < VARS -> references[v] = USERS + (v == 0 -> WAITS : 0); v++
    :: else -> break
    od;
    run User(0);
    run User(PER);
#if WAITS
    run WaitingThread();
#endif
    v = 0;
    do
    :: v < WORKERS -> run Worker(); v++
    :: else -> break
    od
  };
  /* Reached in every execution, or this is an invalid end state. */
  completed == TASKS;
  v = 0;
  do
  :: v < VARS -> destroyed[v]; assert(!writer[v] && readers[v] == 0 && waiting[v] == 0); v++
  :: v == VARS -> break
  od
}
