// Writing a whole file.
#ifndef CONFORM_RUNNERS_BASE_WRITE_FILE_H_
#define CONFORM_RUNNERS_BASE_WRITE_FILE_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runners/base/locked_file.h"
#include "runners/base/result.h"

namespace conform {

// An error where writing to `output` would replace one of the files that are read for it: a slip of the fingers must
// not cost what took hours to run. What is not a regular file, such as /dev/stdout, is never one of them.
std::optional<Error> CheckOutput(const std::string& output, const std::vector<std::string>& read);

// Takes a text piece by piece, so that it need not be held. Nothing on success; an error ends the text.
using TextSink = std::function<std::optional<Error>(std::string_view piece)>;

// Replaces the file at once, so that readers see the old one or the new one. A path that is not a regular file,
// such as /dev/stdout, is written to as it is. No other file is touched, whatever is there. Refused: another process
// holds the file as a LockedFile. Nothing on success.
std::optional<Error> WriteWholeFile(const std::string& path, std::string_view text);

// The same piece by piece, for a text that need not be held. Without Finish, or after an error, nothing has happened.
class WholeFile {
 public:
  static Result<WholeFile> Create(const std::string& path);
  ~WholeFile();
  WholeFile(WholeFile&& other) noexcept;
  WholeFile& operator=(WholeFile&&) = delete;

  // A piece may be as small as a line: they are gathered.
  [[nodiscard]] std::optional<Error> Write(std::string_view text);
  [[nodiscard]] std::optional<Error> Finish();

 private:
  WholeFile(std::string path, std::string target, std::string beside, int descriptor, std::optional<LockedFile> old);
  std::optional<Error> Flush();
  Error Trouble(int code) const;

  std::string path_;               // as given
  std::string target_;             // what a link leads to
  std::string beside_;             // the new file; "" for a path that is not a regular file
  int descriptor_;                 // -1 once it is closed
  std::optional<LockedFile> old_;  // what is to be replaced
  std::string gathered_ = {};
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_BASE_WRITE_FILE_H_
