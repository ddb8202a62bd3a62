// A folder that is replaced as a whole, or not at all.
#ifndef CONFORM_REPORTS_SITE_FOLDER_H_
#define CONFORM_REPORTS_SITE_FOLDER_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "runners/base/result.h"

namespace conform::reports {

// The new folder is beside the old one until Finish; without that, the old one stays as it is.
class NewFolder {
 public:
  // Refused: `folder` exists and is neither empty nor a folder with the file `mark`, which the new one must have too.
  static Result<NewFolder> Begin(const std::string& folder, const std::string& mark);
  ~NewFolder();
  NewFolder(NewFolder&& other) noexcept;
  NewFolder& operator=(NewFolder&&) = delete;

  const std::filesystem::path& path() const { return part_; }
  // Writes a file of the new folder; `name` may have folders in it.
  std::optional<Error> Write(const std::string& name, const std::string& text) const;
  // Puts the new folder in the place of the old one, which is then gone.
  std::optional<Error> Finish();

 private:
  NewFolder(std::filesystem::path folder, std::filesystem::path part);

  std::filesystem::path folder_;
  std::filesystem::path part_;  // "" once there is nothing to remove
};

struct SizeOfPages {
  int64_t pages = 0;   // files of HTML
  uint64_t bytes = 0;  // of all files
};
SizeOfPages SizeOf(const std::filesystem::path& folder);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_SITE_FOLDER_H_
