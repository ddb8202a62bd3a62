#include "reports/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <unordered_map>

#include "reports/behaviours.h"
#include "reports/escape.h"
#include "reports/writers.h"
#include "runners/base/check.h"
#include "runners/base/text.h"

namespace conform::reports {
namespace {

// The most frequent order that the other side does not have, or else the most frequent.
Order Telling(const CaseResult& result, const std::set<Order>& others) {
  const std::vector<ObservedOrder> all = ObservedOrders(result);
  const auto own = std::find_if(all.begin(), all.end(), [&](const auto& one) { return !others.contains(one.order); });
  return own == all.end() ? all.front().order : own->order;
}

// Which implementation is compared with which: indices into those of the two sets.
struct Pairs {
  std::vector<std::pair<size_t, size_t>> all;
  std::vector<std::string> only_before, only_after;
};

Pairs PairImplementations(const ResultSet& before, const ResultSet& after) {
  Pairs pairs;
  const auto &lefts = before.implementations(), &rights = after.implementations();
  std::vector<bool> taken(rights.size());
  const auto count = [](const auto& all, const std::string& kind) {
    return std::count_if(all.begin(), all.end(), [&](const auto& one) { return one.kind == kind; });
  };
  for (size_t left = 0; left < lefts.size(); ++left) {
    std::optional<size_t> right = after.FindImplementation(lefts[left].name);
    const std::string& kind = lefts[left].kind;
    const bool only_of_kind = count(lefts, kind) == 1 && count(rights, kind) == 1;
    for (size_t i = 0; i < rights.size() && !right; ++i) {
      if (only_of_kind && rights[i].kind == kind) right = i;
    }
    if (!right && lefts.size() == 1 && rights.size() == 1) right = 0;
    if (right) {
      pairs.all.emplace_back(left, *right);
      taken[*right] = true;
    } else {
      pairs.only_before.push_back(lefts[left].name);
    }
  }
  for (size_t right = 0; right < rights.size(); ++right) {
    if (!taken[right]) pairs.only_after.push_back(rights[right].name);
  }
  return pairs;
}

class Comparer {
 public:
  Comparer(const ResultSet& before, const ResultSet& after) : before_(before), after_(after) {
    Pairs pairs = PairImplementations(before, after);
    pairs_ = std::move(pairs.all);
    diff_.only_before = std::move(pairs.only_before);
    diff_.only_after = std::move(pairs.only_after);
  }

  Diff Take() {
    std::set<std::string> ids;
    for (const ReportCase& c : before_.cases()) ids.insert(c.id);
    for (const ReportCase& c : after_.cases()) ids.insert(c.id);
    for (const std::string& id : ids) {
      for (const auto& [left, right] : pairs_) CompareCase(before_.FindCase(id), left, after_.FindCase(id), right);
    }
    for (const ResultSet* set : {&before_, &after_}) {
      for (std::string& why : set->Incompleteness()) diff_.incomplete.push_back(std::move(why));
    }
    return std::move(diff_);
  }

 private:
  static std::vector<const CaseResult*> Results(const ResultSet& set, std::optional<size_t> row, size_t column) {
    std::vector<const CaseResult*> all;
    if (!row) return all;
    for (const CaseResult& result : set.Of(*row, column)) all.push_back(&result);
    return all;
  }

  void CompareCase(std::optional<size_t> row_before, size_t left, std::optional<size_t> row_after, size_t right) {
    std::vector<const CaseResult*> lefts = Results(before_, row_before, left);
    std::vector<const CaseResult*> rights = Results(after_, row_after, right);
    const bool one_each = row_before && row_after && before_.CountProfiles(*row_before, left) == 1 &&
                          after_.CountProfiles(*row_after, right) == 1;
    if (one_each && !lefts.empty() && !rights.empty()) return CompareResults(*lefts[0], *rights[0]);
    for (const CaseResult* one : lefts) {
      const auto twin = std::find_if(rights.begin(), rights.end(),
                                     [&](const CaseResult* other) { return other->profile == one->profile; });
      if (twin == rights.end()) {
        diff_.entries.push_back({DiffKind::kGone, one->case_id, one, nullptr});
        continue;
      }
      CompareResults(*one, **twin);
      rights.erase(twin);
    }
    for (const CaseResult* one : rights) diff_.entries.push_back({DiffKind::kNew, one->case_id, nullptr, one});
  }

  void CompareResults(const CaseResult& before, const CaseResult& after) {
    const std::set<Order> orders_before = before.EndedOrders(), orders_after = after.EndedOrders();
    const bool covered = before.verdict == Verdict::kPass && before.expected == after.expected;
    DiffKind kind = DiffKind::kOrder;
    if (before.content_hash != after.content_hash) {
      kind = DiffKind::kCaseChanged;
    } else if (before.verdict != after.verdict) {
      const bool undecided = before.verdict == Verdict::kInconclusive || after.verdict == Verdict::kInconclusive;
      kind = undecided ? DiffKind::kUndecided : DiffKind::kVerdict;
    } else if (covered || orders_before == orders_after) {
      ++diff_.same;
      return;
    } else if (before.verdict == Verdict::kInconclusive) {
      kind = DiffKind::kUndecided;
    }
    DiffEntry entry{kind, before.case_id, &before, &after};
    if (!before.tries.empty() && !after.tries.empty()) {
      entry.columns = AlignOrders(Telling(before, orders_after), Telling(after, orders_before));
    }
    diff_.entries.push_back(std::move(entry));
  }

