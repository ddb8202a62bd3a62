#include "runners/base/output.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runners/base/text.h"

namespace conform {

Style Style::For(int descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool refused =
      (no_colour != nullptr && *no_colour != '\0') || (terminal != nullptr && std::string_view(terminal) == "dumb");
  return Style(!refused && isatty(descriptor) == 1);
}

std::string Style::Painted(std::string_view code, std::string_view text) const {
  if (!colour_) return std::string(text);
  std::string painted("\033[");
  painted.append(code).append("m").append(text).append("\033[0m");
  return painted;
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
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return true;
  PrintError(Error{std::string("standard output cannot be written: ") + std::strerror(errno)});
  return false;
}

void PrintError(const Error& error) {
  const std::string line = "conform: " + error.ToString() + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
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

int Fail(const std::vector<Error>& errors, int exit_code) {
  PrintErrors(errors);
  return exit_code;
}

int Answer(std::string_view text, int exit_code) { return Print(text) ? exit_code : kHarnessTrouble; }

}  // namespace conform
