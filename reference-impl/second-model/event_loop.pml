/*
 * A second model of Node's event loop, since Node 20.3: ticks, microtasks, timers, immediates and the pool. It is written
 * from the clauses of spec/ and knows nothing of the reference loop, so that where both have the same outcomes, neither
 * is likely to be wrong. README.md says how it is run.
 *
 * One verification covers every program: the program is chosen first, without a preference, and then run in every way.
 * A program is up to N callbacks, numbered in the order in which they are written. Callback c has a kind, and `nested[c]`
 * says that it is scheduled by the nearest callback before it that is not nested, and not by the main script.
 *
 *   -DN=4         callbacks, at most
 *   -DKINDS=31    the kinds, as a sum of 1 << KIND
 *   -DNESTING=1   whether callbacks may be nested
 *   -DEXACTLY=0   whether programs have N callbacks, and not fewer
 *   -DLATE=0      whether any step may take any time; if not, the run is on time
 *   -DGIVEN=0     whether the program is given instead, with -DEXACTLY=1: the verifier reads the numbers of its kinds
 *                 from the variable KINDS_GIVEN of its environment
 *
 * A verifier compiled with -DPRINTF prints each program with each of its outcomes: `t.mi ACB` is a timer A that schedules
 * the microtask B, and an immediate C, and they run in the order A C B.
 */
#ifndef N
#define N 4
#endif
#ifndef KINDS
#define KINDS 31
#endif
#ifndef NESTING
#define NESTING 1
#endif
#ifndef EXACTLY
#define EXACTLY 0
#endif
#ifndef LATE
#define LATE 0
#endif
#ifndef GIVEN
#define GIVEN 0
#endif

#define TICK 0
#define MICROTASK 1
#define IMMEDIATE 2
#define FILE 3    /* one trip through the pool */
#define SHORT 4   /* a timer of 1 ms */
#define LONG 5    /* a timer of 2 ms */
#define HAS(k) (((KINDS) >> (k)) & 1)

#define ANY(queue) (len(queue) > 0)
#define NONE(queue) (len(queue) == 0)

#define THREADS 4
#define NEVER 100 /* for a timer that does not run: more milliseconds than any program takes */

/* The program. */
byte n;
byte kind[N];
bit nested[N + 1];

/* The outcome. */
byte order[N];
byte emitted;

/* The host: queues, oldest first. */
chan ticks = [N] of { byte };
chan microtasks = [N] of { byte };
chan immediates = [N] of { byte };

/* The pool: what its threads work on, a bit for each callback; what waits for a thread; what has ended. */
byte working;
byte busy_threads;
chan waiting = [N] of { byte };
chan ended = [N] of { byte };

/* Timers of one duration form a list. All times are milliseconds from the last reading of the clock. */
chan list[2] = [N] of { byte };
bit older_list;   /* of the two lists, the one that was put into the queue of lists first */
short left[N];    /* until a timer's deadline */
short alarm;      /* until the loop's one timer for all lists */
bit turned_over;  /* on time: whether the millisecond has turned over, */
bit since_alarm;  /* and whether that was after the alarm was set */

/* Whether a list is due earlier or later than another matters only where there are two. */
#define EARLIEST (HAS(LONG) -> -NEVER : 0)

inline time_passes(ms) {
  d_step {
    k = 0;
    do
    :: k < n ->
       if
       :: left[k] != NEVER -> left[k] = (left[k] - (ms) > EARLIEST -> left[k] - (ms) : EARLIEST)
       :: else
       fi;
       k++
    :: else -> break
    od;
    k = 0;
    if
    :: alarm != NEVER -> alarm = (alarm > (ms) -> alarm - (ms) : 0)
    :: else
    fi
  }
}

inline turn_over() {
  d_step {
    turned_over = 1;
    since_alarm = (alarm != NEVER)
  }
  time_passes(1)
}

/* On time, the millisecond turns over at most once in a run. Late, any time may have passed since the last reading; no
 * timer can tell more than the longest delay from that. */
inline read_clock() {
  if
  :: true
  :: LATE -> time_passes(1)
  :: !LATE && !turned_over -> turn_over()
  :: LATE && HAS(LONG) -> time_passes(2)
  fi
}

