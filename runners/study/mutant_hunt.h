// The hunt for mutants: which cases would fail a loop that has one thing wrong?
#ifndef CONFORM_RUNNERS_STUDY_MUTANT_HUNT_H_
#define CONFORM_RUNNERS_STUDY_MUTANT_HUNT_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference-impl/explore/model.h"
#include "reference-impl/explore/mutants.h"
#include "runners/harness/expected_orders.h"
#include "runners/harness/selection.h"
#include "runners/model/profile.h"

namespace conform {

// A case that a mutant fails, and what it did there.
struct Kill {
  std::string case_id;
  std::string profile;
  std::string pattern;
  std::optional<Order> order;  // that is not expected; nothing where the mutant does not end
  bool proof = true;           // no delay of any length explains it either: it fails on a real machine too
};

// Immutable once made: several threads may ask at once.
class MutantHunt {
 public:
  // Cases that the reference loop cannot run are left out. The cases must outlive the hunt.
  MutantHunt(const std::vector<SelectedCase>& cases, const Profiles& profiles);

  // A case that kills the mutant, and with a proof if one is near: cases that name its clause are asked first, then
  // those of its chapter.
  std::optional<Kill> Find(const reference::Mutant& mutant) const;
  // One kill for each case that kills it with little effort: at the newest or the oldest version of what the case
  // expects, among few runs, and no proof is looked for. Where there is none, with all effort. In the order of the
  // catalogue.
  std::vector<Kill> FindAll(const reference::Mutant& mutant) const;
  // A kill by this case, or nothing.
  std::optional<Kill> FindBy(const std::string& case_id, const reference::Mutant& mutant) const;

  // The ids of the cases that were asked.
  std::vector<std::string> CaseIds() const;

 private:
  // A case under one profile.
  struct Question {
    std::shared_ptr<const Profile> profile;
    std::shared_ptr<const ExpectedOrders> expected;
    int64_t steps_limit;  // far more than the loop needs that is not broken
  };
  struct Asked {
    const Case* c;
    std::vector<Question> questions;
  };

  enum class Effort { kSmall, kFull };

  // A mutant, and the models that it makes of profiles, each read once.
  class BrokenLoop {
   public:
    explicit BrokenLoop(const reference::Mutant& mutant) : mutant_(mutant) {}
    const reference::Mutant& mutant() const { return mutant_; }
    // REQUIRES: `profile` outlives this.
    const reference::Model& At(const Profile& profile);

   private:
    const reference::Mutant& mutant_;
    std::map<const Profile*, reference::Model> models_;
  };

  // The questions of a case that the mutant may answer wrongly; the likely ones first.
  std::vector<const Question*> Touched(const Asked& asked, const reference::Mutant& mutant, Effort effort) const;
  std::optional<Kill> Ask(const Case& c, const Question& question, BrokenLoop* broken, Effort effort) const;
  std::optional<Kill> KillBy(const Asked& asked, BrokenLoop* broken, Effort effort) const;

  std::vector<Asked> asked_;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_MUTANT_HUNT_H_
