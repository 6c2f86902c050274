/* Streams beside the engine (VarProtocol::come_after_streams and note_event, engine/stream_use.h), checked exhaustively.
 *
 * A program of TASKS tasks with accesses and places that spin chooses: the host, or one of STREAMS streams. The engine's own
 * order is taken as given (engine.pml): a task is launched once earlier conflicting tasks are complete, which for a task of a
 * stream means that its work was given to the stream. Launchers are concurrent; what happens under the lock of one Var is one
 * step. Streams do their work whenever they like. At the end a thread waits for each Var as a writer does.
 *
 * Asserted: work begins only after the work of every earlier conflicting task; an event that was noted is not lost while it
 * matters; what waited for a Var finds all work on it done.
 */
#ifndef VARS
#define VARS 2
#endif
#ifndef TASKS
#define TASKS 3
#endif
#define STREAMS 2
#define NONE 0
#define READ 1
#define WRITE 2
#define HOST STREAMS
#define WORK TASKS /* an item of a stream: below it the work of a task, from it on the wait for an event */

#define ACCESS(t, v) access[(t) * VARS + (v)]
#define READS(v, s) reads[(v) * STREAMS + (s)]

byte access[TASKS * VARS];
byte place[TASKS];
bool launched[TASKS]; /* complete for the engine */
bool begun[TASKS], over[TASKS];
byte left;

/* A stream's queue, and how much was given to it and done; an event of stream s is a number of it, 0 for none. */
chan queue[STREAMS] = [TASKS * (VARS * STREAMS + 1)] of { byte, byte }; /* task, or WORK + stream with a number */
byte given[STREAMS], done[STREAMS];

bool present[VARS]; /* there is a StreamUse */
byte announced[VARS];
byte write_stream[VARS], write_number[VARS], reads[VARS * STREAMS];

/* Work of task t begins: every earlier task that conflicts is over. */
inline begin(t) {
  d_step {
    u = 0;
    do
    :: u < t ->
       w = 0;
       do
       :: w < VARS ->
          assert(ACCESS(t, w) == NONE || ACCESS(u, w) == NONE || (ACCESS(t, w) == READ && ACCESS(u, w) == READ) || over[u]);
          w++
       :: else -> break
       od;
       u++
    :: else -> break
    od;
    begun[t] = true;
    u = 0; w = 0
  }
}

/* At most four tasks. */
inline engine_order(t) {
  (t < 1 || launched[0] || !conflict[t * TASKS]);
  (t < 2 || launched[1] || !conflict[t * TASKS + 1]);
  (t < 3 || launched[2] || !conflict[t * TASKS + 2])
}
bool conflict[TASKS * TASKS];

inline drop_complete(x) {
  atomic {
    if
    :: write_number[x] > 0 && done[write_stream[x]] >= write_number[x] -> write_number[x] = 0
    :: else
    fi;
    s = 0;
    do
    :: s < STREAMS ->
       if
       :: READS(x, s) > 0 && done[s] >= READS(x, s) -> READS(x, s) = 0
       :: else
       fi;
       s++
    :: else -> break
    od;
    if
    :: write_number[x] == 0 && READS(x, 0) == 0 && READS(x, 1) == 0 && announced[x] == 0 -> present[x] = false
    :: else
    fi;
    s = 0
  }
}

proctype Streams(byte s) {
  byte t, number, u, w;
end:
  do
  :: queue[s]?t, number ->
     if
     :: t < WORK -> begin(t); over[t] = true
     :: else -> done[t - WORK] >= number
     fi;
     d_step { done[s]++; t = 0; number = 0 }
  od
}

