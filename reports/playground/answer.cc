#include "reports/playground/answer.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "reference-impl/explore/explorer.h"
#include "reference-impl/explore/program_to_run.h"
#include "reports/playground/moments.h"
#include "runners/base/text.h"
#include "runners/model/inline_program.h"
#include "runners/model/op_table.h"

namespace conform::playground {
namespace {

using Json = nlohmann::ordered_json;
using reference::Exploration;
using reference::Timing;

constexpr size_t kMaxProgramBytes = 20'000;
constexpr size_t kMaxCountedOrders = 10'000;
constexpr size_t kDefaultListed = 24;
constexpr size_t kMaxListed = 200;
constexpr size_t kMaxMoments = 2'000;  // of one run
constexpr size_t kMaxChoices = 200;

// What a page can wait for. Whoever wants more has the command line.
reference::ExploreLimits Limits() {
  reference::ExploreLimits limits;
  limits.max_runs = 20'000;
  limits.max_callbacks = 50'000;
  limits.max_total_callbacks = 4'000'000;
  limits.max_cpu_ms = 20'000;
  limits.max_memory_bytes = 256 << 20;
  return limits;
}

Json ErrorJson(const Error& error) {
  return {{"error",
           {{"message", error.message}, {"hint", error.hint}, {"line", error.at.line}, {"column", error.at.column}}}};
}

std::string TextOf(const Json& request, const char* key) {
  const auto found = request.find(key);
  return found != request.end() && found->is_string() ? found->get<std::string>() : "";
}

int64_t NumberOf(const Json& request, const char* key, int64_t otherwise) {
  const auto found = request.find(key);
  return found != request.end() && found->is_number_integer() ? found->get<int64_t>() : otherwise;
}

std::optional<Error> WhyNot(const Profiles& profiles, const Case& c, const Profile& profile) {
  return reference::WhyNotExplored(profiles, c, profile, "another release may");
}

void AddSteps(const Program& program, int parent, Json* steps) {
  for (const Step& step : program) {
    const OpShape& shape = ShapeOf(step.op);
    Json row{{"id", step.id},       {"text", step.ToString()},   {"op", OpName(step.op)},     {"label", step.label},
             {"parent", parent},    {"target", step.target},     {"event", step.event},       {"chain", step.chained},
             {"times", step.times}, {"argument", step.argument}, {"callback", shape.callback}};
    row["lane"] = shape.lane;
    row["repeats"] = shape.comes == Comes::kRepeats;
    row["listens"] = shape.comes == Comes::kOnEvents;
    steps->push_back(std::move(row));
    AddSteps(step.body, step.id, steps);
  }
}

Json SetJson(const Exploration& exploration) {
  const size_t orders = exploration.orders.CountOrders(kMaxCountedOrders + 1);
  return {{"orders", std::min(orders, kMaxCountedOrders)},
          {"more", orders > kMaxCountedOrders || !exploration.complete},
          {"limit", exploration.limit_hit}};
}

std::string_view NameOf(Moment::Kind kind) {
  switch (kind) {
    case Moment::Kind::kSchedules:
      return "schedules";
    case Moment::Kind::kRuns:
      return "runs";
    case Moment::Kind::kRearms:
      return "rearms";
    case Moment::Kind::kWaits:
      return "waits";
    case Moment::Kind::kResumes:
      return "resumes";
    case Moment::Kind::kPrints:
      return "prints";
    case Moment::Kind::kEnds:
      return "ends";
    case Moment::Kind::kActs:
      return "acts";
  }
  CONFORM_CHECK(false);
}

// [kind, step, label, turn, phase, clause]: a run has many of them.
Json MomentsJson(const Case& c, const reference::Model& model, Timing timing, const reference::ModelRun& run) {
  std::vector<int> path;
  for (const reference::Choice& choice : run.choices) path.push_back(choice.index);
  const auto marked = reference::Replay(WithMarks(c), model, timing, path, Limits());
  // Where a limit cuts one of the two short, they differ.
  if (!marked || OrderWithoutMarks(marked->trace) != run.trace.ToOrder()) return Json::array();
  Json json = Json::array();
  for (const Moment& moment : MomentsOf(c, marked->trace, kMaxMoments)) {
    json.push_back({NameOf(moment.kind), moment.step, moment.label, moment.turn, moment.phase, moment.clause});
  }
  return json;
}

// The order before `index` that shares the longest beginning with it, and where they part.
Json DiffersJson(const std::vector<reference::ModelRun>& runs, size_t index) {
  const Order order = runs[index].trace.ToOrder();
  size_t from = 0, label = 0;
  for (size_t i = 0; i < index; ++i) {
    const Order other = runs[i].trace.ToOrder();
    const auto shared = static_cast<size_t>(
        std::mismatch(order.begin(), order.end(), other.begin(), other.end()).first - order.begin());
    if (shared > label) {
      from = i;
      label = shared;
    }
  }
  const auto& events = runs[index].trace.events;
  return {{"from", from}, {"label", label}, {"clause", label < events.size() ? events[label].clause : ""}};
}

Json ChoicesJson(const std::vector<reference::Choice>& choices) {
  Json json = Json::array();
  for (const reference::Choice& choice : choices) {
    if (json.size() == kMaxChoices) break;
    json.push_back({{"what", choice.what}, {"taken", choice.taken}, {"index", choice.index}, {"of", choice.of}});
  }
  return json;
}

Json EventsJson(const Trace& trace) {
  Json json = Json::array();
  for (const TraceEvent& event : trace.events) {
    if (json.size() == kMaxMoments) break;
    json.push_back({event.label, 1, event.iteration.value_or(0), event.phase, event.clause});
  }
  return json;
}

// First the orders that are possible on time, then those that need a delay.
Json OrdersOf(const Case& whole, const reference::Model& model, size_t listed) {
  const reference::ProgramToRun program(whole, model);
  const Case& c = *program;
  const Exploration on_time = reference::Explore(c, model, Timing::kOnTime, Limits());
  const Exploration late = reference::Explore(c, model, Timing::kLate, Limits());
  const std::vector<Order> usual = on_time.orders.Enumerate(listed);
  std::vector<Order> delayed;
  for (Order& order : late.orders.Enumerate(listed + usual.size())) {
    if (!on_time.orders.Accepts(order) && usual.size() + delayed.size() < listed) delayed.push_back(std::move(order));
  }
  std::vector<reference::ModelRun> runs = reference::Explain(c, model, Timing::kOnTime, usual, Limits());
  const size_t of_usual = runs.size();
  for (reference::ModelRun& run : reference::Explain(c, model, Timing::kLate, delayed, Limits())) {
    runs.push_back(std::move(run));
  }
  Json json;
  json["steps"] = Json::array();
  AddSteps(c.program, -1, &json["steps"]);
  json["on_time"] = SetJson(on_time);
  json["late"] = SetJson(late);
  json["runs"] = Json::array();
  for (size_t i = 0; i < runs.size(); ++i) {
    const Timing timing = i < of_usual ? Timing::kOnTime : Timing::kLate;
    Json run{{"order", runs[i].trace.ToOrder()}, {"on_time", i < of_usual}, {"limit", runs[i].limit_hit}};
    if (i > 0) run["differs"] = DiffersJson(runs, i);
    run["choices"] = ChoicesJson(runs[i].choices);
    run["events"] = EventsJson(runs[i].trace);
    run["moments"] = MomentsJson(c, model, timing, runs[i]);
    json["runs"].push_back(std::move(run));
  }
  return json;
}

Result<Case> CaseOf(const Json& request) {
  if (request.contains("case")) return ParseCase(TextOf(request, "case"), TextOf(request, "id"), TextOf(request, "id"));
  const std::string text = TextOf(request, "program");
  if (text.size() > kMaxProgramBytes) {
    return Error{"a program here has at most " + std::to_string(kMaxProgramBytes) + " characters"};
  }
  auto c = ParseInlineProgram(text, TextOf(request, "entry") == "esm" ? Entry::kEsm : Entry::kScript);
  if (!c) return c;
  c->pool = static_cast<int>(std::clamp<int64_t>(NumberOf(request, "pool", c->pool), 1, kMaxPoolThreads));
  return c;
}

Json AnswerOrders(const Profiles& profiles, const Json& request) {
  const auto c = CaseOf(request);
  if (!c) return ErrorJson(c.error());
  const auto profile = profiles.Resolve(TextOf(request, "profile"));
  if (!profile) return ErrorJson(profile.error());
  if (const auto error = WhyNot(profiles, *c, *profile)) return ErrorJson(*error);
  const int64_t listed = NumberOf(request, "limit", kDefaultListed);
  Json answer = OrdersOf(*c, *profile, static_cast<size_t>(std::clamp<int64_t>(listed, 1, kMaxListed)));
  answer["profile"] = profile->Name();
  return answer;
}

Json OrdersJson(const Exploration& exploration) {
  return {{"orders", exploration.orders.Enumerate(kMaxListed)},
          {"count", exploration.orders.CountOrders(kMaxCountedOrders)},
          {"runs", exploration.runs},
          {"states", exploration.states},
          {"limit", exploration.limit_hit}};
}

// Both sets, under the profile or in every version where a rule changes.
Json AnswerSets(const Profiles& profiles, const Json& request) {
  const auto c = CaseOf(request);
  if (!c) return ErrorJson(c.error());
  std::vector<Profile> asked = profiles.CheckpointsFor(*c);
  if (request.contains("profile")) {
    const auto profile = profiles.Resolve(TextOf(request, "profile"));
    if (!profile) return ErrorJson(profile.error());
    asked = {*profile};
  }
  Json sets = Json::array();
  for (const Profile& profile : asked) {
    if (WhyNot(profiles, *c, profile)) continue;
    const reference::Model model(profile);
    reference::ExploreLimits limits = Limits();
    limits.max_cpu_ms = 600'000;  // a set must not depend on how fast a machine is
    sets.push_back({{"profile", profile.Name()},
                    {"on_time", OrdersJson(reference::Explore(*c, model, Timing::kOnTime, limits))},
                    {"late", OrdersJson(reference::Explore(*c, model, Timing::kLate, limits))}});
  }
  return {{"sets", std::move(sets)}};
}

Json AnswerReleases(const Profiles& profiles) {
  Json families = Json::array();
  for (const ProfileFamily& family : profiles.families()) {
    Json releases = Json::array();
    for (const Version& version : family.releases) releases.push_back(version.ToString());
    families.push_back({{"name", family.name}, {"title", family.title}, {"releases", std::move(releases)}});
  }
  return {{"families", std::move(families)}};
}

}  // namespace

Result<Playground> Playground::FromProfiles(const std::map<std::string, std::string>& files) {
  std::vector<ProfileFamily> families;
  for (const auto& [name, text] : files) {
    auto family = ParseProfileFamily(text, name);
    if (!family) return family.error();
    families.push_back(std::move(*family));
  }
  auto profiles = Profiles::FromFamilies(std::move(families));
  if (!profiles) return profiles.error();
  return Playground(std::move(*profiles));
}

std::string Playground::Answer(const std::string& request) const {
  const Json asked = Json::parse(request, nullptr, false);
  Json answer;
  if (!asked.is_object()) {
    answer = ErrorJson(Error{"a request is a JSON object"});
  } else if (const std::string what = TextOf(asked, "ask"); what == "orders") {
    answer = AnswerOrders(profiles_, asked);
  } else if (what == "sets") {
    answer = AnswerSets(profiles_, asked);
  } else if (what == "releases") {
    answer = AnswerReleases(profiles_);
  } else {
    answer = ErrorJson(Error{"'ask' is one of orders, sets, releases"});
  }
  return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace conform::playground
