#include "runners/harness/messages.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "runners/base/text.h"
#include "runners/harness/printable.h"
#include "runners/model/case_json.h"

namespace conform {
namespace {

using nlohmann::json;

// A longer list would not be readable.
constexpr size_t kMaxListed = 10'000;
// They are in the first line of each results file, and in a note for the user.
constexpr size_t kMaxDetails = 100;
constexpr size_t kQuotedBytes = 60;

std::string InQuotes(std::string_view text) { return "'" + Printable(text, kQuotedBytes) + "'"; }

// Takes from the text, while it is read, what some message has. All else is skipped without being kept: no line can ask
// for much more memory than its own length. What is wrong with a field is kept beside it, since only at the end is it
// known which fields the message has.
class Reader final : public nlohmann::json_sax<json> {
 public:
  std::map<std::string, json> fields;        // "seq", "implementation.name", …: neither lists nor objects
  std::set<std::string> containers;          // "implementation", "ops", …
  std::map<std::string, std::string> wrong;  // the outermost field, and what is wrong in it
  std::map<std::string, std::string> details;
  std::vector<std::string> ops;
  std::vector<TraceEvent> events;
  std::string failure;  // of the line as a whole

  bool null() override { return Scalar(nullptr); }
  bool boolean(bool value) override { return Scalar(value); }
  bool number_integer(int64_t value) override { return Scalar(value); }
  bool number_unsigned(uint64_t value) override { return Scalar(value); }
  bool number_float(double value, const std::string&) override { return Scalar(value); }
  bool string(std::string& value) override { return Scalar(std::move(value)); }
  bool binary(json::binary_t&) override { return false; }
  bool start_object(size_t) override { return Open(/*is_object=*/true); }
  bool start_array(size_t) override { return Open(/*is_object=*/false); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }

  bool key(std::string& value) override {
    if (places_.size() == 1) outermost_ = value;
    key_ = std::move(value);
    return true;
  }

  bool parse_error(size_t position, const std::string&, const json::exception& exception) override {
    const bool not_utf8 = std::string_view(exception.what()).find("UTF-8") != std::string_view::npos;
    failure = fmt::format("{} at byte {}", not_utf8 ? "is not UTF-8" : "is not JSON", position);
    return false;
  }

 private:
  enum class Place { kMessage, kImplementation, kDetails, kClaims, kOps, kEvents, kEvent, kSkipped };

  bool Open(bool is_object) {
    if (places_.empty() && !is_object) return Fail("is a list: a message is an object");
    if (places_.size() >= kMaxJsonDepth) return Fail(fmt::format("is nested deeper than {}", kMaxJsonDepth));
    const Place place = places_.empty() ? Place::kMessage : PlaceOf(is_object);
    places_.push_back(place);
    if (place == Place::kEvent) StartEvent();
    return true;
  }

  bool Close() {
    if (places_.back() == Place::kEvent && events.back().label.empty()) Wrong(EventPath("") + " has no label");
    places_.pop_back();
    return true;
  }

  // Of a list or an object inside of another.
  Place PlaceOf(bool is_object) {
    switch (places_.back()) {
      case Place::kMessage: {
        const Place place = key_ == "implementation" ? Place::kImplementation
                            : key_ == "claims"       ? Place::kClaims
                            : key_ == "ops"          ? Place::kOps
                            : key_ == "events"       ? Place::kEvents
                                                     : Place::kSkipped;
        const bool is_list = place == Place::kOps || place == Place::kEvents;
        if (IsKnown(key_) && !containers.insert(key_).second) Wrong(key_ + " is given twice");
        if (place != Place::kSkipped && is_list == is_object) {
          Wrong(key_ + (is_list ? " is not a list" : " is not an object"));
          return Place::kSkipped;
        }
        return place;
      }
      case Place::kImplementation:
        if (key_ == "details" && is_object) return Place::kDetails;
        if (key_ == "details" || key_ == "name" || key_ == "version") Wrong("implementation." + key_ + TypeIsWrong());
        return Place::kSkipped;
      case Place::kDetails:
        Wrong("implementation.details has a value that is not a text");
        return Place::kSkipped;
      case Place::kClaims:
        if (key_ == "profile" || key_ == "version") Wrong("claims." + key_ + TypeIsWrong());
        return Place::kSkipped;
      case Place::kOps:
        Wrong("ops contains something that is not a text");
        return Place::kSkipped;
      case Place::kEvents:
        if (is_object) return Place::kEvent;
        Wrong(fmt::format("events[{}] is not an object", count_));
        return Place::kSkipped;
      case Place::kEvent:
        if (key_ == "label" || key_ == "t_ns" || key_ == "iteration" || key_ == "phase") {
          Wrong(EventPath(key_) + TypeIsWrong());
        }
        return Place::kSkipped;
      case Place::kSkipped:
        return Place::kSkipped;
    }
    CONFORM_CHECK(false);
  }

