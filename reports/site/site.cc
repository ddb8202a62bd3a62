#include "reports/site/site.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/escape.h"
#include "reports/html/page.h"
#include "reports/html/playground_link.h"
#include "reports/site/assets.h"
#include "reports/site/markdown.h"
#include "reports/site/places.h"
#include "reports/terminal/causes_report.h"
#include "runners/base/output.h"
#include "runners/base/text.h"
#include "runners/model/case_text.h"

namespace conform::reports {
namespace {

constexpr size_t kMostCasesInStart = 5;

// Words that mean themselves in Markdown.
std::string Plain(std::string_view text) {
  static constexpr std::string_view kMarks = "\\`*_[]<>#|";
  std::string out;
  for (const char c : Cleaned(text)) {
    if (kMarks.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string LinkText(std::string_view words, const std::string& place) {
  return place.empty() ? std::string(words) : fmt::format("[{}](site:{})", words, place);
}

// The words of the first heading; else `otherwise`.
std::string TitleOf(const std::string& text, const std::string& otherwise) {
  for (const std::string& line : Split(text, '\n')) {
    if (line.starts_with("# ")) return line.substr(2);
  }
  return otherwise;
}

class SiteMaker {
 public:
  explicit SiteMaker(const SiteInput& input) : input_(input), places_(input) {
    for (const Case& c : input.catalogue.cases) {
      for (const std::string& clause : c.clauses) cases_of_[clause].push_back(&c);
    }
  }

  std::vector<SiteFile> All() {
    Add({"index.html", "index.html", "The order of callbacks", StartText()});
    for (const SiteDocument& document : input_.documents) AddDocument(document);
    Add({"catalogue.html", "catalogue.html", "The catalogue", CatalogueText()});
    Add({"rules.html", "rules.html", "Rules by loop", RulesText()});
    Add({"causes/index.html", "causes/index.html", "Causes by runtime", CausesIndexText()});
    for (const CausesReport& report : input_.causes) {
      Add({places_.OfCauses(report), "causes/index.html", "Why " + report.implementation + " differs",
           CausesPageText(report)});
    }
    files_.push_back({"site.css", HtmlStyle() + std::string(kSiteStyleSource)});
    files_.push_back({kSiteMark, "This folder was made by 'conform site', which replaces it as a whole.\n"});
    return std::move(files_);
  }

 private:
  void Add(const SitePage& page) { files_.push_back({page.path, places_.Render(page)}); }

  // --- The documents of the spec ---

  void AddDocument(const SiteDocument& document) {
    const std::string path = places_.OfDocument(document.path);
    const size_t folder = document.path.find_last_of('/');
    const std::string own[] = {places_.OfDocument("claims.md"), places_.OfDocument("history.md")};
    const bool is_history = path == own[1] || document.path.starts_with("history-");
    const std::string section = is_history ? own[1] : path == own[0] ? path : places_.OfDocument("README.md");
    SitePage page = {path, section, TitleOf(document.text, document.path), document.text};
    page.folder = folder == std::string::npos ? "" : document.path.substr(0, folder);
    page.has_tries = path == own[0] || IsChapter(document.path);
    if (IsChapter(document.path)) page.text = WithCases(document.text);
    if (is_history) page.text = HistoryText(document.text);
    if (document.path == "README.md") page.text += DocumentsText();
    Add(page);
  }

  // What the start of the spec does not link by itself.
  std::string DocumentsText() const {
    std::string out = "\n## All documents\n\n";
    for (const SiteDocument& document : input_.documents) {
      if (document.path == "README.md") continue;
      out += fmt::format("- {}\n",
                         LinkText(TitleOf(document.text, Plain(document.path)), places_.OfDocument(document.path)));
    }
    return out;
  }

  // Each clause, with its cases below its text.
  std::string WithCases(const std::string& chapter) const {
    std::string out, clause;
    bool in_code = false;
    const auto end_clause = [&] {
      if (!clause.empty()) out += CasesText(clause);
      clause.clear();
    };
    for (const std::string& line : Split(chapter, '\n')) {
      if (line.starts_with("```")) in_code = !in_code;
      if (!in_code && line.starts_with("#")) {
        end_clause();
        if (line.starts_with("### ") && !places_.OfClause(line.substr(4)).empty()) clause = line.substr(4);
      }
      out += line + "\n";
    }
    end_clause();
    return out;
  }

  std::string CasesText(const std::string& clause) const {
    std::string out =
        "\n" + LinkText("What implementations do", std::string(kSiteReport) + "/index.html#spec/" + clause);
    const auto found = cases_of_.find(clause);
    if (found != cases_of_.end()) {
      out += " · " + Counted(static_cast<int64_t>(found->second.size()), "case") + ":";
      for (const Case* c : found->second) out += " " + MarkdownCode(c->id);
    }
    return out + "\n\n";
  }

  // The table of changes names cases in plain text; as code, their ids become links.
  std::string HistoryText(const std::string& text) const {
    std::string out;
    for (const std::string& line : Split(text, '\n')) {
      const size_t end = line.find(" | ");
      const std::string first = line.starts_with("| ") && end != std::string::npos ? line.substr(2, end - 2) : "";
      out += places_.OfCase(first).empty() ? line : "| " + MarkdownCode(first) + line.substr(end);
      out += "\n";
    }
    out += "\n";
    for (const SiteDocument& document : input_.documents) {
      if (!document.path.starts_with("history-")) continue;
      out += "- " + LinkText(TitleOf(document.text, Plain(document.path)), places_.OfDocument(document.path)) + "\n";
    }
    return out + "- " +
           LinkText("What the results of this site show, release by release",
                    std::string(kSiteReport) + "/index.html#history") +
           "\n";
  }

  // --- Separate pages ---

  std::string StartText() const {
    const auto& implementations = input_.set.implementations();
    std::string out = fmt::format(
        "# The order of callbacks\n\nIn which order may an event loop run callbacks, which order do runtimes choose, "
        "and why? {} in {}, {} on {}.\n\n",
        Counted(static_cast<int64_t>(input_.clauses.clauses.size()), "clause"),
        LinkText("a spec", places_.OfDocument("README.md")),
        LinkText(Counted(static_cast<int64_t>(input_.catalogue.cases.size()), "case"), "catalogue.html"),
        LinkText(Counted(static_cast<int64_t>(implementations.size()), "implementation"),
                 std::string(kSiteReport) + "/index.html"));
    out += "## Questions\n\n";
    for (const CausesReport& report : input_.causes) {
      out += fmt::format("- **[Why does {} differ?](site:{})** As {}, {} of {} fail, and {} explain {} of them.\n",
                         Plain(report.implementation), places_.OfCauses(report), Plain(report.profile), report.failing,
                         Counted(report.failing + report.passing, "case"),
                         Counted(static_cast<int64_t>(report.causes.size()), "cause"), report.explained());
    }
    if (input_.has_playground) {
      out += fmt::format("- **{}** Type a few lines, and see every order that a release allows.\n",
                         LinkText("Which orders may my program print?", kSitePlayground));
    }
    const std::vector<std::tuple<std::string, std::string, std::string>> rest = {
        {"Is it true what people say about the event loop?", places_.OfDocument("claims.md"),
         "Common claims, each with the cases that decide it."},
        {"What do runtimes do?", std::string(kSiteReport) + "/index.html",
         "Every case on every implementation, and beside them the results of yours: drop the file there."},
        {"When did it change?", places_.OfDocument("history.md"), "Every change of order, release by release."},
        {"What does each loop do?", "rules.html", "The rules by which releases and loops differ."},
        {"Which programs show it?", "catalogue.html", "The cases, by what they ask."},
        {"What is promised?", places_.OfDocument("README.md"), "The clauses, chapter by chapter."},
    };
    for (const auto& [question, place, words] : rest) {
      if (!place.empty()) out += fmt::format("- **{}** {}\n", LinkText(question, place), words);
    }
    return out + "\n## Results\n\n" + TotalsText();
  }

  std::string TotalsText() const {
    std::string out = "| implementation | held to | pass | against it | other |\n| --- | --- | --- | --- | --- |\n";
    for (const ReportImplementation& one : input_.set.implementations()) {
      int64_t pass = 0, against = 0, other = 0;
      for (const auto& [verdict, count] : one.totals) {
        (verdict == Verdict::kPass ? pass : IsJudgement(verdict) ? against : other) += count;
      }
      out += fmt::format("| {} | {} | {} | {} | {} |\n", MarkdownCell(one.name),
                         one.profiles.size() > 2 ? Counted(static_cast<int64_t>(one.profiles.size()), "profile")
                                                 : Plain(Join(one.profiles, ", ")),
                         pass, against, other);
    }
    return out;
  }

  std::string CatalogueText() const {
    std::string out = fmt::format(
        "# The catalogue\n\n{}, each a small program and the orders that it may run in. {} "
        "has filters.\n\n",
        Counted(static_cast<int64_t>(input_.catalogue.cases.size()), "case"),
        LinkText("The matrix", std::string(kSiteReport) + "/index.html#matrix"));
    std::string contents, body, chapter;
    for (const Case& c : input_.catalogue.cases) {
      const std::string folder = c.id.substr(0, c.id.find('/'));
      if (folder != chapter) {
        chapter = folder;
        contents += fmt::format("{}[{}](#{})", contents.empty() ? "" : " · ", Plain(folder), HeadingId(folder));
        body += "## " + folder + "\n\n";
      }
      body += CaseText(c);
    }
    return out + contents + "\n\n" + body;
  }

  std::string CaseText(const Case& c) const {
    const std::string page = places_.OfCase(c.id);
    const bool has_page = !page.starts_with("catalogue.html");
    std::vector<std::string> links;
    if (has_page) links.push_back(LinkText("Program and results", page));
    if (const std::string program = places_.OfProgram(c.id); !program.empty()) {
      links.push_back(LinkText("Playground", program));
    }
    for (const std::string& clause : c.clauses) links.push_back(MarkdownCode(clause));
    std::string out = fmt::format("### {}\n\n{}\n\n{}\n\n", c.id, Plain(c.title), Join(links, " · "));
    if (has_page) return out;
    out += "```\n" + (c.native.empty() ? ProgramText(c.program, "") : ModelText(c, "")) + "```\n\n";
    for (const Expectation& one : c.expect) {
      out += fmt::format("- {}: {}\n", Plain(RangeText(one)), MarkdownCode(Trim(one.pattern.text)));
    }
    return out + "\n";
  }

  std::string RulesText() const {
    std::string out =
        "# Rules by loop\n\nA loop is a table of rules: what differs between releases, and between loops, is the value "
        "of a rule.\n\n";
    if (const std::string place = places_.OfDocument("survey-answers.md"); !place.empty()) {
      out += LinkText("What every loop answers to the same questions", place) + ", found by running them.\n\n";
    }
    for (const ProfileFamily& family : input_.profiles.families()) {
      out += fmt::format("## {}\n\n", Plain(family.title.empty() ? family.name : family.title));
      if (!family.base.empty()) {
        out += fmt::format("Beside these it has the rules of {}, in the version that each release is built on.\n\n",
                           Plain(family.base));
      }
      out += "| rule | what it decides | value | versions | clause |\n| --- | --- | --- | --- | --- |\n";
      for (const RuleDefinition& rule : family.rules) {
        for (const RuleDefinition::Span& span : rule.spans) {
          const bool is_first = &span == &rule.spans.front();
          const std::string range = span.range.ToString();
          out += fmt::format("| {} | {} | {} | {} | {} |\n", is_first ? MarkdownCell(rule.name) : "",
                             is_first ? Plain(rule.summary) : "", MarkdownCell(span.value),
                             range.empty() ? "all" : Plain(range), is_first ? MarkdownCell(rule.clause) : "");
        }
      }
      out += "\n";
    }
    return out;
  }

  std::string CausesIndexText() const {
    std::string out =
        "# Causes by runtime\n\nWhy does a runtime fail the cases that it fails? A small set of rules that it follows "
        "instead of its profile's, each with the smallest program that shows it.\n\n";
    if (input_.causes_left_out) return out + "They were left out when this site was made.\n";
    if (input_.causes.empty()) return out + "Nothing that has a model fails in the results of this site.\n";
    for (const CausesReport& report : input_.causes) {
      out += fmt::format("## {}\n\nHeld to {}: {} of {} fail.\n\n",
                         LinkText("Why " + Plain(report.implementation) + " differs", places_.OfCauses(report)),
                         Plain(report.profile), report.failing, Counted(report.failing + report.passing, "case"));
      for (size_t i = 0; i < std::min(kMostCasesInStart, report.causes.size()); ++i) {
        out += CauseItem(report.causes[i], places_.OfCauses(report));
      }
      out += "\n";
    }
    return out;
  }

  // `page`: "" for the page that it is on.
  std::string CauseItem(const Cause& cause, const std::string& page) const {
    const std::string sentence = cause.change.Sentence();
    return fmt::format("- [{}]({}#{}), {}\n", Plain(sentence), page.empty() ? "" : "site:" + page, HeadingId(sentence),
                       Counted(static_cast<int64_t>(cause.explains.size()), "case"));
  }

  std::string CausesPageText(const CausesReport& report) const {
    std::string out = fmt::format(
        "# Why {} differs\n\n{}\n\n", MarkdownCode(report.implementation),
        LinkText("What it does, case by case", std::string(kSiteReport) + "/index.html#matrix?verdict=fail&only=" +
                                                   QueryText(report.implementation)));
    for (const Cause& cause : report.causes) out += CauseItem(cause, "");
    const auto program = [&](const Case& c) {
      const std::string place = places_.OfProgram(c, report.profile);
      return place.empty() ? "" : "site:" + place;
    };
    return out + "\n" + CausesMarkdown(report, program);
  }

  const SiteInput& input_;
  const SitePlaces places_;
  std::map<std::string, std::vector<const Case*>> cases_of_;  // by clause
  std::vector<SiteFile> files_;
};

}  // namespace

std::vector<SiteFile> SiteFiles(const SiteInput& input) { return SiteMaker(input).All(); }

}  // namespace conform::reports
