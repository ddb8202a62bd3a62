// An adapter for conform: it is given a program, runs it on an event loop, and answers with the labels that came. It
// decides nothing.
//
// `isolation: process`: one process runs one program. All that conform has to say is on standard input before this
// program starts, so that it is read to its end first, and the loop never knows of it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json.h"
#include "loop.h"

// What this adapter has. `log`, `busy`, `only` and `again` need not be named.
static const char* const kOps[] = {"soon", "timeout", "read", "clear", "exit", "log", "busy", "only", "again", NULL};

static const Json* run_message;  // a null pointer where there is nothing to run
static long seq;
static int flush_each;
static Callback* started;  // the newest; none is ever freed, because its name may still be looked up

// Standard output belongs to the protocol; print to standard error to debug. Each label is a separate trace: conform
// joins them. They stay in the buffer of stdout until it is full or the process ends, because writing takes time,
// unless `flush` is `each`: then nothing may be lost, however this process ends.
static void Emit(const char* label) {
  printf("{\"type\":\"trace\",\"seq\":%ld,\"events\":[{\"label\":\"%s\",\"t_ns\":%.0f}],\"more\":true}\n", seq, label,
         NowMs() * 1e6);
  if (flush_each) fflush(stdout);
}

// ---- What a step means ----------------------------------------------------------------------------------------------

static int Is(const Json* step, const char* op) { return strcmp(JsonText(step, "op", ""), op) == 0; }

static void Perform(const Json* steps, Callback* frame);
static void RunCallback(Callback* callback);

// Each read takes the next descriptor that conform has handed over; -1 when there are no more.
static int NextDescriptor(void) {
  static const Json* next = NULL;
  const Json* list = JsonGet(run_message, "descriptors");
  if (list == NULL || (next != NULL && next->next == NULL)) return -1;
  next = next == NULL ? list->child : next->next;
  return next == NULL ? -1 : atoi(next->text);
}

// Asks the loop for run number `run` of a step that has a callback.
static void Arm(const Json* step, long run) {
  Callback* callback = calloc(1, sizeof *callback);
  callback->call = RunCallback;
  callback->step = step;
  callback->run = run;
  if (Is(step, "soon")) {
    callback->kind = SOON;
  } else if (Is(step, "timeout")) {
    const double delay_ms = strtod(JsonText(step, "argument", "0"), NULL);
    callback->kind = TIMER;
    callback->due_ms = NowMs() + (isfinite(delay_ms) && delay_ms > 0 ? delay_ms : 0);
  } else {
    callback->kind = READ;
    callback->descriptor = NextDescriptor();
  }
  callback->older = started;
  started = callback;
  LoopStart(callback);
}

// `xN` makes a chain: each run schedules the next one at the end of its body, or where `again` is before that.
static void Rearm(Callback* frame) {
  if (!frame->is_armed && frame->run < JsonNumber(frame->step, "times", 1)) Arm(frame->step, frame->run + 1);
  frame->is_armed = 1;
}

static void RunCallback(Callback* callback) {
  if (callback->kind == READ) {
    char byte;
    if (read(callback->descriptor, &byte, 1) < 0) perror("read");
    close(callback->descriptor);
  }
  const char* label = JsonText(callback->step, "label", NULL);
  const Json* body = JsonGet(callback->step, "body");
  if (label != NULL) Emit(label);
  if (body != NULL) Perform(body, callback);
  Rearm(callback);
}

// A name means the newest thing that has it, also when that has run already; one that does not exist yet, nothing.
static void Clear(const char* name) {
  const Callback* newest = started;
  while (newest != NULL && strcmp(JsonText(newest->step, "label", ""), name) != 0) newest = newest->older;
  if (newest != NULL) LoopRemove(newest);
}

static void BeBusy(double ms) {
  const double end_ms = NowMs() + ms;
  while (NowMs() <= end_ms) {
  }
}

// `frame` is the run of the callback that the steps are in; a null pointer for the main body.
static void Perform(const Json* steps, Callback* frame) {
  for (const Json* step = steps->child; step != NULL; step = step->next) {
    if (Is(step, "log")) {
      Emit(JsonText(step, "label", ""));
    } else if (Is(step, "busy")) {
      BeBusy(strtod(JsonText(step, "argument", "0"), NULL));
    } else if (Is(step, "clear")) {
      Clear(JsonText(step, "target", ""));
    } else if (Is(step, "exit")) {
      exit((int)JsonNumber(step, "argument", 0));
    } else if (Is(step, "again")) {
      Rearm(frame);
    } else if (Is(step, "only")) {
      const int is_in = frame->run >= JsonNumber(step, "only_from", 1) && frame->run <= JsonNumber(step, "only_to", 1);
      if (is_in) Perform(JsonGet(step, "body"), frame);
    } else {
      Arm(step, 1);
    }
  }
}

// ---- The conversation -----------------------------------------------------------------------------------------------

// Writes into `name` what the program needs and this adapter has not: `tick`, `on exit`, `timeout as promise`.
static int IsMissing(const Json* steps, char* name, size_t size) {
  for (const Json* step = steps->child; step != NULL; step = step->next) {
    const char* const* op = kOps;
    while (*op != NULL && !Is(step, *op)) ++op;
    const char* kind = JsonText(step, "kind", NULL);
    if (*op == NULL || kind != NULL) {
      const char* event = JsonText(step, "event", NULL);
      const char* between = event != NULL ? " " : kind != NULL ? " as " : "";
      snprintf(name, size, "%s%s%s", JsonText(step, "op", ""), between, event != NULL ? event : kind ? kind : "");
      return 1;
    }
    const Json* body = JsonGet(step, "body");
    if (body != NULL && IsMissing(body, name, size)) return 1;
  }
  return 0;
}

static void SayReady(void) {
  printf("{\"type\":\"ready\",\"protocol\":1,\"implementation\":{\"name\":\"my-loop\",\"version\":\"0.1.0\"},");
  printf("\"isolation\":\"process\",\"ops\":[");
  for (const char* const* op = kOps; *op != NULL; ++op) printf("%s\"%s\"", op == kOps ? "" : ",", *op);
  printf("]}\n");
}

// `unsupported` is decided before the first step runs.
static int SayUnsupported(const Json* program) {
  char lacks[256] = "native";
  const char* entry = JsonText(run_message, "entry", "script");
  if (strcmp(entry, "script") != 0) {
    snprintf(lacks, sizeof lacks, "entry %s", entry);
  } else if (program != NULL && !IsMissing(program, lacks, sizeof lacks)) {
    return 0;
  }
  printf("{\"type\":\"unsupported\",\"seq\":%ld,\"op\":\"%s\"}\n", seq, lacks);
  return 1;
}

int main(void) {
  char* line = NULL;
  size_t size = 0;
  while (getline(&line, &size, stdin) > 0) {
    const Json* message = JsonParse(line);
    if (strcmp(JsonText(message, "type", ""), "run") == 0) run_message = message;
  }
  setvbuf(stdout, NULL, _IOFBF, 1 << 20);
  SayReady();
  if (run_message == NULL) return 0;
  seq = JsonNumber(run_message, "seq", 1);
  flush_each = strcmp(JsonText(run_message, "flush", "exit"), "each") == 0;
  const Json* program = JsonGet(run_message, "program");
  if (SayUnsupported(program)) return 0;
  // A program that emits nothing has an answer, too.
  printf("{\"type\":\"trace\",\"seq\":%ld,\"events\":[],\"more\":true}\n", seq);
  Perform(program, NULL);
  if (!LoopRun()) Emit("exit=never");
  return 0;
}