  bool Scalar(json value) {
    if (places_.empty()) return Fail("is not a JSON object");
    switch (places_.back()) {
      case Place::kMessage:
        Keep("", std::move(value));
        break;
      case Place::kImplementation:
        Keep("implementation.", std::move(value));
        break;
      case Place::kClaims:
        Keep("claims.", std::move(value));
        break;
      case Place::kDetails:
        if (!value.is_string()) {
          Wrong("implementation.details has a value that is not a text");
        } else if (key_.size() > kMaxTraceLabel || !IsPlain(key_)) {
          Wrong(fmt::format("implementation.details has a name that is longer than {} bytes, or not one line of text",
                            kMaxTraceLabel));
        } else if (details.size() >= kMaxDetails && !details.contains(key_)) {
          Wrong(fmt::format("implementation.details has more than {} names", kMaxDetails));
        } else {
          details[key_] = Printable(value.get_ref<const std::string&>(), kMaxTraceLabel);
        }
        break;
      case Place::kOps:
        if (!value.is_string() || !IsPlain(value.get_ref<const std::string&>()) || ops.size() >= kMaxListed) {
          Wrong("ops contains something that is not a text of one line, or too many");
        } else if (value.get_ref<const std::string&>().size() > kMaxTraceLabel) {
          Wrong(fmt::format("ops contains a text that is longer than {} bytes", kMaxTraceLabel));
        } else {
          ops.push_back(std::move(value.get_ref<std::string&>()));
        }
        break;
      case Place::kEvents:
        Wrong(fmt::format("events[{}] is not an object", count_));
        break;
      case Place::kEvent:
        EventField(value);
        break;
      case Place::kSkipped:
        break;
    }
    return true;
  }

  // Others could be many, and long.
  static bool IsKnown(const std::string& path) {
    static const std::set<std::string> kKnown = {"type",
                                                 "protocol",
                                                 "isolation",
                                                 "seq",
                                                 "more",
                                                 "start_ns",
                                                 "broken",
                                                 "op",
                                                 "message",
                                                 "ops",
                                                 "events",
                                                 "implementation",
                                                 "claims",
                                                 "implementation.name",
                                                 "implementation.version",
                                                 "claims.profile",
                                                 "claims.version"};
    return kKnown.contains(path);
  }

  void Keep(const std::string& outer, json value) {
    if (key_.find('.') != std::string::npos || !IsKnown(outer + key_)) return;
    if (!fields.emplace(outer + key_, std::move(value)).second) Wrong(outer + key_ + " is given twice");
  }

  void StartEvent() {
    // One more than is judged: enough to see that there are too many.
    if (events.size() <= kMaxMessageEvents) {
      events.emplace_back();
    } else {
      events.back() = {};
    }
    ++count_;
  }

