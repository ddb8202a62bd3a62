#include "reports/site/parts.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "runners/base/text.h"

namespace conform::reports {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxDocumentBytes = size_t{16} << 20;
constexpr size_t kMaxPlaygroundBytes = size_t{64} << 20;

}  // namespace

Result<std::vector<SiteDocument>> ReadDocuments(const std::string& folder) {
  std::vector<SiteDocument> documents;
  std::error_code trouble;
  for (fs::recursive_directory_iterator at(folder, trouble), end; !trouble && at != end; at.increment(trouble)) {
    if (at->path().extension() != ".md") continue;
    auto text = ReadFile(at->path().string(), kMaxDocumentBytes);
    if (!text) return text.error();
    documents.push_back({at->path().lexically_relative(folder).generic_string(), std::move(*text)});
  }
  if (trouble) return Error::OfCall("cannot be read", trouble.value(), folder);
  std::sort(documents.begin(), documents.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return documents;
}

Result<std::string> ReadPlayground(const std::string& file) {
  auto text = ReadFile(file, kMaxPlaygroundBytes);
  if (!text) return text.error();
  static constexpr std::string_view kBrand = "<span class=\"brand\">conform<span>playground</span></span>";
  const size_t at = text->find(kBrand);
  if (at == std::string::npos) {
    return Error{"is not a playground", file, {}, "make one with reports/playground/make FILE"};
  }
  text->replace(at, kBrand.size(), "<a class=\"brand\" href=\"index.html\">conform<span>playground</span></a>");
  return text;
}

}  // namespace conform::reports
