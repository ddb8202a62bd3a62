#include "reports/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/behaviours.h"
#include "reports/escape.h"
#include "reports/writers.h"
#include "runners/base/check.h"
#include "runners/base/text.h"

namespace conform::reports {
namespace {

std::set<Order> EndedOrders(const CaseResult& result) {
  std::set<Order> orders;
  for (const ObservedOrder& one : ObservedOrders(result)) {
    if (one.ended) orders.insert(one.order);
  }
  return orders;
}

// The most frequent order that the other side does not have, or else the most frequent.
Order Telling(const CaseResult& result, const std::set<Order>& others) {
  const std::vector<ObservedOrder> all = ObservedOrders(result);
  const auto own = std::find_if(all.begin(), all.end(), [&](const auto& one) { return !others.contains(one.order); });
  return own == all.end() ? all.front().order : own->order;
}

class Comparer {
 public:
  Comparer(const ResultSet& before, const ResultSet& after) : before_(before), after_(after) { Pair(); }

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
  void Pair() {
    const auto &lefts = before_.implementations(), &rights = after_.implementations();
    std::vector<bool> taken(rights.size());
    const auto count = [](const auto& all, const std::string& kind) {
      return std::count_if(all.begin(), all.end(), [&](const auto& one) { return one.kind == kind; });
    };
    for (size_t left = 0; left < lefts.size(); ++left) {
      std::optional<size_t> right = after_.FindImplementation(lefts[left].name);
      const std::string& kind = lefts[left].kind;
      const bool only_of_kind = count(lefts, kind) == 1 && count(rights, kind) == 1;
      for (size_t i = 0; i < rights.size() && !right; ++i) {
        if (only_of_kind && rights[i].kind == kind) right = i;
      }
      if (!right && lefts.size() == 1 && rights.size() == 1) right = 0;
      if (right) {
        pairs_.emplace_back(left, *right);
        taken[*right] = true;
      } else {
        diff_.only_before.push_back(lefts[left].name);
      }
    }
    for (size_t right = 0; right < rights.size(); ++right) {
      if (!taken[right]) diff_.only_after.push_back(rights[right].name);
    }
  }

  static std::vector<const CaseResult*> Results(const ResultSet& set, std::optional<size_t> row, size_t column) {
    std::vector<const CaseResult*> all;
    if (!row) return all;
    for (const CaseResult& result : set.Of(*row, column)) all.push_back(&result);
    return all;
  }

  void CompareCase(std::optional<size_t> row_before, size_t left, std::optional<size_t> row_after, size_t right) {
    std::vector<const CaseResult*> lefts = Results(before_, row_before, left);
    std::vector<const CaseResult*> rights = Results(after_, row_after, right);
    if (lefts.size() == 1 && rights.size() == 1) return CompareResults(*lefts[0], *rights[0]);
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
    const std::set<Order> orders_before = EndedOrders(before), orders_after = EndedOrders(after);
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
    // Four spaces make code of whatever stands behind them.
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
