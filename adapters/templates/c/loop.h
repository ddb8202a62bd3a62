// A small event loop on poll(2): what the adapter drives. Put your own loop in its place.
#ifndef LOOP_H_
#define LOOP_H_

// One callback that the loop owes.
typedef struct Callback {
  enum CallbackKind { SOON, TIMER, READ } kind;
  double due_ms;   // of a TIMER, on the clock of NowMs
  int descriptor;  // of a READ
  void (*call)(struct Callback*);

  // For the loop: the turn in which it was started, whether its descriptor can be read, and the one started after it.
  long turn;
  int is_ready;
  struct Callback* next;

  // For the adapter: the step that it belongs to, which run of its chain it is, counted from 1, whether the next run
  // has been scheduled, and the one started before it.
  const struct Json* step;
  long run;
  int is_armed;
  struct Callback* older;
} Callback;

double NowMs(void);

// The callback comes once.
void LoopStart(Callback* callback);
// Calls it off, if it has not run yet.
void LoopRemove(const Callback* callback);
// Until there is nothing to wait for; 0 when all that is left is further away than anybody waits.
int LoopRun(void);

#endif  // LOOP_H_
