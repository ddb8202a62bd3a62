#include "runners/runtimes/fake_registry.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "runners/base/check.h"
#include "runners/base/text.h"

namespace conform {
namespace {

namespace fs = std::filesystem;

std::string FileName(std::string package) {
  std::replace(package.begin(), package.end(), '/', '+');
  return package;
}

}  // namespace

FakeRegistry::FakeRegistry(const std::string& name)
    : folder_((fs::temp_directory_path() / ("conform-registry-" + name + "-XXXXXX")).string()) {
  CONFORM_CHECK(mkdtemp(folder_.data()) != nullptr);
  for (const char* part : {"bin", "versions", "dist", "archives"}) fs::create_directories(At(part));
  fs::create_symlink(CONFORM_SOURCE_DIR "/runners/runtimes/testdata/fake_npm.sh", At("bin/npm"));
}

FakeRegistry::~FakeRegistry() {
  std::error_code code;
  fs::remove_all(folder_, code);
}

Tools FakeRegistry::tools() const {
  Tools tools{OwnEnvironment(), nullptr};
  tools.environment["PATH"] = At("bin") + ":" + tools.environment["PATH"];
  tools.environment["FAKE_REGISTRY"] = folder_;
  return tools;
}

void FakeRegistry::Write(const std::string& path, const std::string& text) const {
  fs::create_directories(fs::path(At(path)).parent_path());
  std::ofstream(At(path)) << text;
}

std::string FakeRegistry::Read(const std::string& path) const {
  std::ostringstream text;
  text << std::ifstream(At(path)).rdbuf();
  return text.str();
}

void FakeRegistry::Tar(const std::string& source, const std::string& archive, const std::vector<std::string>& members,
                       const std::vector<std::string>& options) const {
  std::vector<std::string> command{"tar", "-czf", archive, "-C", source};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), members.begin(), members.end());
  const auto done = tools().Output(command, "", 60'000);
  CONFORM_CHECK(done.ok());
}

void FakeRegistry::SetVersions(const std::string& package, const std::vector<std::string>& versions) const {
  Write("versions/" + FileName(package), nlohmann::json(versions).dump());
}

void FakeRegistry::Add(const std::string& package, const std::string& version, const std::string& binary,
                       const std::string& script) const {
  Write("source/package/" + binary, script);
  fs::permissions(At("source/package/" + binary), fs::perms::owner_all);
  Write("source/package/package.json", "{}");
  Tar(At("source"), At("archives/" + FileName(package) + "@" + version + ".tgz"), {"package"});
  fs::remove_all(At("source"));
  SetChecksum(package, version);
}

void FakeRegistry::SetChecksum(const std::string& package, const std::string& version) const {
  const std::string name = FileName(package) + "@" + version;
  const auto sum = tools().Output({"sha1sum", At("archives/" + name + ".tgz")}, "", 60'000);
  CONFORM_CHECK(sum.ok());
  Write("dist/" + name, nlohmann::json{{"shasum", sum->substr(0, 40)}}.dump());
}

int FakeRegistry::Calls(const std::string& start) const {
  const std::vector<std::string> calls = Split(Read("calls"), '\n');
  return static_cast<int>(
      std::count_if(calls.begin(), calls.end(), [&](const std::string& call) { return call.starts_with(start); }));
}

}  // namespace conform
