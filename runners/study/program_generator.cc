#include "runners/study/program_generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "reference-impl/explore/explorer.h"
#include "reference-impl/explore/families.h"
#include "runners/base/check.h"
#include "runners/base/text.h"
#include "runners/model/case_json.h"
#include "runners/model/case_text.h"
#include "runners/model/op_table.h"
#include "runners/study/dice.h"

namespace conform {
namespace {

constexpr int kMostDepth = 4;          // of callbacks inside callbacks
constexpr int kMostActs = 6;           // steps at once that are strewn in
constexpr int kDrawnForOne = 4;        // programs, of which the one with the most new pairs of rules is taken
constexpr int kMostAttempts = 1'000;   // until a program is one that the model has
constexpr int64_t kSweepAfterMs = 40;  // after all that the program schedules
constexpr int64_t kMostSweepMs = 2'000;

// A body of the program, and what is around it.
struct Place {
  std::vector<Step>* body = nullptr;
  std::vector<const Step*> around = {};  // outermost first

  const Step* Callback() const {
    const auto found =
        std::find_if(around.rbegin(), around.rend(), [](const Step* s) { return ShapeOf(s->op).callback; });
    return found == around.rend() ? nullptr : *found;
  }
  const Step* Function() const {
    const auto found = std::find_if(around.rbegin(), around.rend(), [](const Step* s) { return !IsBlock(s->op); });
    return found == around.rend() ? nullptr : *found;
  }
};

void CollectPlaces(Place place, std::vector<Place>& places) {
  places.push_back(place);
  for (Step& step : *place.body) {
    if (ShapeOf(step.op).body == Presence::kNever) continue;
    // What ends an interval does nothing else.
    if (step.op == Op::kOnly && step.only_to == kMaxTimes) continue;
    Place inner{&step.body, place.around};
    inner.around.push_back(&step);
    CollectPlaces(std::move(inner), places);
  }
}

void Visit(const Program& program, const std::function<void(const Step&)>& look) {
  for (const Step& step : program) {
    look(step);
    Visit(step.body, look);
  }
}

void Number(Program& program, int& next) {
  for (Step& step : program) {
    step.id = next++;
    Number(step.body, next);
  }
}

void Insert(std::vector<Step>& body, size_t at, Step step) {
  body.insert(body.begin() + static_cast<std::ptrdiff_t>(at), std::move(step));
}

bool EndsBody(Op op) { return op == Op::kThrow || op == Op::kReturn || op == Op::kExit; }

// One program. First the callbacks are grown, and what they refer to; then steps at once are strewn in.
class Writer {
 public:
  Writer(const Lexicon& lexicon, Entry entry, Dice& dice) : lexicon_(lexicon), entry_(entry), dice_(dice) {}

  Program Write() {
    forward_ = dice_.Chance(50);
    budget_ = dice_.Between(kLeastCallbacks, kMostCallbacks);
    AddListeners();
    Grow(program_, {});
    StrewActs();
    SettlePromises();
    AddPauses();
    AddTries();
    LimitEvents(program_);
    Sweep();
    AddRuns();
    return std::move(program_);
  }

 private:
  const Word* Draw(const std::function<bool(const Word&)>& fits) {
    return dice_.Draw(lexicon_.words, [&](const Word& word) { return IsAllowed(word.op) && fits(word); });
  }

  // A worker gets no signals.
  bool IsAllowed(Op op) const { return entry_ != Entry::kWorker || (op != Op::kSignal && op != Op::kRaise); }

  std::string NewName() {
    const int number = names_++;
    const std::string letter(1, static_cast<char>('A' + number % 26));
    return number < 26 ? letter : letter + std::to_string(number / 26);
  }

  // --- Callbacks ---

  void AddListeners() {
    for (const char* event : {"uncaught", "unhandled"}) {
      const Word* word = Draw([&](const Word& w) { return w.op == Op::kOn && w.event == event; });
      if (word != nullptr && dice_.Chance(25)) Add(program_, *word);
    }
  }

  // Where callbacks grow.
  struct Soil {
    int depth = 0;
    bool runs_once = true;  // no callback around it comes again

    Soil Inside(const Step& step) const {
      const OpShape& shape = ShapeOf(step.op);
      return {depth + 1, runs_once && !step.chained && (!shape.callback || shape.comes == Comes::kOnce)};
    }
  };