/* timers.fresh-clock-at-start, timers.lists-by-duration */
inline start_timer(t) {
  read_clock();
  d_step {
    left[t] = kind[t] - SHORT + 1;
    if
    :: NONE(list[kind[t] - SHORT]) -> queue_list(kind[t] - SHORT)
    :: else
    fi;
    list[kind[t] - SHORT]!t;
    if
    :: left[t] < alarm -> alarm = left[t]; since_alarm = 0
    :: else
    fi
  }
}

/* timers.equal-deadline-start-order holds between lists as well. */
inline queue_list(l) {
  older_list = (ANY(list[1 - (l)]) -> 1 - (l) : (l))
}

/* poll.pool-width */
inline request_file(f) {
  if
  :: busy_threads < THREADS -> busy_threads++; working = working | (1 << f)
  :: else -> waiting!f
  fi
}

inline request_ends(f) {
  d_step {
    working = working & ~(1 << f);
    busy_threads--;
    ended!f;
    if
    :: ANY(waiting) -> waiting?k; request_file(k); k = 0
    :: else
    fi
  }
}

inline schedule(s) {
  if
  :: kind[s] == TICK -> ticks!s
  :: kind[s] == MICROTASK -> microtasks!s
  :: kind[s] == IMMEDIATE -> immediates!s
  :: kind[s] == FILE -> request_file(s)
  :: kind[s] >= SHORT -> start_timer(s)
  fi
}

inline call() {
  order[emitted] = callback;
  emitted++;
  if
  :: nested[callback]
  :: else ->
     child = callback + 1;
     do
     :: child < n && nested[child] -> schedule(child); child++
     :: else -> break
     od;
     child = 0
  fi;
  callback = 0
}

/* ticks.before-microtasks, ticks.until-empty, microtasks.until-empty, and both queues first in, first out */
inline drain() {
  do
  :: ANY(ticks) -> ticks?callback; call()
  :: NONE(ticks) && ANY(microtasks) ->
     do
     :: ANY(microtasks) -> microtasks?callback; call()
     :: NONE(microtasks) -> break
     od
  :: NONE(ticks) && NONE(microtasks) -> break
  od
}

/* drain.after-each-callback */
inline call_and_drain() {
  call();
  drain()
}

/* iteration.main-script-first, drain.after-main-script */
inline main_script() {
  do
  :: main < n ->
     if
     :: nested[main]
     :: else -> schedule(main)
     fi;
     main++
  :: else -> break
  od;
  main = 0;
  drain()
}

#define DUE(l) (ANY(list[l]) && first_due[l] > 0)

/* How many timers are due: the first of each list, since a list is in the order of its deadlines. */
inline count_due() {
  d_step {
    k = 0;
    do
    :: k < n ->
       if
       :: left[k] <= 0 -> first_due[kind[k] - SHORT]++
       :: else
       fi;
       k++
    :: else -> break
    od;
    k = 0
  }
}

/* Sets `served` to the list that is next: the one with the earlier deadline, and of equal ones the older one. */
inline choose_list() {
  d_step {
    served = (DUE(0) -> 0 : 1);
    if
    :: DUE(0) && DUE(1) ->
       list[0]?<callback>;
       k = callback;
       list[1]?<callback>;
       if
       :: left[callback] < left[k] || (left[callback] == left[k] && older_list == 1) -> served = 1
       :: else
       fi;
       k = 0;
       callback = 0
    :: else
    fi
  }
}

/* timers.due-in-one-pass, timers.expiring-in-pass-waits: the reading at the beginning decides which timers are due.
 * timers.lists-by-duration: those of one list run before the next list is considered. */
inline timers_phase() {
  read_clock();
  if
  :: alarm > 0
  :: else ->
     count_due();
     do
     :: DUE(0) || DUE(1) ->
        choose_list();
        do
        :: DUE(served) ->
           list[served]?callback;
           first_due[served]--;
           left[callback] = NEVER;
           call_and_drain()
        :: else -> break
        od;
        if
        :: ANY(list[served]) -> queue_list(served)
        :: else
        fi;
        served = 0
     :: else -> break
     od;
     set_alarm()
  fi
}

/* The loop's timer for the earliest deadline of all lists; at least 1 ms ahead, even where that deadline has passed. */
inline set_alarm() {
  d_step {
    alarm = NEVER;
    since_alarm = 0;
    k = 0;
    do
    :: k < n ->
       alarm = (left[k] < alarm -> left[k] : alarm);
       k++
    :: else -> break
    od;
    k = 0;
    alarm = (alarm < 1 -> 1 : alarm)
  }
}