  void EventField(json& value) {
    TraceEvent& event = events.back();
    const auto number = [&](std::optional<int64_t>& into, bool may_be_negative) {
      const bool fits = value.is_number_unsigned() ? value.get<uint64_t>() <= static_cast<uint64_t>(INT64_MAX)
                                                   : value.is_number_integer() && may_be_negative;
      if (fits) into = value.get<int64_t>();
      if (!fits) Wrong(EventPath(key_) + " is not an integer in its range");
    };
    if (key_ == "t_ns") {
      number(event.t_ns, /*may_be_negative=*/true);
    } else if (key_ == "iteration") {
      number(event.iteration, /*may_be_negative=*/false);
    } else if (key_ == "label" || key_ == "phase") {
      std::string& into = key_ == "label" ? event.label : event.phase;
      if (!value.is_string()) return Wrong(EventPath(key_) + TypeIsWrong());
      into = std::move(value.get_ref<std::string&>());
      if (key_ == "label" && into.empty()) Wrong(EventPath(key_) + " is empty");
      if (into.size() > kMaxTraceLabel)
        Wrong(EventPath(key_) + fmt::format(" is longer than {} bytes", kMaxTraceLabel));
      if (!IsOneWord(into))
        Wrong(EventPath(key_) + " is " + InQuotes(into) + ": white space and control characters are not allowed");
    }
  }

  std::string EventPath(std::string_view field) const {
    return fmt::format("events[{}]{}{}", count_ - 1, field.empty() ? "" : ".", field);
  }
  std::string TypeIsWrong() const {
    return key_ == "t_ns" || key_ == "iteration" ? " is not a number" : " is not a text";
  }

  void Wrong(std::string what) { wrong.try_emplace(outermost_, std::move(what)); }
  bool Fail(std::string what) {
    failure = std::move(what);
    return false;
  }

  std::vector<Place> places_;
  std::string outermost_;  // the field of the message that we are in
  std::string key_;
  size_t count_ = 0;  // of events
};

// Makes the message of what was read; the first thing that is wrong is kept.
class Maker {
 public:
  explicit Maker(Reader& reader) : reader_(reader) {}

  Result<AdapterMessage> Make() {
    const std::string type = Text("type", kMaxTraceLabel);
    AdapterMessage message;
    if (type == "ready") {
      message = Ready();
    } else if (type == "trace") {
      message = TraceMessage{Seq(), std::move(reader_.events), Flag("more"), Number("start_ns", /*is_needed=*/false)};
      Container("events");
    } else if (type == "unsupported") {
      message = UnsupportedMessage{Seq(), Text("op", kMaxTraceLabel)};
    } else if (type == "error") {
      message = ErrorMessage{Seq(), Text("message", SIZE_MAX), Flag("broken")};
    } else if (error_.empty()) {
      error_ = "type is " + InQuotes(type) + ", not one of ready, trace, unsupported and error";
    }
    if (!error_.empty()) return Error{error_};
    return message;
  }

 private:
  ReadyMessage Ready() {
    ReadyMessage ready;
    const std::optional<int64_t> protocol = Number("protocol", /*is_needed=*/true);
    if (protocol && *protocol != kProtocolVersion) {
      Wrong(fmt::format("protocol is {}: conform speaks only version {}", *protocol, kProtocolVersion));
    }
    Container("implementation");
    ready.name = Name("implementation.name");
    ready.version = Name("implementation.version");
    ready.details = std::move(reader_.details);
    if (Has("claims")) {
      Container("claims");
      ready.claimed_profile = Name("claims.profile");
      ready.claimed_version = Name("claims.version");
    }
    if (Has("ops")) {
      Container("ops");
      ready.ops = std::move(reader_.ops);
    }
    const std::string isolation = Text("isolation", kMaxTraceLabel);
    if (isolation != "process" && isolation != "session") {
      Wrong("isolation is " + InQuotes(isolation) + ", neither process nor session");
    }
    ready.isolation = isolation == "session" ? ReadyMessage::Isolation::kSession : ReadyMessage::Isolation::kProcess;
    return ready;
  }

  int64_t Seq() {
    const int64_t seq = Number("seq", /*is_needed=*/true).value_or(0);
    if (seq < 1) Wrong("seq is less than 1");
    return seq;
  }