  // All of the budget, in the main body; else some of it.
  void Grow(std::vector<Step>& body, const Soil& soil) {
    int count = soil.depth == 0 ? budget_ : dice_.Between(1, 3);
    while (budget_ > 0 && count-- > 0) GrowOne(body, soil);
  }

  // What keeps a process alive is closed by its name in the end: there is one of each name, and servers are there from
  // the start. Some adapters notice a wait without an end.
  bool MayGrow(Op op) const {
    if (op == Op::kListen && !CanSweep()) return false;
    if (notices_endless_waits_) return true;
    if (op == Op::kListen) return soil_.depth == 0;
    if (op == Op::kConnect || op == Op::kAccept) return soil_.runs_once && (soil_.depth == 0 || HasServer());
    return true;
  }

  bool HasServer() const {
    return std::any_of(things_.begin(), things_.end(), [](const Step& thing) { return thing.op == Op::kListen; });
  }

  void GrowOne(std::vector<Step>& body, const Soil& soil) {
    soil_ = soil;
    const Word* word = Draw([&](const Word& w) {
      const OpShape& shape = ShapeOf(w.op);
      return (shape.callback || shape.makes) && MayGrow(w.op);
    });
    CONFORM_CHECK(word != nullptr);
    Step* step = Add(body, *word);
    if (step == nullptr || ShapeOf(word->op).body == Presence::kNever) return;
    const bool wanted = word->op == Op::kAsync || dice_.Chance(60 - 12 * soil.depth);
    if (!wanted || soil.depth + 1 >= kMostDepth) return;
    // The body grows apart: what is added to `body` meanwhile moves the step.
    std::vector<Step> inner;
    const size_t at = static_cast<size_t>(step - body.data());
    Grow(inner, soil.Inside(*step));
    std::vector<Step>& target = body[at].body;
    target.insert(target.end(), std::make_move_iterator(inner.begin()), std::make_move_iterator(inner.end()));
  }

  // Appends a step of that word, and before it what it cannot do without. Null where that cannot be had.
  Step* Add(std::vector<Step>& body, const Word& word) {
    std::optional<Step> step = Make(body, word);
    if (!step) return nullptr;
    body.push_back(std::move(*step));
    --budget_;
    return &body.back();
  }

  std::optional<Step> Make(std::vector<Step>& body, const Word& word) {
    const OpShape& shape = ShapeOf(word.op);
    Step step;
    step.op = word.op;
    step.kind = word.kind;
    step.event = word.event;
    const std::vector<std::string>& process = ProcessEvents();
    const bool of_thing = word.op == Op::kOn && std::find(process.begin(), process.end(), word.event) == process.end();
    const bool required = shape.of == Presence::kRequired || shape.to == Presence::kRequired || of_thing;
    const bool optional = shape.of == Presence::kOptional && word.op != Op::kOn && dice_.Chance(45);
    if (required || optional) {
      const std::string target = TargetFor(body, word, required);
      if (target.empty() && required) return std::nullopt;
      step.target = target;
    }
    if (shape.with && dice_.Chance(40)) step.with = PromiseOtherThan(step.target);
    if (shape.via && dice_.Chance(50)) step.via = fmt::format("M{}", dice_.Between(1, 2));
    step.plain = shape.plain && step.target.empty() && dice_.Chance(30);
    step.unsent = shape.unsent && dice_.Chance(25);
    for (const Positional& positional : shape.positionals) FillIn(step, positional);
    // A silent `close` need not arrange for a callback.
    if (word.op == Op::kClose && dice_.Chance(30)) step.label.clear();
    Repeat(step);
    if (shape.makes && !step.label.empty()) things_.push_back(step);
    return step;
  }

