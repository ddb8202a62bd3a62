#include "loop.h"

#include <math.h>
#include <poll.h>
#include <stddef.h>
#include <time.h>

enum { kMaxDescriptors = 256, kFarAwayMs = 60000 };

static Callback* waiting;
static long turn;

double NowMs(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

void LoopStart(Callback* callback) {
  callback->turn = turn;
  callback->next = NULL;
  Callback** end = &waiting;
  while (*end != NULL) end = &(*end)->next;
  *end = callback;
}

void LoopRemove(const Callback* callback) {
  Callback** at = &waiting;
  while (*at != NULL && *at != callback) at = &(*at)->next;
  if (*at != NULL) *at = callback->next;
}

// The next one of this kind to run in this turn, or a null pointer. What a turn starts waits for the next turn.
static Callback* Next(enum CallbackKind kind, double now_ms) {
  Callback* first = NULL;
  for (Callback* one = waiting; one != NULL; one = one->next) {
    if (one->kind != kind || one->turn == turn) continue;
    if (kind == READ && !one->is_ready) continue;
    if (kind == TIMER && one->due_ms > now_ms) continue;
    if (first == NULL || (kind == TIMER && one->due_ms < first->due_ms)) first = one;
  }
  return first;
}

static void RunPhase(enum CallbackKind kind) {
  const double now_ms = NowMs();
  for (Callback* one = Next(kind, now_ms); one != NULL; one = Next(kind, now_ms)) {
    LoopRemove(one);
    one->call(one);
  }
}

// Sleeps until something can run, and marks the descriptors that can be read. 0 when that would take forever.
static int Wait(void) {
  struct pollfd entries[kMaxDescriptors];
  Callback* owners[kMaxDescriptors];
  nfds_t count = 0;
  double timeout_ms = INFINITY;
  for (Callback* one = waiting; one != NULL; one = one->next) {
    double wait_ms = INFINITY;
    if (one->kind == SOON) wait_ms = 0;
    if (one->kind == TIMER) wait_ms = ceil(one->due_ms - NowMs());
    if (wait_ms < timeout_ms) timeout_ms = wait_ms < 0 ? 0 : wait_ms;
    if (one->kind == READ && count < kMaxDescriptors) {
      owners[count] = one;
      entries[count++] = (struct pollfd){.fd = one->descriptor, .events = POLLIN};
    }
  }
  if (count == 0 && timeout_ms > kFarAwayMs) return 0;
  poll(entries, count, timeout_ms > kFarAwayMs ? -1 : (int)timeout_ms);
  for (nfds_t i = 0; i < count; ++i) owners[i]->is_ready = entries[i].revents != 0;
  return 1;
}

// A turn, phase by phase: what is to run soon, then what can be read, then the timers that are due.
int LoopRun(void) {
  while (waiting != NULL) {
    ++turn;
    RunPhase(SOON);
    if (waiting != NULL && !Wait()) return 0;
    RunPhase(READ);
    RunPhase(TIMER);
  }
  return 1;
}