  const ResultSet& before_;
  const ResultSet& after_;
  std::vector<std::pair<size_t, size_t>> pairs_;  // of implementations
  Diff diff_;
};

// The passes of a file, as little of each as tells whether another one is the same: the case as it was, and what was
// expected of it.
class Passes {
 public:
  explicit Passes(std::unordered_map<std::string, uint32_t>* names) : names_(names) {}

  void Add(const CaseResult& result) {
    ContentHasher what;
    for (const std::string* text : {&result.content_hash, &result.expected}) what.Add(*text + '\0');
    all_.push_back({KeyOf(result), what.value()});
  }
  void Sort() { std::sort(all_.begin(), all_.end()); }

  struct Key {
    uint32_t implementation, case_id, profile;
    auto operator<=>(const Key&) const = default;
  };
  struct Pass {
    Key key;
    uint64_t what;
    bool is_same = false;  // as that of the other side
    auto operator<=>(const Pass&) const = default;
  };

  Key KeyOf(const CaseResult& result) {
    return {Number(result.implementation), Number(result.case_id), Number(result.profile)};
  }
  uint32_t Number(const std::string& name) {
    return names_->try_emplace(name, static_cast<uint32_t>(names_->size())).first->second;
  }

  // REQUIRES: sorted.
  Pass* Find(const Key& key) {
    const auto found = std::lower_bound(all_.begin(), all_.end(), Pass{key, 0});
    return found == all_.end() || found->key != key ? nullptr : &*found;
  }
  // Those of one case on one implementation.
  std::span<Pass> Of(uint32_t implementation, uint32_t case_id) {
    const auto begin = std::lower_bound(all_.begin(), all_.end(), Pass{{implementation, case_id, 0}, 0});
    auto end = begin;
    while (end != all_.end() && end->key.implementation == implementation && end->key.case_id == case_id) ++end;
    return {begin, end};
  }