  void FillIn(Step& step, const Positional& positional) {
    switch (positional.role) {
      case Role::kLabel:
        step.label = NewName();
        return;
      case Role::kDelay:
        if (positional.required || dice_.Chance(50)) step.argument = dice_.Of(DelaysOf(lexicon_.family));
        return;
      case Role::kMilliseconds:
        if (step.op == Op::kWork) {
          if (dice_.Chance(35)) step.argument = std::to_string(dice_.Of(std::vector<int>{5, 10, 30, 60}));
          return;
        }
        step.argument = std::to_string(dice_.Of(std::vector<int>{1, 2, 3, 6, 11, 35}));
        return;
      case Role::kErrorName:
        if (dice_.Chance(60)) step.argument = fmt::format("E{}", ++errors_);
        return;
      case Role::kExitCode:
        if (dice_.Chance(50)) step.argument = "3";
        return;
      case Role::kRunMode:
      case Role::kTarget:
      case Role::kEvent:
      case Role::kRuns:
        return;  // those who make such a step fill it in
    }
    CONFORM_CHECK(false);
  }

  // What comes again by itself is ended: by its count, or by its own callback.
  void Repeat(Step& step) {
    const OpShape& shape = ShapeOf(step.op);
    if (!shape.times || step.op == Op::kConnect) return;
    if (!RepeatsByItself(step.op)) {
      if (!dice_.Chance(15)) return;
      step.chained = true;
      step.times = dice_.Between(2, 3);
      return;
    }
    // By its name alone it can be ended where there is no more than one of that name.
    if (dice_.Chance(50) || soil_.depth > 0 || lexicon_.Find(Op::kClear) == nullptr) {
      step.chained = true;
      step.times = dice_.Between(1, 3);
      return;
    }
    Step clear;
    clear.op = Op::kClear;
    clear.target = step.label;
    step.body.push_back(Only(dice_.Between(1, 3), kMaxTimes, {std::move(clear)}));
  }

  static Step Only(int64_t from, int64_t to, std::vector<Step> body) {
    Step only;
    only.op = Op::kOnly;
    only.only_from = from;
    only.only_to = to;
    only.body = std::move(body);
    return only;
  }

  // The name of something that the word can refer to; made just before where there is none and one is needed.
  std::string TargetFor(std::vector<Step>& body, const Word& word, bool required) {
    std::vector<std::string> names;
    for (const Step& thing : things_) {
      if (CanReferTo(lexicon_.family, word, thing)) names.push_back(thing.label);
    }
    if (!names.empty()) return dice_.Of(names);
    if (!required) return "";
    const Word* maker = Draw([&](const Word& w) {
      Step probe;
      probe.op = w.op;
      probe.kind = w.kind;
      const OpShape& shape = ShapeOf(w.op);
      const bool needs_another = shape.of == Presence::kRequired;
      return shape.makes && !needs_another && MayGrow(w.op) && CanReferTo(lexicon_.family, word, probe);
    });
    if (maker == nullptr) return "";
    const Step* made = Add(body, *maker);
    return made == nullptr ? "" : made->label;
  }

  std::string PromiseOtherThan(const std::string& name) {
    std::vector<std::string> names;
    for (const Step& thing : things_) {
      if (CanReferWith(thing) && thing.label != name) names.push_back(thing.label);
    }
    return names.empty() ? "" : dice_.Of(names);
  }

  // --- Steps at once ---

  std::vector<Place> Places() {
    std::vector<Place> places;
    CollectPlaces({&program_}, places);
    return places;
  }

  void StrewActs() {
    for (int left = dice_.Below(kMostActs + 1); left > 0; --left) {
      const Word* word = Draw([&](const Word& w) {
        const OpShape& shape = ShapeOf(w.op);
        return !shape.callback && !shape.makes && !IsBlock(w.op) && w.op != Op::kPause && w.op != Op::kRun;
      });
      if (word != nullptr) StrewOne(*word);
    }
    // What waits for a signal or a wake-up gets one, mostly.
    for (const auto& [maker, act] : {std::pair(Op::kSignal, Op::kRaise), std::pair(Op::kWake, Op::kSend)}) {
      const bool waits = std::any_of(things_.begin(), things_.end(), [m = maker](const Step& s) { return s.op == m; });
      const Word* word = Draw([a = act](const Word& w) { return w.op == a; });
      if (waits && word != nullptr && dice_.Chance(80)) StrewOne(*word);
    }
  }

