// What a run emitted, and how it is written down.
#ifndef CONFORM_ADAPTERS_SHARED_TRACE_H_
#define CONFORM_ADAPTERS_SHARED_TRACE_H_

#include <cstdint>
#include <string>

namespace loop_adapter {

// Nanoseconds on a steady clock.
int64_t NowNs();

// Writes a line to standard output, all of it and at once.
void WriteLine(const std::string& line);

// The labels of one run.
class Trace {
 public:
  // `each`: every label is written at once, so that it is not lost, however the run ends. `with_start`: the times are
  // those of the clock that the loop reads, and the start, which is now, is written with them.
  Trace(int64_t seq, bool each, bool with_start);

  // REQUIRES: nothing in it has to be quoted in JSON.
  void Emit(const std::string& label);
  int64_t count() const { return count_; }

  // Writes what was not written yet: the run is over.
  void Finish();

 private:
  std::string Message(bool more) const;

  const int64_t seq_;
  const bool each_;
  const std::string start_;  // a field of the message, or ""
  std::string events_;       // not written yet
  int64_t count_ = 0;
};

}  // namespace loop_adapter

#endif  // CONFORM_ADAPTERS_SHARED_TRACE_H_
