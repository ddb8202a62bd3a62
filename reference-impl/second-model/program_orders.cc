// program_orders PROFILES on-time|late: reads programs, one on a line, and prints each with each of its orders, as the
// verifier of the second model does. The last line, on stderr, is the CPU time that exploring took, in seconds.
#include <fmt/format.h>

#include <ctime>
#include <iostream>
#include <string>

#include "reference-impl/explore/explorer.h"
#include "reference-impl/second-model/programs.h"

namespace conform::reference {
namespace {

constexpr size_t kMostOrders = 1'000'000;
constexpr const char* kProfile = "node@24";

int Fail(const std::string& message) {
  std::cerr << "program_orders: " << message << "\n";
  return 2;
}

int Main(const std::string& profiles_folder, Timing timing) {
  const Result<Profiles> profiles = Profiles::Load(profiles_folder);
  if (!profiles.ok()) return Fail(profiles.error().ToString());
  const Result<Profile> profile = profiles->Resolve(kProfile);
  if (!profile.ok()) return Fail(profile.error().ToString());
  const Model model(*profile);
  std::clock_t exploring = 0;
  std::string out;
  for (std::string notation; std::getline(std::cin, notation);) {
    const Result<Case> program = ParseNotation(notation);
    if (!program.ok()) return Fail(program.error().ToString());
    const std::clock_t begin = std::clock();
    const Exploration explored = Explore(*program, model, timing);
    const std::vector<Order> orders = explored.orders.Enumerate(kMostOrders);
    exploring += std::clock() - begin;
    if (!explored.complete) return Fail(notation + ": the limit " + explored.limit_hit + " was hit");
    for (const Order& order : orders) {
      out += notation + " ";
      for (const std::string& label : order) out += label;
      out += "\n";
    }
  }
  std::cout << out << std::flush;
  std::cerr << fmt::format("{:.3f}\n", static_cast<double>(exploring) / CLOCKS_PER_SEC);
  return 0;
}

}  // namespace
}  // namespace conform::reference

int main(int argc, char** argv) {
  using conform::reference::Timing;
  const std::string timing = argc == 3 ? argv[2] : "";
  if (timing != "on-time" && timing != "late") {
    std::cerr << "usage: program_orders PROFILES on-time|late <PROGRAMS\n";
    return 2;
  }
  return conform::reference::Main(argv[1], timing == "late" ? Timing::kLate : Timing::kOnTime);
}