  void StrewOne(const Word& word) {
    int number = 0;
    Number(program_, number);
    const std::vector<Place> places = Places();
    // Half of them in the main body, where they always take effect.
    const Place& place = word.op != Op::kAgain && dice_.Chance(40) ? places[0] : dice_.Of(places);
    if (!MayStand(word, place)) return;
    std::optional<Step> step = MakeAct(word, place);
    if (!step) return;
    const bool last = EndsBody(word.op) && dice_.Chance(80);
    // What comes early in the main body often comes before what it is about.
    const bool guarded = !place.body->empty() && place.body->front().only_to == kMaxTimes;
    const int least = place.around.empty() ? static_cast<int>(place.body->size() / 2) : guarded ? 1 : 0;
    const int most = static_cast<int>(place.body->size());
    const size_t at = static_cast<size_t>(last ? most : dice_.Between(least, most));
    const bool bounded = RunsTargetAgain(word.op) && place.Callback() != nullptr;
    if (bounded) step = Only(1, dice_.Between(1, 2), {std::move(*step)});
    Insert(*place.body, at, std::move(*step));
  }

  static bool MayStand(const Word& word, const Place& place) {
    const Step* function = place.Function();
    if (word.op == Op::kAgain) return place.Callback() != nullptr && place.Callback()->chained;
    if (word.op == Op::kReturn) return function != nullptr && ShapeOf(function->op).returns;
    return true;
  }

  std::optional<Step> MakeAct(const Word& word, const Place& place) {
    const OpShape& shape = ShapeOf(word.op);
    Step step;
    step.op = word.op;
    step.kind = word.kind;
    for (const Positional& positional : shape.positionals) FillIn(step, positional);
    const bool takes = !shape.positionals.empty() && shape.positionals[0].role == Role::kTarget;
    const bool required = takes || shape.of == Presence::kRequired;
    if (required || (shape.of == Presence::kOptional && dice_.Chance(60))) {
      std::vector<std::string> names;
      Visit(program_, [&](const Step& thing) {
        if (!ShapeOf(thing.op).makes || thing.label.empty()) return;
        if (CanReferTo(lexicon_.family, word, thing) && EndsInTime(word, place, thing)) names.push_back(thing.label);
      });
      if (names.empty() && required) return std::nullopt;
      if (!names.empty()) step.target = dice_.Of(names);
    }
    if (shape.with && dice_.Chance(30)) step.with = PromiseOtherThan(step.target);
    return step;
  }

  // Does the program still end when a step at this place makes the thing run again? It does where all such steps of a
  // program point the same way, and none of them at what is around it, but for the callback in which it is.
  bool EndsInTime(const Word& word, const Place& place, const Step& thing) const {
    const auto is_around = std::find(place.around.begin(), place.around.end(), &thing) != place.around.end();
    // A promise that is resolved with itself is a different kind of error.
    if (word.op == Op::kReturn) return !is_around;
    if (!RunsTargetAgain(word.op)) return true;
    if (!notices_endless_waits_ && HasServer() && !thing.body.empty()) return false;
    if (RepeatsByItself(thing.op) && thing.chained) return false;
    const Step* callback = place.Callback();
    if (callback == nullptr) return true;
    if (word.op == Op::kRaise) {
      return std::none_of(place.around.begin(), place.around.end(),
                          [&](const Step* s) { return s->op == Op::kSignal && s != callback; });
    }
    if (&thing == callback) return true;
    return !is_around && (forward_ ? thing.id > callback->id : thing.id < callback->id);
  }

  // --- The rest ---

  void SettlePromises() {
    const Word* resolve = lexicon_.Find(Op::kResolve);
    const Word* reject = lexicon_.Find(Op::kReject);
    for (const Step& thing : things_) {
      if (thing.op != Op::kPromise || !dice_.Chance(80)) continue;
      const Word* word = reject != nullptr && dice_.Chance(25) ? reject : resolve;
      if (word == nullptr) continue;
      const std::vector<Place> places = Places();
      const Place& place = dice_.Of(places);
      Step step;
      step.op = word->op;
      step.target = thing.label;
      if (word == resolve && dice_.Chance(30)) step.with = PromiseOtherThan(thing.label);
      if (word == reject) step.argument = fmt::format("E{}", ++errors_);
      place.body->push_back(std::move(step));
    }
  }

  void AddPauses() {
    if (lexicon_.Find(Op::kPause) != nullptr) {
      AddPausesTo(program_, entry_ == Entry::kEsm && lexicon_.modules_pause, 0);
    }
  }

