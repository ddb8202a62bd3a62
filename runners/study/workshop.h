// Where mutants of a real source are made into something that runs.
#ifndef CONFORM_RUNNERS_STUDY_WORKSHOP_H_
#define CONFORM_RUNNERS_STUDY_WORKSHOP_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runners/base/result.h"
#include "runners/runtimes/tools.h"
#include "runners/study/source_mutants.h"

namespace conform {

// A part of a file replaced by another text.
struct SourceChange {
  std::string file;
  SourceRange range;
  std::string replacement;
};

// What a change was made into.
struct MadeMutant {
  enum class Kind {
    kRuns,
    kSameCode,   // the compiler makes of it what it makes of the original
    kNotSource,  // it is not a program
  };
  Kind kind = Kind::kRuns;
  std::string option = "";  // of kRuns: the word that means it in `--impl`
};

// All methods may be called from several threads at once.
class Workshop {
 public:
  virtual ~Workshop() = default;

  virtual std::string source() const = 0;     // "libuv 1.44.2", "node 24.21.0"
  virtual std::string unchanged() const = 0;  // the word for `--impl` that means what was not changed
  virtual const std::vector<SourceMutant>& mutants() const = 0;
  // The folders of cases that are most likely to notice a change of the file, best first.
  virtual std::vector<std::string> FoldersFor(const std::string& /*file*/) const { return {}; }
  // What its processes have in their environment.
  virtual std::map<std::string, std::string> variables() const { return {}; }

  // Makes it on a bench, where it stays until the next one is made there. At most one thread uses a bench at a time,
  // and nothing that was made there runs any more. Error: the workshop itself is in trouble.
  virtual Result<MadeMutant> Make(const SourceChange& change, size_t bench) = 0;
};

struct WorkshopSettings {
  std::string cache_root;  // absolute
  Tools tools;
  size_t benches = 1;
  std::function<void(const std::string& line)> tell;  // what takes long
};

// libuv, from Debian's source package: fetched by apt with a separate list below the cache, and compiled once. The
// Error says what to add where that is impossible.
Result<std::unique_ptr<Workshop>> OpenLibuvWorkshop(const WorkshopSettings& settings);

// The JavaScript inside of a copy of the Node binary `binary`. A text of the same length takes the place of the
// original; a longer one takes its room from comments.
Result<std::unique_ptr<Workshop>> OpenNodeWorkshop(const WorkshopSettings& settings, const std::string& binary);

// `text` with the range replaced, in exactly as many bytes: room is taken from comments, or spaces are left. An Error
// where the comments are too short.
Result<std::string> MutatedInPlace(std::string_view text, const SourceRange& range, const std::string& replacement);

// What apt is to read instead of `text`, the contents of one of its lists: the same places, but for sources. `name`
// ends in .list or .sources.
std::string SourceList(const std::string& name, const std::string& text);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_WORKSHOP_H_