proctype Launcher(byte t) {
  byte v, s, number, u, w;
  byte stream = place[t];
  engine_order(t);
  if
  :: stream != HOST ->
     do /* announce_event */
     :: v < VARS && ACCESS(t, v) != NONE -> atomic { present[v] = true; announced[v]++; v++ }
     :: v < VARS && ACCESS(t, v) == NONE -> v++
     :: v == VARS -> break
     od;
     v = 0;
     do
     :: v < VARS && ACCESS(t, v) != NONE ->
        atomic { /* events_of, then follow: commutes with others, since events are looked up under the lock */
          if
          :: write_number[v] > 0 && write_stream[v] != stream ->
             queue[stream]!WORK + write_stream[v], write_number[v]; given[stream]++
          :: else
          fi;
          s = 0;
          do
          :: s < STREAMS ->
             if
             :: ACCESS(t, v) == WRITE && s != stream && READS(v, s) > 0 ->
                queue[stream]!WORK + s, READS(v, s); given[stream]++
             :: else
             fi;
             s++
          :: else -> break
          od;
          v++
        }
     :: v < VARS && ACCESS(t, v) == NONE -> v++
     :: v == VARS -> break
     od;
     atomic { queue[stream]!t, 0; given[stream]++ }
     number = given[stream]; /* mark() */
     v = 0;
     do /* note_event */
     :: v < VARS && ACCESS(t, v) != NONE ->
        atomic {
          assert(present[v] && announced[v] > 0);
          if
          :: ACCESS(t, v) == WRITE ->
             write_stream[v] = stream; write_number[v] = number;
             s = 0;
             do
             :: s < STREAMS -> READS(v, s) = 0; s++
             :: else -> break
             od
          :: ACCESS(t, v) == READ && READS(v, stream) < number -> READS(v, stream) = number
          :: else
          fi;
          announced[v]--;
          v++
        }
     :: v < VARS && ACCESS(t, v) == NONE -> v++
     :: v == VARS -> break
     od
  :: else ->
     do
     :: v < VARS && ACCESS(t, v) != NONE ->
        atomic { s = write_stream[v]; number = write_number[v] }
        if
        :: number > 0 -> done[s] >= number
        :: else
        fi;
        if
        :: ACCESS(t, v) == WRITE -> /* nobody else uses the Var: its reads stay as they are */
           s = 0;
           do
           :: s < STREAMS -> (done[s] >= READS(v, s)); s++
           :: s == STREAMS -> break
           od
        :: else
        fi;
        drop_complete(v);
        v++
     :: v < VARS && ACCESS(t, v) == NONE -> v++
     :: v == VARS -> break
     od;
     begin(t);
     over[t] = true
  fi;
  atomic { launched[t] = true; left-- }
}

init {
  byte t, v, u, s;
  atomic {
    left = TASKS;
    do
    :: t < TASKS ->
       if
       :: place[t] = HOST
       :: place[t] = 0
       :: t > 0 -> place[t] = 1 /* streams are alike: the first to be used is 0 */
       fi;
       v = 0;
       do
       :: v < VARS ->
          if
          :: ACCESS(t, v) = READ
          :: ACCESS(t, v) = WRITE
          :: v > 0 -> ACCESS(t, v) = NONE
          fi;
          v++
       :: else -> break
       od;
       u = 0;
       do
       :: u < t ->
          v = 0;
          do
          :: v < VARS ->
             if
             :: ACCESS(t, v) != NONE && ACCESS(u, v) != NONE && (ACCESS(t, v) == WRITE || ACCESS(u, v) == WRITE) ->
                conflict[t * TASKS + u] = true
             :: else
             fi;
             v++
          :: else -> break
          od;
          u++
       :: else -> break
       od;
       t++
    :: else -> break
    od;
    run Streams(0);
    run Streams(1);
    t = 0;
    do
    :: t < TASKS -> run Launcher(t); t++
    :: else -> break
    od;
    t = 0; v = 0; u = 0
  }
  /* A thread that waits for each Var to write. */
  left == 0;
  do
  :: v < VARS ->
     if
     :: write_number[v] > 0 -> done[write_stream[v]] >= write_number[v]
     :: else
     fi;
     (done[0] >= READS(v, 0) && done[1] >= READS(v, 1));
     t = 0;
     do
     :: t < TASKS -> assert(ACCESS(t, v) == NONE || over[t]); t++
     :: else -> break
     od;
     v++
  :: else -> break
  od
}