  void AddPausesTo(std::vector<Step>& body, bool may_pause, int least) {
    for (Step& step : body) AddPausesTo(step.body, step.op == Op::kAsync, 1);
    if (!may_pause) return;
    for (int left = dice_.Between(least, 2); left > 0; --left) {
      Step pause;
      pause.op = Op::kPause;
      pause.label = NewName();
      if (dice_.Chance(35)) pause.target = TargetFor(body, *lexicon_.Find(Op::kPause), false);
      Insert(body, static_cast<size_t>(dice_.Below(body.size() + 1)), std::move(pause));
    }
  }

  // An error is caught around some of the steps of a body; where it pauses more often, for the sake of what it awaits.
  void AddTries() {
    if (lexicon_.Find(Op::kTry) == nullptr) return;
    std::vector<std::vector<Step>*> bodies;
    for (const Place& place : Places()) bodies.push_back(place.body);
    // From the innermost outwards: wrapping a step moves what is inside it.
    for (auto body = bodies.rbegin(); body != bodies.rend(); ++body) {
      const bool guarded = !(*body)->empty() && (*body)->front().only_to == kMaxTimes;
      if ((*body)->size() <= (guarded ? 1 : 0)) continue;
      const bool pauses =
          std::any_of((*body)->begin(), (*body)->end(), [](const Step& step) { return step.op == Op::kPause; });
      if (!dice_.Chance(pauses ? 35 : 5)) continue;
      const int from = dice_.Between(guarded ? 1 : 0, static_cast<int>((*body)->size()) - 1);
      const int to = dice_.Between(from + 1, static_cast<int>((*body)->size()));
      Step wrapped;
      wrapped.op = Op::kTry;
      wrapped.label = NewName();
      const auto first = (*body)->begin() + from;
      wrapped.body.assign(std::make_move_iterator(first), std::make_move_iterator((*body)->begin() + to));
      (*body)->erase(first, (*body)->begin() + to);
      Insert(**body, static_cast<size_t>(from), std::move(wrapped));
    }
  }

  // What comes as often as something else happens acts in its first runs only: an error in a handler of errors, a timer
  // that is started in `beforeExit`, would have no end.
  void LimitEvents(std::vector<Step>& body) {
    for (Step& step : body) {
      LimitEvents(step.body);
      const OpShape& shape = ShapeOf(step.op);
      if (!shape.callback || step.body.empty()) continue;
      if (shape.comes == Comes::kOnEvents) {
        std::vector<Step> all = std::exchange(step.body, {});
        step.body.push_back(Only(1, dice_.Between(1, 2), std::move(all)));
      } else if (step.chained && dice_.Chance(30)) {
        Step& inner = step.body[static_cast<size_t>(dice_.Below(step.body.size()))];
        if (inner.op == Op::kOnly || inner.op == Op::kAgain) continue;
        const int from = dice_.Between(1, 2);
        std::vector<Step> one;
        one.push_back(std::move(inner));
        inner = Only(from, dice_.Between(from, 3), std::move(one));
      }
    }
  }

  bool CanSweep() const { return lexicon_.Find(Op::kTimeout) != nullptr && lexicon_.Find(Op::kClose) != nullptr; }

  // Servers and connections keep a loop alive. At the end, when nothing else is left, they are closed. This is
  // first, so that an error in the main body does not prevent it.
  void Sweep() {
    std::vector<Step> closes;
    for (const Step& thing : things_) {
      if (thing.op != Op::kListen && thing.op != Op::kConnect && thing.op != Op::kAccept) continue;
      Step close;
      close.op = Op::kClose;
      close.target = thing.label;
      closes.push_back(std::move(close));
    }
    if (closes.empty()) return;
    Step sweeper;
    sweeper.op = Op::kTimeout;
    sweeper.argument = std::to_string(std::min(kMostSweepMs, Horizon(program_, 1) + kSweepAfterMs));
    sweeper.body = std::move(closes);
    Insert(program_, 0, std::move(sweeper));
  }

