// Ctrl-C: raised once, and seen by everything that waits.
#ifndef CONFORM_RUNNERS_HARNESS_INTERRUPT_H_
#define CONFORM_RUNNERS_HARNESS_INTERRUPT_H_

#include "runners/base/output.h"

namespace conform {

// While it lives, SIGINT, SIGTERM and SIGHUP do not end the process but raise this. A second SIGINT ends it at once. At
// most one lives at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool raised() const;
  int signal() const;  // the number of the first that came; 0 before
  // Of a command that it ended.
  int exit_code() const { return kEndedBySignal + signal(); }
  // Becomes readable, and stays so, when it is raised. For pollers; nothing reads from it.
  int descriptor() const;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_INTERRUPT_H_
