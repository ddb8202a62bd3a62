// What is known of random programs, one per line, so that an interrupted hunt goes on where it was.
#ifndef CONFORM_RUNNERS_STUDY_FUZZ_LOG_H_
#define CONFORM_RUNNERS_STUDY_FUZZ_LOG_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "runners/base/locked_file.h"
#include "runners/study/fuzz.h"

namespace conform {

class FuzzLog {
 public:
  // Makes the file, or reads what it has. Error: it cannot be used, or is of other programs, of another implementation
  // or of another profile than the report.
  static Result<FuzzLog> Open(const std::string& path, const FuzzReport& report, const ProgramGenerator& generator);
  // The seed of the programs that the file is of; nothing where there is no such file yet.
  static std::optional<uint64_t> SeedOf(const std::string& path);

  // Of the programs that are known; of all parts that are in the file.
  FuzzResult TakeEarlier() { return std::move(earlier_); }
  const std::set<int64_t>& known() const { return known_; }

  void Add(const FuzzNote& note);
  const std::optional<Error>& trouble() const { return trouble_; }

 private:
  explicit FuzzLog(LockedFile file) : file_(std::move(file)) {}

  std::optional<Error> ReadLine(const std::string& line, const ProgramGenerator& generator);
  void Write(const std::string& text);

  LockedFile file_;
  FuzzResult earlier_;
  std::set<int64_t> known_;
  std::optional<Error> trouble_;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_FUZZ_LOG_H_
