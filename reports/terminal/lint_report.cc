#include "reports/terminal/lint_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace conform::reports {
namespace {

using Json = nlohmann::ordered_json;

std::string_view AgreementName(Agreement agreement) {
  switch (agreement) {
    case Agreement::kAgrees:
      return "agrees";
    case Agreement::kNotModelled:
      return "not-modelled";
    case Agreement::kIncomplete:
      return "incomplete";
    case Agreement::kDisagrees:
      return "disagrees";
  }
  CONFORM_CHECK(false);
}

bool SameFinding(const ProfileLint& a, const ProfileLint& b) {
  return a.agreement == b.agreement && a.pattern == b.pattern && a.only_model == b.only_model &&
         a.only_pattern == b.only_pattern && a.note == b.note;
}

// "node@11.0.0", "node@11.0.0 and node@26.10.0", "node@11.0.0 to node@26.10.0 (14 versions)".
std::string Versions(const std::vector<const ProfileLint*>& group) {
  if (group.size() == 1) return group[0]->profile;
  if (group.size() == 2) return group[0]->profile + " and " + group[1]->profile;
  return fmt::format("{} to {} ({} versions checked)", group.front()->profile, group.back()->profile, group.size());
}

std::string Finding(const CaseLint& lint, const std::vector<const ProfileLint*>& group, const Style& style) {
  const ProfileLint& one = *group[0];
  const bool disagrees = one.agreement == Agreement::kDisagrees;
  std::string out = (disagrees ? style.Bad("disagrees") : style.Doubtful("incomplete")) + "  " +
                    style.Strong(lint.case_id) + "  " + Versions(group) + "\n";
  out += Wrap("`" + one.pattern + "`", "    expected: ", "              ");
  if (one.only_model) {
    out += Wrap("the model allows `" + OrderToString(*one.only_model) + "`, the pattern does not" +
                    (one.note.empty() ? "" : ": " + one.note),
                "    ", "      ");
  }
  if (one.only_pattern) {
    out += Wrap("the pattern allows `" + OrderToString(*one.only_pattern) + "`, the model does not", "    ", "      ");
  }
  if (!disagrees) out += "    the limit on " + one.note + " was hit: nothing is proved\n";
  return out + fmt::format("    conform explore {} --profile={}\n", Quoted(lint.reference), one.profile);
}

std::string Findings(const CaseLint& lint, const Style& style) {
  std::string out;
  for (const Error& problem : lint.problems) out += style.Bad("problem") + "  " + problem.ToString() + "\n";
  for (const Error& note : lint.notes) out += "note  " + note.ToString() + "\n";
  std::vector<std::vector<const ProfileLint*>> groups;
  for (const ProfileLint& one : lint.profiles) {
    if (one.agreement < Agreement::kIncomplete) continue;
    const auto same =
        std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return SameFinding(*group[0], one); });
    if (same == groups.end()) {
      groups.push_back({&one});
    } else {
      same->push_back(&one);
    }
  }
  for (const auto& group : groups) out += Finding(lint, group, style);
  return out;
}

std::string SizeText(const SetSize& size) { return std::to_string(size.orders) + (size.more ? "+" : ""); }

// "1" where all profiles agree, "1 2+" where they differ.
template <typename Member>
std::string Sizes(const CaseLint& lint, Member member) {
  std::vector<std::string> sizes;
  for (const ProfileLint& one : lint.profiles) {
    if (!(one.*member)) continue;
    const std::string text = SizeText(*(one.*member));
    if (std::find(sizes.begin(), sizes.end(), text) == sizes.end()) sizes.push_back(text);
  }
  return sizes.empty() ? "-" : fmt::format("{}", fmt::join(sizes, " "));
}