 private:
  std::unordered_map<std::string, uint32_t>* names_;
  std::vector<Pass> all_;
};

// Marks the passes that are the same on both sides, and returns how many pairs of them there are.
int64_t MarkSame(const ResultSet& before, Passes& passes_before, const ResultSet& after, Passes& passes_after) {
  int64_t same = 0;
  for (const auto& [left, right] : PairImplementations(before, after).all) {
    const uint32_t left_name = passes_before.Number(before.implementations()[left].name);
    const uint32_t right_name = passes_after.Number(after.implementations()[right].name);
    for (size_t row = 0; row < before.cases().size(); ++row) {
      const std::string& id = before.cases()[row].id;
      const auto other_row = after.FindCase(id);
      if (!other_row) continue;
      const bool one_each = before.CountProfiles(row, left) == 1 && after.CountProfiles(*other_row, right) == 1;
      const uint32_t number = passes_before.Number(id);
      const std::span<Passes::Pass> twins = passes_after.Of(right_name, number);
      for (Passes::Pass& one : passes_before.Of(left_name, number)) {
        const auto is_twin = [&](const Passes::Pass& other) {
          return one_each || other.key.profile == one.key.profile;
        };
        const auto twin = std::find_if(twins.begin(), twins.end(), is_twin);
        if (twin == twins.end() || twin->what != one.what) continue;
        one.is_same = twin->is_same = true;
        ++same;
      }
    }
  }
  return same;
}

nlohmann::ordered_json SideJson(const CaseResult* result) {
  if (result == nullptr) return nullptr;
  nlohmann::ordered_json orders = nlohmann::ordered_json::array();
  for (const ObservedOrder& one : ObservedOrders(*result)) {
    orders.push_back({{"order", one.order}, {"count", one.count}, {"ended", one.ended}});
  }
  return {{"implementation", result->implementation}, {"profile", result->profile},   {"hash", result->content_hash},
          {"verdict", VerdictName(result->verdict)},  {"expected", result->expected}, {"observed", std::move(orders)}};
}

std::string VerdictsText(const DiffEntry& entry) {
  const auto name = [](const CaseResult* result) {
    return result == nullptr ? std::string("–") : std::string(VerdictName(result->verdict));
  };
  return name(entry.before) + " → " + name(entry.after);
}

}  // namespace

std::string_view DiffKindName(DiffKind kind) {
  switch (kind) {
    case DiffKind::kVerdict:
      return "verdict";
    case DiffKind::kOrder:
      return "order";
    case DiffKind::kUndecided:
      return "undecided";
    case DiffKind::kCaseChanged:
      return "case-changed";
    case DiffKind::kNew:
      return "new";
    case DiffKind::kGone:
      return "gone";
  }
  CONFORM_CHECK(false);
}

bool Diff::differs() const {
  const auto known = [](const DiffEntry& entry) { return entry.kind != DiffKind::kUndecided; };
  return !only_before.empty() || !only_after.empty() || std::any_of(entries.begin(), entries.end(), known);
}

Diff Compare(const ResultSet& before, const ResultSet& after) { return Comparer(before, after).Take(); }

Result<ComparedFiles> CompareFiles(const std::string& before, const std::string& after, const RenamedIds& renamed) {
  std::unordered_map<std::string, uint32_t> names;
  Passes passes[2] = {Passes(&names), Passes(&names)};
  const auto read = [&](const std::string& path, Passes& known, bool again) {
    return ResultSet::Read({path}, renamed, ResultSet::Runs::kOne, [&, again](const CaseResult& result) {
      if (again) {
        const Passes::Pass* pass = known.Find(known.KeyOf(result));
        return pass == nullptr || !pass->is_same;
      }
      known.Add(result);
      return false;
    });
  };
  int64_t same = 0;
  {
    const auto first = read(before, passes[0], false);
    if (!first) return first.error();
    const auto second = read(after, passes[1], false);
    if (!second) return second.error();
    for (Passes& one : passes) one.Sort();
    same = MarkSame(*first, passes[0], *second, passes[1]);
  }
  auto first = read(before, passes[0], true);
  if (!first) return first.error();
  auto second = read(after, passes[1], true);
  if (!second) return second.error();
  ComparedFiles files{std::move(*first), std::move(*second), {}};
  files.diff = Compare(files.before, files.after);
  files.diff.same += same;
  return files;
}

std::string SideName(const CaseResult& result, const CaseResult* other) {
  const bool own_profile = result.profile != result.implementation;
  if (!own_profile || (other != nullptr && other->implementation != result.implementation))
    return result.implementation;
  return result.implementation + " as " + result.profile;
}

nlohmann::ordered_json DiffJson(const Diff& diff) {
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  for (const DiffEntry& entry : diff.entries) {
    nlohmann::ordered_json one{{"kind", DiffKindName(entry.kind)},
                               {"case", entry.case_id},
                               {"before", SideJson(entry.before)},
                               {"after", SideJson(entry.after)},
                               {"aligned", nlohmann::ordered_json::array()}};
    for (const AlignedColumn& column : entry.columns) one["aligned"].push_back({column.before, column.after});
    entries.push_back(std::move(one));
  }
  return {{"differs", diff.differs()},       {"same", diff.same},
          {"only_before", diff.only_before}, {"only_after", diff.only_after},
          {"incomplete", diff.incomplete},   {"differences", std::move(entries)}};
}

std::string DiffMarkdown(const Diff& diff, const std::string& before, const std::string& after, size_t max_bytes) {
  constexpr size_t kWidth = 100, kMaxBlock = 4'000;
  std::string out = "### " + MarkdownCode(before) + " → " + MarkdownCode(after) + "\n\n";
  out += fmt::format("{} differ, {} are the same.\n", diff.entries.size(), diff.same);
  for (const std::string& why : diff.incomplete) out += "\n**Incomplete** " + MarkdownCode(why) + "\n";
  for (const std::string& name : diff.only_before) out += "\nOnly before: " + MarkdownCode(name) + "\n";
  for (const std::string& name : diff.only_after) out += "\nOnly after: " + MarkdownCode(name) + "\n";
  size_t left = 0;
  for (const DiffEntry& entry : diff.entries) {
    std::string text = "\n**" + MarkdownCode(entry.case_id) + "** " + std::string(DiffKindName(entry.kind)) + ": " +
                       VerdictsText(entry) + "\n";
    std::string block;
    const std::string one = entry.before == nullptr ? "" : SideName(*entry.before, entry.after);
    const std::string two = entry.after == nullptr ? "" : SideName(*entry.after, entry.before);
    const size_t wide = std::max(one.size(), two.size()) + 2;
    for (const AlignedLines& lines : AlignmentLines(entry.columns, kWidth)) {
      if (entry.columns.empty() || block.size() > kMaxBlock) break;
      block += one + std::string(wide - one.size(), ' ') + lines.before + "\n";
      block += two + std::string(wide - two.size(), ' ') + lines.after + "\n";
    }
    // Four spaces make code of whatever follows them.
    if (!block.empty()) {
      text += "\n";
      for (const std::string& line : Split(block.substr(0, block.size() - 1), '\n')) text += "    " + line + "\n";
    }
    if (left > 0 || out.size() + text.size() + 100 > max_bytes) {
      ++left;
    } else {
      out += text;
    }
  }
  if (left > 0) out += fmt::format("\nand {} more\n", left);
  return out;
}

}  // namespace conform::reports
