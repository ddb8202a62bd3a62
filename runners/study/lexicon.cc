#include "runners/study/lexicon.h"

#include <algorithm>
#include <map>
#include <set>

#include "reference-impl/explore/explorer.h"
#include "reference-impl/explore/families.h"
#include "runners/base/text.h"
#include "runners/model/op_table.h"

namespace conform {
namespace {

constexpr int kUsualWeight = 12;  // of an op that has no row
constexpr int kKindWeight = 4;    // another function for the same thing comes as often as 1 of these

// How often each op is drawn. What has no row here is drawn all the same.
int WeightOf(Op op) {
  static const std::map<Op, int> kWeights = {
      {Op::kTimeout, 52},  {Op::kImmediate, 36}, {Op::kTick, 30},   {Op::kThen, 30},    {Op::kSoon, 44},
      {Op::kInterval, 14}, {Op::kMicrotask, 20}, {Op::kAwait, 14},  {Op::kFile, 20},    {Op::kWork, 20},
      {Op::kCatch, 8},     {Op::kFinally, 8},    {Op::kCombine, 8}, {Op::kThenable, 5}, {Op::kChild, 4},
      {Op::kSignal, 7},    {Op::kSocket, 4},     {Op::kReceive, 6}, {Op::kRefused, 7},  {Op::kExit, 2},
      {Op::kThrow, 7},     {Op::kReject, 7},     {Op::kStop, 3},    {Op::kRun, 6},      {Op::kOn, 8},
      {Op::kBusy, 16},     {Op::kLog, 4},        {Op::kOnly, 0},    {Op::kAgain, 4},    {Op::kClear, 16},
      {Op::kReturn, 8},
  };
  const auto found = kWeights.find(op);
  return found == kWeights.end() ? kUsualWeight : found->second;
}

using reference::ModelFamily;
using reference::ModelFamilyOf;
using Api = ModelFamily::Api;

// What a reference can mean where the op table leaves it open.
struct Referents {
  Op op;
  std::set<Api> apis;
  std::set<Op> makers;  // of things that are not promises
  bool promises = false;
};

const std::vector<Referents>& Table() {
  const std::set<Api> scripts = {Api::kJavaScript};
  const std::set<Api> uv = {Api::kLibuv};
  const std::set<Api> asyncio = {Api::kAsyncio};
  const std::set<Api> all = {Api::kJavaScript, Api::kLibuv, Api::kAsyncio};
  const std::set<Op> timers = {Op::kTimeout, Op::kInterval};
  const std::set<Op> sockets = {Op::kListen, Op::kConnect, Op::kAccept, Op::kSocket, Op::kRefused, Op::kRead};
  const std::set<Op> handles = {Op::kTimeout, Op::kInterval, Op::kImmediate, Op::kIdle,   Op::kPrepare,
                                Op::kCheck,   Op::kWake,     Op::kRead,      Op::kListen, Op::kConnect,
                                Op::kAccept,  Op::kRefused,  Op::kSignal,    Op::kChild,  Op::kReceive};
  std::set<Op> stoppable = handles;
  stoppable.insert({Op::kFile, Op::kWork, Op::kData});
  static const std::vector<Referents> kTable = {
      {Op::kThen, all, {}, true},
      {Op::kCatch, scripts, {}, true},
      {Op::kFinally, scripts, {}, true},
      {Op::kCombine, scripts, {Op::kThenable}, true},
      {Op::kAwait, scripts, {Op::kThenable}, true},
      {Op::kPause, scripts, {Op::kThenable}, true},
      {Op::kAwait, asyncio, {Op::kWork}, true},
      {Op::kPause, asyncio, {Op::kWork}, true},
      {Op::kReturn, scripts, {Op::kThenable}, true},
      {Op::kClear, scripts, {Op::kTimeout, Op::kInterval, Op::kImmediate, Op::kOn}},
      {Op::kClear, uv, stoppable},
      {Op::kClear, asyncio, {Op::kSoon, Op::kWake, Op::kTimeout, Op::kRead, Op::kWork, Op::kOn}, true},
      {Op::kRef, scripts, {Op::kTimeout, Op::kInterval, Op::kImmediate, Op::kListen, Op::kRead}},
      {Op::kUnref, scripts, {Op::kTimeout, Op::kInterval, Op::kImmediate, Op::kListen, Op::kRead}},
      {Op::kRef, uv, handles},
      {Op::kUnref, uv, handles},
      {Op::kRefresh, all, timers},
      {Op::kStart,
       uv,
       {Op::kTimeout, Op::kInterval, Op::kIdle, Op::kPrepare, Op::kCheck, Op::kSignal, Op::kReceive, Op::kData}},
      {Op::kClose, scripts, sockets},
      {Op::kClose, uv, handles},
      {Op::kOn, scripts, {Op::kListen, Op::kChild}},
  };
  return kTable;
}

// The step alone, to ask whether there is a model of it.
bool IsModelled(const Word& word, const std::string& family) {
  Step step;
  step.op = word.op;
  step.kind = word.kind;
  step.event = word.event;
  step.label = "A";
  step.argument = word.op == Op::kRun ? "default" : "0";
  step.times = 1;
  step.chained = true;
  const std::vector<std::string>& process = ProcessEvents();
  const bool of_process = std::find(process.begin(), process.end(), word.event) != process.end();
  if (word.op != Op::kOn || !of_process) step.target = "A";
  Case c;
  c.program.push_back(std::move(step));
  return !reference::NotModelled(c, family);
}

// "timeout as promise" or "on exit"; nothing for what is not a step.
std::optional<Word> WordFrom(const std::string& capability) {
  const std::vector<std::string> parts = Split(capability, ' ');
  const std::optional<Op> op = OpFromName(parts[0]);
  if (!op) return std::nullopt;
  Word word{*op, "", "", WeightOf(*op)};
  if (parts.size() == 3 && parts[1] == "as") {
    word.kind = parts[2];
    word.weight = std::max(1, word.weight / kKindWeight);
  } else if (parts.size() == 2 && *op == Op::kOn) {
    word.event = parts[1];
  } else if (parts.size() != 1) {
    return std::nullopt;
  }
  return word;
}

}  // namespace

std::string Word::Name() const {
  std::string name(OpName(op));
  if (!event.empty()) name += " " + event;
  if (!kind.empty()) name += " as " + kind;
  return name;
}

const Word* Lexicon::Find(Op op) const {
  const auto found = std::find_if(words.begin(), words.end(), [op](const Word& word) { return word.op == op; });
  return found == words.end() ? nullptr : &*found;
}

Result<Lexicon> LexiconOf(const ProfileFamily& family, const Version& version, const std::vector<std::string>& only) {
  Lexicon lexicon{family.name, {}, {Entry::kScript}};
  std::vector<std::string> names;
  for (const Capability& capability : family.capabilities) {
    if (!capability.range.Contains(version)) continue;
    if (capability.name == "entry esm") lexicon.entries.push_back(Entry::kEsm);
    if (capability.name == "entry worker") lexicon.entries.push_back(Entry::kWorker);
    if (capability.name == "entry esm await") lexicon.modules_pause = true;
    const std::optional<Word> word = WordFrom(capability.name);
    if (!word || !IsModelled(*word, family.name)) continue;
    names.push_back(capability.name);
    if (only.empty() || std::find(only.begin(), only.end(), capability.name) != only.end()) {
      lexicon.words.push_back(*word);
    }
  }
  for (const std::string& name : only) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    return Error::WithHint("random programs of " + family.name + " " + version.ToString() + " have no '" + name + "'",
                           DidYouMean(name, names));
  }
  const auto stands_alone = [](const Word& word) {
    const OpShape& shape = ShapeOf(word.op);
    return shape.callback && shape.of != Presence::kRequired && shape.to != Presence::kRequired && word.op != Op::kOn;
  };
  if (std::none_of(lexicon.words.begin(), lexicon.words.end(), stands_alone)) {
    return Error::WithHint("no callback can be made of '" + Join(only, ",") + "' alone", "add one, such as timeout");
  }
  for (const Op op : UniversalOps()) lexicon.words.push_back({op, "", "", WeightOf(op)});
  return lexicon;
}