  bool Flag(const std::string& name) {
    const json* field = Field(name, /*is_needed=*/false);
    if (field != nullptr && !field->is_boolean()) Wrong(name + " is neither true nor false");
    return field != nullptr && field->is_boolean() && field->get<bool>();
  }

  bool Has(const std::string& name) const { return reader_.fields.contains(name) || reader_.containers.contains(name); }

  void Container(const std::string& name) {
    CheckField(name);
    if (!reader_.containers.contains(name))
      Wrong(name + (Has(name) ? " is neither a list nor an object" : " is missing"));
  }

  const json* Field(const std::string& path, bool is_needed) {
    const std::string outermost = path.substr(0, path.find('.'));
    CheckField(outermost);
    const auto it = reader_.fields.find(path);
    if (it != reader_.fields.end()) return &it->second;
    if (is_needed) Wrong(path + (reader_.containers.contains(path) ? " is a list or an object" : " is missing"));
    return nullptr;
  }

  std::optional<int64_t> Number(const std::string& path, bool is_needed) {
    const json* field = Field(path, is_needed);
    if (field == nullptr) return std::nullopt;
    if (field->is_number_integer() && (!field->is_number_unsigned() || field->get<uint64_t>() <= INT64_MAX)) {
      return field->get<int64_t>();
    }
    Wrong(path + " is not an integer in its range");
    return std::nullopt;
  }

  std::string Text(const std::string& path, size_t max_bytes) {
    const json* field = Field(path, /*is_needed=*/true);
    if (field == nullptr) return "";
    if (!field->is_string()) {
      Wrong(path + " is not a text");
      return "";
    }
    const auto& text = field->get_ref<const std::string&>();
    if (text.empty()) Wrong(path + " is empty");
    if (text.size() > max_bytes) Wrong(fmt::format("{} is longer than {} bytes", path, max_bytes));
    return text;
  }

  std::string Word(const std::string& path) {
    std::string word = Text(path, kMaxTraceLabel);
    if (!IsOneWord(word))
      Wrong(path + " is " + InQuotes(word) + ": white space and control characters are not allowed");
    return word;
  }

  // A word that is part of the name of an implementation or a profile, which is taken apart at these characters.
  std::string Name(const std::string& path) {
    std::string name = Word(path);
    if (name.find_first_of("@=,") != std::string::npos) {
      Wrong(path + " is " + InQuotes(name) + ": '@', '=' and ',' are not allowed");
    }
    return name;
  }

  // What the reader found wrong inside of this field of the message.
  void CheckField(const std::string& outermost) {
    const auto it = reader_.wrong.find(outermost);
    if (it != reader_.wrong.end()) Wrong(it->second);
  }

  void Wrong(const std::string& what) {
    if (error_.empty()) error_ = what;
  }

  Reader& reader_;
  std::string error_;
};

}  // namespace

std::string HelloLine() { return fmt::format("{{\"type\":\"hello\",\"protocol\":[{0},{0}]}}\n", kProtocolVersion); }

std::string RunLine(const RunRequest& request) {
  json message = {{"type", "run"}, {"seq", request.seq}, {"entry", EntryName(request.entry)}};
  if (request.native.empty()) {
    CONFORM_CHECK(request.program != nullptr);
    message["program"] = ProgramToJson(*request.program);
  } else {
    message["native"] = request.native;
    if (request.console) message["console"] = true;
  }
  for (int i = 0; i < request.descriptors; ++i) message["descriptors"].push_back(3 + i);
  if (request.flush_each) message["flush"] = "each";
  return message.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string StopLine() { return "{\"type\":\"stop\"}\n"; }

Result<AdapterMessage> ParseAdapterMessage(std::string_view line) {
  Reader reader;
  if (!json::sax_parse(line.begin(), line.end(), &reader)) {
    return Error{"the line " + InQuotes(line) + " " + reader.failure};
  }
  return Maker(reader).Make();
}

}  // namespace conform