  // A time by which all that the program schedules has run.
  static int64_t Horizon(const Program& program, int64_t runs) {
    int64_t sum = 0;
    for (const Step& step : program) {
      const int64_t times = runs * std::min<int64_t>(step.chained || step.body.empty() ? step.times : 3, 3);
      if (TakesDelay(step.op)) {
        const double delay = DelayOf(step);
        sum += times * (delay >= 1 && delay < 1'000 ? static_cast<int64_t>(delay) + 1 : 1);
      }
      if (step.op == Op::kWork) sum += times * (WorkMsOf(step) + 1);
      if (step.op == Op::kBusy) sum += runs * (std::atoll(step.argument.c_str()) + 1);
      sum += Horizon(step.body, times);
    }
    return sum;
  }

  // Turns of the loop in between; a last one, so that what is left runs.
  void AddRuns() {
    const Word* word = lexicon_.Find(Op::kRun);
    if (word == nullptr) return;
    bool stops = false;
    Visit(program_, [&](const Step& step) { stops = stops || step.op == Op::kStop; });
    if (!stops && !dice_.Chance(25)) return;
    const auto run = [&](const std::string& mode) {
      Step step;
      step.op = Op::kRun;
      step.argument = mode;
      step.label = NewName();
      return step;
    };
    for (int left = dice_.Below(3); left > 0; --left) {
      const size_t at = static_cast<size_t>(dice_.Between(1, static_cast<int>(program_.size())));
      Insert(program_, at, run(dice_.Of(RunModes())));
    }
    program_.push_back(run("default"));
    if (stops) program_.push_back(run("default"));
  }

  const Lexicon& lexicon_;
  const bool notices_endless_waits_ = reference::ModelFamilyOf(lexicon_.family).notices_endless_waits;
  const Entry entry_;
  Dice& dice_;
  Program program_;
  std::vector<Step> things_;  // that have a name, without their bodies, in the order of the text
  Soil soil_;                 // of the callback that grows
  int budget_ = 0;            // how many more callbacks, and things without one
  int names_ = 0;
  int errors_ = 0;
  bool forward_ = true;  // steps that make something run again point to what is further below
};

}  // namespace

int CountCallbacks(const Program& program) {
  int count = 0;
  Visit(program, [&](const Step& step) { count += ShapeOf(step.op).callback && !step.label.empty() ? 1 : 0; });
  return count;
}

std::string CaseFileText(const Case& c, const std::string& expect) {
  std::string text;
  if (!c.title.empty()) text += "title: " + c.title + "\n";
  if (c.entry != Entry::kScript) text += fmt::format("entry: {}\n", EntryName(c.entry));
  if (c.pool_given) text += fmt::format("pool: {}\n", c.pool);
  text += "program:\n" + ProgramText(c.program, "  ");
  return text + "expect:" + expect;
}

Result<Case> CaseOf(const Case& like, const Program& program) {
  Case c = like;
  c.program = program;
  Result<Case> parsed = ParseCase(CaseFileText(c, " ...\n"), like.id, like.id);
  if (parsed) parsed->expect.clear();
  return parsed;
}

Case ProgramGenerator::Make(int64_t number) const {
  Dice dice(seed_, number);
  Case best = Draw(number, dice);
  int64_t most = pairs_ == nullptr ? 0 : pairs_->NewPairsOf(best);
  for (int drawn = 1; pairs_ != nullptr && drawn < kDrawnForOne; ++drawn) {
    Case other = Draw(number, dice);
    const int64_t pairs = pairs_->NewPairsOf(other);
    if (pairs > most) best = std::move(other);
    most = std::max(most, pairs);
  }
  return best;
}

Case ProgramGenerator::Draw(int64_t number, Dice& dice) const {
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    Case c;
    c.id = fmt::format("fuzz-{}-{}", seed_, number);
    if (dice.Chance(20)) c.entry = dice.Of(lexicon_.entries);
    c.pool_given = dice.Chance(20);
    if (c.pool_given) c.pool = dice.Between(1, 2);
    Result<Case> written = CaseOf(c, Writer(lexicon_, c.entry, dice).Write());
    CONFORM_CHECK(written.ok());
    const int callbacks = CountCallbacks(written->program);
    if (callbacks < kLeastCallbacks || callbacks > kMostCallbacks) continue;
    if (!reference::NotModelled(*written, lexicon_.family)) return std::move(*written);
  }
  CONFORM_CHECK(false);
}

}  // namespace conform