bool MakesPromise(const Step& step) {
  static const std::set<Op> kMakers = {Op::kPromise, Op::kThen,  Op::kCatch, Op::kFinally,
                                       Op::kCombine, Op::kAwait, Op::kAsync};
  return step.kind == "promise" || kMakers.contains(step.op);
}

bool CanReferTo(const std::string& family, const Word& word, const Step& maker) {
  const std::vector<Op>& makers = ShapeOf(word.op).target_makers;
  if (!makers.empty()) return std::find(makers.begin(), makers.end(), maker.op) != makers.end();
  // The functions that are meant for something else take timers and immediates alone.
  if (word.op == Op::kClear && !word.kind.empty() && maker.op == Op::kOn) return false;
  // Of the events of things, each comes from one kind of thing.
  if (word.op == Op::kOn && (word.event == "spawn") != (maker.op == Op::kChild)) return false;
  const Api api = ModelFamilyOf(family).api;
  return std::any_of(Table().begin(), Table().end(), [&](const Referents& row) {
    if (row.op != word.op || !row.apis.contains(api)) return false;
    return MakesPromise(maker) ? row.promises : row.makers.contains(maker.op);
  });
}

bool CanReferWith(const Step& maker) { return MakesPromise(maker) || maker.op == Op::kThenable; }

bool RunsTargetAgain(Op op) { return op == Op::kRefresh || op == Op::kStart || op == Op::kSend || op == Op::kRaise; }

const std::vector<std::string>& DelaysOf(const std::string& family) {
  // Few numbers, so that there are ties; gaps of 30 ms and more, so that some orders do not depend on the machine.
  static const std::vector<std::string> whole = {"0", "0", "0", "1", "1", "1", "2", "5", "5", "10", "30", "31", "60"};
  static const std::vector<std::string> numbers = [] {
    std::vector<std::string> all = whole;
    all.insert(all.end(), whole.begin(), whole.end());
    all.insert(all.end(), {"1.5", "1.9", "-1", "NaN", "none", "Infinity", "2147483648"});
    return all;
  }();
  return ModelFamilyOf(family).delays == ModelFamily::Delays::kAny ? numbers : whole;
}

}  // namespace conform
