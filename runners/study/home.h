// Where conform's data is: the spec with its profiles, and the cases.
#ifndef CONFORM_RUNNERS_STUDY_HOME_H_
#define CONFORM_RUNNERS_STUDY_HOME_H_

#include <string>
#include <utility>

#include "runners/base/result.h"
#include "runners/harness/selection.h"
#include "runners/model/clause.h"
#include "runners/model/profile.h"

namespace conform {

struct Home {
  explicit Home(std::string root_folder) : root(std::move(root_folder)) {}

  std::string root;

  std::string Cases() const { return Below("cases"); }
  std::string Spec() const { return Below("spec"); }
  std::string Adapters() const { return Below("adapters"); }
  std::string ProfilesFolder() const { return Below("spec/profiles"); }
  std::string KnownReports() const { return Below("spec/known-reports.yaml"); }
  std::string Renamed() const { return Below("spec/renamed.yaml"); }

 private:
  std::string Below(const std::string& name) const { return root == "." ? name : root + "/" + name; }
};

// In this order: the environment variable CONFORM_HOME, share/conform beside the folder of the executable, the sources
// that this binary was built from. The first that is set, or there, counts.
Result<Home> FindHome();

// The cases that `words` mean, under old ids as well; stderr then notes what they were renamed to.
Selection SelectCases(const Home& home, const Catalogue& catalogue, const std::vector<std::string>& words);
// The same, for who needs nothing else of the catalogue.
Selection SelectCases(const Home& home, const std::vector<std::string>& words);

// The profiles of the spec, with every rule that the reference loop needs.
Result<Profiles> LoadProfiles(const Home& home);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_HOME_H_