std::string SizeTable(const LintReport& report) {
  size_t width = 4;
  for (const CaseLint& lint : report.cases) width = std::max(width, lint.case_id.size());
  std::string out = fmt::format("{:<{}}  {:<10}  late\n", "case", width, "on time");
  for (const CaseLint& lint : report.cases) {
    out += fmt::format("{:<{}}  {:<10}  {}\n", lint.case_id, width, Sizes(lint, &ProfileLint::on_time),
                       Sizes(lint, &ProfileLint::late));
  }
  return out + "\n";
}

Json SizeJson(const std::optional<SetSize>& size) {
  if (!size) return nullptr;
  return Json{{"orders", size->orders}, {"more", size->more}};
}

Json ErrorJson(const Error& error) {
  return Json{{"message", error.message},
              {"file", error.file},
              {"line", error.at.line},
              {"column", error.at.column},
              {"hint", error.hint}};
}

Json ErrorsJson(const std::vector<Error>& errors) {
  Json list = Json::array();
  for (const Error& error : errors) list.push_back(ErrorJson(error));
  return list;
}

Json ProfileJson(const ProfileLint& one) {
  Json json{{"profile", one.profile}, {"pattern", one.pattern}, {"agreement", AgreementName(one.agreement)}};
  if (one.only_model) json["only_model"] = *one.only_model;
  if (one.only_pattern) json["only_pattern"] = *one.only_pattern;
  if (!one.note.empty()) json["note"] = one.note;
  if (one.on_time) json["on_time"] = SizeJson(one.on_time);
  if (one.late) json["late"] = SizeJson(one.late);
  return json;
}

}  // namespace

std::string LintText(const LintReport& report, bool sizes, const Style& style) {
  std::string out;
  if (sizes) out += SizeTable(report);
  int64_t problems = 0, pairs = 0;
  for (const CaseLint& lint : report.cases) {
    out += Findings(lint, style);
    problems += static_cast<int64_t>(lint.problems.size());
    pairs += static_cast<int64_t>(lint.profiles.size());
  }
  for (const std::string& id : report.must_without_case) {
    out += style.Bad("problem") + "  the MUST clause '" + id + "' has no case\n";
  }
  if (!out.empty()) out += "\n";
  out += fmt::format("{}, each at every version where its rules change: {} in all\n",
                     Counted(static_cast<int64_t>(report.cases.size()), "case"), pairs);
  out += fmt::format("  {} agree with the model, {} disagree, {} incomplete, {} without a model\n",
                     report.Count(Agreement::kAgrees), report.Count(Agreement::kDisagrees),
                     report.Count(Agreement::kIncomplete), report.Count(Agreement::kNotModelled));
  if (report.must_clauses > 0) {
    out +=
        fmt::format("  {} of {} MUST clauses have a case\n",
                    report.must_clauses - static_cast<int64_t>(report.must_without_case.size()), report.must_clauses);
  }
  if (problems > 0) out += "  " + Counted(problems, "problem") + " in case files\n";
  if (!report.unreadable.empty()) {
    out += "  " + Counted(static_cast<int64_t>(report.unreadable.size()), "error") + " in files that cannot be read\n";
  }
  return out;
}

Json LintJson(const LintReport& report) {
  Json cases = Json::array();
  for (const CaseLint& lint : report.cases) {
    Json profiles = Json::array();
    for (const ProfileLint& one : lint.profiles) profiles.push_back(ProfileJson(one));
    cases.push_back(Json{{"case", lint.case_id},
                         {"file", lint.file},
                         {"native", lint.native},
                         {"agreement", AgreementName(lint.Worst())},
                         {"problems", ErrorsJson(lint.problems)},
                         {"notes", ErrorsJson(lint.notes)},
                         {"profiles", std::move(profiles)}});
  }
  return Json{{"clean", report.Clean() && report.unreadable.empty()},
              {"must_clauses", report.must_clauses},
              {"must_without_case", report.must_without_case},
              {"unreadable", ErrorsJson(report.unreadable)},
              {"cases", std::move(cases)}};
}

}  // namespace conform::reports
