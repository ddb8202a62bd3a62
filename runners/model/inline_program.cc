#include "runners/model/inline_program.h"

#include <algorithm>
#include <vector>

#include "runners/base/text.h"
#include "runners/model/case_json.h"

namespace conform {
namespace {

constexpr char kName[] = "-e";  // in place of a file
constexpr std::string_view kBeforeStep = "  - ";

struct Piece {
  size_t begin;
  std::string text;
};

// The steps of the main body: what is between separators that are in no bracket and no quotes.
Result<std::vector<Piece>> Pieces(const std::string& text) {
  std::vector<Piece> pieces;
  int depth = 0;
  char quote = '\0';
  size_t begin = 0;
  const auto end_piece = [&](size_t end) {
    const size_t first = std::min(text.find_first_not_of(" \t", begin), end);
    if (first < end) pieces.push_back({first, text.substr(first, end - first)});
    begin = end + 1;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (depth == 0 && (c == ';' || c == '\n')) {
      end_piece(i);
    } else if (c == ';') {
      return Error{"steps in brackets are separated by commas", kName, {1, static_cast<int>(i) + 1}};
    }
  }
  end_piece(text.size());
  return pieces;
}

// From a place in the lines that were made of the pieces to its place in the text.
Location InText(const Location& at, const std::vector<Piece>& pieces) {
  const int piece = at.line - 2;  // after `program:`
  if (piece < 0 || piece >= static_cast<int>(pieces.size())) return {};
  const int in_piece = std::max(0, at.column - 1 - static_cast<int>(kBeforeStep.size()));
  return {1, static_cast<int>(pieces[static_cast<size_t>(piece)].begin) + in_piece + 1};
}

// What is wrong with a step may be found out later.
void MoveIntoText(const std::vector<Piece>& pieces, Program* program) {
  for (Step& step : *program) {
    step.at = InText(step.at, pieces);
    MoveIntoText(pieces, &step.body);
  }
}

std::string StepsText(const Program& program, std::string_view between) {
  std::vector<std::string> steps;
  for (const Step& step : program) {
    steps.push_back(step.ToString() + (step.body.empty() ? "" : ": [" + StepsText(step.body, ", ") + "]"));
  }
  return Join(steps, between);
}

}  // namespace

std::string InlineText(const Program& program) { return StepsText(program, "\n"); }

bool IsInlineProgram(const std::string& word) { return word.find_first_of(" ;\n") != std::string::npos; }

Result<Case> ParseInlineProgram(const std::string& text, Entry entry) {
  const auto pieces = Pieces(text);
  if (!pieces) return pieces.error();
  if (pieces->empty()) return Error{"a program has at least one step, such as 'timeout A 0; immediate B'", kName};
  std::string yaml = "program:\n";
  std::vector<std::string> steps;
  for (const Piece& piece : *pieces) {
    std::string step(Trim(piece.text));
    std::replace(step.begin(), step.end(), '\n', ' ');  // inside brackets
    yaml.append(kBeforeStep).append(step).append("\n");
    steps.push_back(std::move(step));
  }
  if (entry != Entry::kScript) yaml.append("entry: ").append(EntryName(entry)).append("\n");
  Result<Case> c = ParseCase(yaml, kName, Join(steps, "; "));
  if (!c.ok()) {
    Error error = c.error();
    error.at = InText(error.at, *pieces);
    return error;
  }
  MoveIntoText(*pieces, &c->program);
  c->title = c->id;
  return c;
}

}  // namespace conform
