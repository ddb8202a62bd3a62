#include "runners/base/output.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include "runners/base/text.h"
#include "runners/base/utf8.h"

namespace conform {
namespace {

// What stands for "\033[" until a text is printed. Nothing else can write it: it holds a word of this process.
const std::string& ColourMark() {
  static const std::string mark = [] {
    std::random_device random;
    return "\033" + ContentHash(std::to_string(random()) + " " + std::to_string(random())) + "[";
  }();
  return mark;
}

// All of them have at most four digits.
bool IsHarmful(char32_t code) {
  if (code == '\n' || code == '\t') return false;
  const bool direction = code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
                         (code >= 0x2066 && code <= 0x2069);
  return IsControl(code) || direction;
}

void AppendEscape(const char* format, unsigned number, std::string* out) {
  char text[8];
  std::snprintf(text, sizeof text, format, number);
  *out += text;
}

void WriteError(std::string_view text) {
  const std::string shown = TerminalText(text);
  std::fwrite(shown.data(), 1, shown.size(), stderr);
}

}  // namespace

Style Style::For(int descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool refused =
      (no_colour != nullptr && *no_colour != '\0') || (terminal != nullptr && std::string_view(terminal) == "dumb");
  return Style(!refused && isatty(descriptor) == 1);
}

std::string Style::Painted(std::string_view code, std::string_view text) const {
  if (!colour_) return std::string(text);
  std::string painted = ColourMark();
  painted.append(code).append("m").append(text).append(ColourMark()).append("0m");
  return painted;
}

std::string TerminalText(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    if (text[0] == '\033' && text.starts_with(ColourMark())) {
      out += "\033[";
      text.remove_prefix(ColourMark().size());
      continue;
    }
    const auto [length, code] = FirstCharacter(text);
    if (length == 0) {
      AppendEscape("\\x%02x", static_cast<unsigned char>(text[0]), &out);
    } else if (IsHarmful(code)) {
      AppendEscape("\\u%04x", static_cast<unsigned>(code), &out);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return out;
}

std::string Wrap(std::string_view text, std::string_view first, std::string_view rest, size_t width) {
  std::string out(first);
  size_t column = Columns(first);
  bool at_start = true;
  for (const std::string& line : Split(text, '\n')) {
    for (const std::string& word : Split(line, ' ')) {
      if (word.empty()) continue;
      const size_t columns = Columns(word);
      if (!at_start && column + 1 + columns > width) {
        out.append("\n").append(rest);
        column = Columns(rest);
        at_start = true;
      }
      if (!at_start) {
        out += ' ';
        ++column;
      }
      out += word;
      column += columns;
      at_start = false;
    }
  }
  return out + "\n";
}

size_t Columns(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

std::string Padded(std::string_view text, size_t columns) {
  std::string padded(text);
  const size_t taken = Columns(text);
  if (taken < columns) padded.append(columns - taken, ' ');
  return padded;
}

std::string Cut(std::string_view text, size_t columns) {
  if (Columns(text) <= columns) return std::string(text);
  std::string cut;
  size_t taken = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80 && ++taken >= columns) break;
    cut += c;
  }
  return cut + "…";
}

std::string Counted(int64_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

std::string Counted(int64_t count, std::string_view one) { return Counted(count, one, std::string(one) + "s"); }

bool Print(std::string_view text) {
  const std::string shown = TerminalText(text);
  if (std::fwrite(shown.data(), 1, shown.size(), stdout) == shown.size() && std::fflush(stdout) == 0) return true;
  PrintError(Error{std::string("standard output cannot be written: ") + std::strerror(errno)});
  return false;
}

void PrintLine(std::string_view line) { WriteError(std::string(line) + "\n"); }

void PrintError(const Error& error) {
  Error shown = error;
  // The name of a file must not look like a line of ours.
  for (size_t at = 0; (at = shown.file.find('\n', at)) != std::string::npos;) shown.file.replace(at, 1, "\\n");
  PrintLine("conform: " + shown.ToString());
}

void PrintErrors(const std::vector<Error>& errors) {
  for (const Error& error : errors) PrintError(error);
}

void PrintNotes(const std::vector<std::string>& notes) {
  constexpr size_t kMaxNotes = 10;
  for (size_t i = 0; i < notes.size() && i < kMaxNotes; ++i) PrintError(Error{"note: " + notes[i]});
  if (notes.size() > kMaxNotes) {
    PrintError(Error{"note: and " + std::to_string(notes.size() - kMaxNotes) + " more"});
  }
}

int Fail(const Error& error, int exit_code) {
  PrintError(error);
  return exit_code;
}

int Fail(const Error& error) { return Fail(error, error.is_of_system ? kHarnessTrouble : kBadInput); }

int Fail(const std::vector<Error>& errors, int exit_code) {
  PrintErrors(errors);
  return exit_code;
}

int Fail(const std::vector<Error>& errors) {
  const bool of_system = std::any_of(errors.begin(), errors.end(), [](const Error& one) { return one.is_of_system; });
  return Fail(errors, of_system ? kHarnessTrouble : kBadInput);
}

int Answer(std::string_view text, int exit_code) { return Print(text) ? exit_code : kHarnessTrouble; }

}  // namespace conform