#define IN_PROGRESS (busy_threads > 0)
#define REQUEST_ENDS(f) f < N && (working & (1 << (f))) -> request_ends(f)

/* poll.timeout: a poll that has nothing else to do waits for the first of its requests and its timer. How long is found
 * out from a fresh reading of the clock, at which the timer may be due. On time, a request ends before any timer does for
 * which a poll waits. */
#define WAITS (NONE(ended) && NONE(immediates) && alarm > 0)
#define ALARM_MAY_END_WAIT (alarm != NEVER && (LATE || !IN_PROGRESS))

inline requests_end(until) {
  do
  :: REQUEST_ENDS(0)
  :: REQUEST_ENDS(1)
  :: REQUEST_ENDS(2)
  :: REQUEST_ENDS(3)
  :: REQUEST_ENDS(4)
  :: REQUEST_ENDS(5)
  :: until -> break
  od
}

/* On time, a poll sleeps for what is left of the delay without the millisecond that has turned over: decision 1. */
inline sleep() {
  time_passes(alarm + since_alarm);
  since_alarm = 0
}

/* poll.pool-completions: requests end in any order, and those that have ended run in one batch. */
inline poll_phase() {
  requests_end(true);
  if
  :: WAITS && alarm != NEVER -> read_clock()
  :: else
  fi;
  if
  :: WAITS ->
     requests_end(ANY(ended) || ALARM_MAY_END_WAIT);
     if
     :: NONE(ended) -> sleep()
     :: else
     fi
  :: else
  fi;
  do
  :: ANY(ended) -> ended?callback; call_and_drain()
  :: NONE(ended) -> break
  od
}

/* check.immediate-batch, check.nested-immediate-waits */
inline check_phase() {
  batch = len(immediates);
  do
  :: batch > 0 -> batch--; immediates?callback; call_and_drain()
  :: else -> break
  od
}

inline choose_program() {
  if
  :: n = N
  :: !EXACTLY && N > 1 -> n = 1
  :: !EXACTLY && N > 2 -> n = 2
  :: !EXACTLY && N > 3 -> n = 3
  fi;
  do
  :: main < n ->
#if GIVEN
     c_code { now.kind[Pevent_loop->main] = getenv("KINDS_GIVEN")[Pevent_loop->main] - 48; };
#else
     if
     :: HAS(TICK) -> kind[main] = TICK
     :: HAS(MICROTASK) -> kind[main] = MICROTASK
     :: HAS(IMMEDIATE) -> kind[main] = IMMEDIATE
     :: HAS(FILE) -> kind[main] = FILE
     :: HAS(SHORT) -> kind[main] = SHORT
     :: HAS(LONG) -> kind[main] = LONG
     fi;
#endif
     if
     :: nested[main] = 0
     :: NESTING && main > 0 -> nested[main] = 1
     fi;
     left[main] = NEVER;
     main++
  :: else -> break
  od;
  main = 0
}

inline print_outcome() {
  d_step {
    k = 0;
    do
    :: k < n ->
       if
       :: nested[k] -> printf(".")
       :: else
       fi;
       if
       :: kind[k] == TICK -> printf("n")
       :: kind[k] == MICROTASK -> printf("m")
       :: kind[k] == IMMEDIATE -> printf("i")
       :: kind[k] == FILE -> printf("f")
       :: kind[k] == SHORT -> printf("t")
       :: kind[k] == LONG -> printf("u")
       fi;
       k++
    :: else -> break
    od;
    printf(" ");
    k = 0;
    do
    :: k < n ->
       assert(order[k] < n); /* which also tells spin that the order is part of the state */
       printf("%c", 65 + order[k]);
       k++
    :: else -> break
    od;
    printf("\n")
  }
}

#define ALIVE (ANY(immediates) || IN_PROGRESS || alarm != NEVER)

/* iteration.phase-order. Timers are looked at once before the first iteration, and then at the end of each
 * (timers.before-or-after-poll). */
active proctype event_loop() {
  byte callback, child, main, served, batch, k;
  byte first_due[2];

  atomic { choose_program(); alarm = NEVER }
  atomic { main_script() }
  atomic { timers_phase() }
  do
  :: ALIVE ->
     atomic { poll_phase() }
     atomic { check_phase() }
     atomic { timers_phase() }
  :: else -> break
  od;
  assert(emitted == n);
  print_outcome()
}
