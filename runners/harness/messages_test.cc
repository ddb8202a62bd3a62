#include "runners/harness/messages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "runners/harness/printable.h"

namespace conform {
namespace messages_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const char* const kReady =
    R"({"type":"ready","protocol":1,"implementation":{"name":"node","version":"24.21.0","details":{"libuv":"1.52.1"}},)"
    R"("claims":{"profile":"node","version":"24.21.0"},"ops":["tick","timeout as promise"],"isolation":"process"})";
const char* const kTrace =
    R"({"type":"trace","seq":7,"events":[{"label":"A","t_ns":120000},{"label":"X=E","iteration":1,"phase":"poll"}]})";

template <typename Message>
Message Parsed(std::string_view line) {
  const Result<AdapterMessage> message = ParseAdapterMessage(line);
  EXPECT_TRUE(message.ok()) << message.error().ToString();
  EXPECT_TRUE(std::holds_alternative<Message>(*message));
  return std::get<Message>(*message);
}

std::string WhyRefused(std::string_view line) {
  const Result<AdapterMessage> message = ParseAdapterMessage(line);
  return message.ok() ? "accepted" : message.error().ToString();
}

std::string TraceWith(const std::string& event) { return R"({"type":"trace","seq":1,"events":[)" + event + "]}"; }

TEST(Messages, WhatIsSentIsOneLineEach) {
  EXPECT_EQ(HelloLine(), "{\"type\":\"hello\",\"protocol\":[1,1]}\n");
  EXPECT_EQ(StopLine(), "{\"type\":\"stop\"}\n");
  const auto c = ParseCase("program:\n  - tick T\nexpect: T\n", "x", "x");
  ASSERT_TRUE(c.ok());
  RunRequest request;
  request.seq = 3;
  request.program = &c->program;
  EXPECT_EQ(RunLine(request),
            "{\"entry\":\"script\",\"program\":[{\"label\":\"T\",\"op\":\"tick\"}],\"seq\":3,\"type\":\"run\"}\n");
  request = {.entry = Entry::kEsm, .native = "/x/y.mjs", .descriptors = 2, .flush_each = true};
  EXPECT_EQ(RunLine(request),
            "{\"descriptors\":[3,4],\"entry\":\"esm\",\"flush\":\"each\",\"native\":\"/x/y.mjs\",\"seq\":1,"
            "\"type\":\"run\"}\n");
}

TEST(Messages, ReadyIsRead) {
  const auto ready = Parsed<ReadyMessage>(kReady);
  EXPECT_EQ(ready.name, "node");
  EXPECT_EQ(ready.version, "24.21.0");
  EXPECT_EQ(ready.details.at("libuv"), "1.52.1");
  EXPECT_EQ(ready.claimed_profile, "node");
  EXPECT_EQ(ready.claimed_version, "24.21.0");
  EXPECT_THAT(ready.ops.value(), ElementsAre("tick", "timeout as promise"));
  EXPECT_EQ(ready.isolation, ReadyMessage::Isolation::kProcess);
}

TEST(Messages, ClaimsAndOpsMayBeAbsent) {
  const auto ready = Parsed<ReadyMessage>(
      R"({"isolation":"session","implementation":{"version":"1","name":"x"},"protocol":1,"type":"ready"})");
  EXPECT_EQ(ready.claimed_profile, "");
  EXPECT_FALSE(ready.ops.has_value());
  EXPECT_EQ(ready.isolation, ReadyMessage::Isolation::kSession);
}

TEST(Messages, TraceIsRead) {
  const auto trace = Parsed<TraceMessage>(kTrace);
  EXPECT_EQ(trace.seq, 7);
  EXPECT_FALSE(trace.more);
  ASSERT_EQ(trace.events.size(), 2u);
  EXPECT_EQ(trace.events[0].label, "A");
  EXPECT_EQ(trace.events[0].t_ns, 120000);
  EXPECT_EQ(trace.events[1].label, "X=E");
  EXPECT_EQ(trace.events[1].iteration, 1);
  EXPECT_EQ(trace.events[1].phase, "poll");
  EXPECT_TRUE(Parsed<TraceMessage>(R"({"type":"trace","seq":1,"events":[],"more":true})").more);
}

TEST(Messages, WhyThereIsNoTraceIsRead) {
  EXPECT_EQ(Parsed<UnsupportedMessage>(R"({"type":"unsupported","seq":2,"op":"tick"})").op, "tick");
  EXPECT_EQ(Parsed<ErrorMessage>(R"({"type":"error","seq":2,"message":"a\nb"})").message, "a\nb");
}

TEST(Messages, FieldsThatAreNotKnownAreIgnored) {
  Parsed<TraceMessage>(
      R"({"x":[[{"label":3}]],"type":"trace","ops":5,"seq":1,"events":[{"label":"A","y":{"label":[]}}],"a.b":1})");
  Parsed<ErrorMessage>(R"({"type":"error","seq":2,"message":"m","events":"none","implementation.name":3})");
}

TEST(Messages, WhatIsWrongIsSaidWithItsField) {
  EXPECT_THAT(WhyRefused(""), HasSubstr("is not JSON"));
  EXPECT_THAT(WhyRefused("[]"), HasSubstr("is a list"));
  EXPECT_THAT(WhyRefused("3"), HasSubstr("is not a JSON object"));
  EXPECT_THAT(WhyRefused("{} {}"), HasSubstr("is not JSON at byte"));
  EXPECT_THAT(WhyRefused("console.log\x1b[31m"), HasSubstr("the line 'console.log?[31m' is not JSON at byte 1"));
  EXPECT_THAT(WhyRefused("{\"type\":\"\xff\"}"), HasSubstr("is not UTF-8 at byte"));
  EXPECT_EQ(WhyRefused("{}"), "type is missing");
  EXPECT_EQ(WhyRefused(R"({"type":"tracy"})"), "type is 'tracy', not one of ready, trace, unsupported and error");
  EXPECT_EQ(WhyRefused(R"({"type":["trace"]})"), "type is a list or an object");
  EXPECT_EQ(WhyRefused(R"({"type":"trace","type":"trace","seq":1,"events":[]})"), "type is given twice");
  EXPECT_EQ(WhyRefused(R"({"type":"trace","events":[]})"), "seq is missing");
  EXPECT_EQ(WhyRefused(R"({"type":"trace","seq":0,"events":[]})"), "seq is less than 1");
  EXPECT_EQ(WhyRefused(R"({"type":"trace","seq":1.5,"events":[]})"), "seq is not an integer in its range");
  EXPECT_EQ(WhyRefused(R"({"type":"trace","seq":18446744073709551615,"events":[]})"),
            "seq is not an integer in its range");
  EXPECT_EQ(WhyRefused(R"({"type":"trace","seq":1})"), "events is missing");
  EXPECT_EQ(WhyRefused(R"({"type":"trace","seq":1,"events":{}})"), "events is not a list");
  EXPECT_EQ(WhyRefused(R"({"type":"trace","seq":1,"events":null})"), "events is neither a list nor an object");
  EXPECT_EQ(WhyRefused(R"({"type":"trace","seq":1,"events":[],"more":1})"), "more is neither true nor false");
  EXPECT_EQ(WhyRefused(R"({"type":"trace","seq":1,"events":[],"start_ns":"x"})"),
            "start_ns is not an integer in its range");
  EXPECT_EQ(WhyRefused(R"({"type":"error","seq":1,"message":"m","broken":1})"), "broken is neither true nor false");
  EXPECT_EQ(WhyRefused(R"({"type":"trace","seq":1,"events":[],"events":[]})"), "events is given twice");
  EXPECT_EQ(WhyRefused(R"({"type":"unsupported","seq":1})"), "op is missing");
  EXPECT_EQ(WhyRefused(R"({"type":"error","seq":1,"message":7})"), "message is not a text");
}

TEST(Messages, WhatIsWrongWithAnEventIsSaid) {
  EXPECT_EQ(WhyRefused(TraceWith("3")), "events[0] is not an object");
  EXPECT_EQ(WhyRefused(TraceWith(R"({"label":"A"},{})")), "events[1] has no label");
  EXPECT_EQ(WhyRefused(TraceWith(R"({"label":""})")), "events[0].label is empty");
  EXPECT_EQ(WhyRefused(TraceWith(R"({"label":["A"]})")), "events[0].label is not a text");
  EXPECT_EQ(WhyRefused(TraceWith(R"({"label":"A B"})")),
            "events[0].label is 'A B': white space and control characters are not allowed");
  EXPECT_THAT(WhyRefused(TraceWith(R"({"label":"A\u0000"})")), HasSubstr("is 'A?'"));
  EXPECT_THAT(WhyRefused(TraceWith(R"({"label":"A\u2028"})")), HasSubstr("not allowed"));
  EXPECT_EQ(WhyRefused(TraceWith(R"({"label":")" + std::string(200, 'x') + "\"}")), "accepted");
  EXPECT_EQ(WhyRefused(TraceWith(R"({"label":")" + std::string(201, 'x') + "\"}")),
            "events[0].label is longer than 200 bytes");
  EXPECT_EQ(WhyRefused(TraceWith(R"({"label":"A","t_ns":1.5})")), "events[0].t_ns is not an integer in its range");
  EXPECT_EQ(WhyRefused(TraceWith(R"({"label":"A","t_ns":-5})")), "accepted");
  EXPECT_EQ(WhyRefused(TraceWith(R"({"label":"A","iteration":-5})")),
            "events[0].iteration is not an integer in its range");
}

TEST(Messages, WhatIsWrongWithReadyIsSaid) {
  const auto ready_with = [](const std::string& before, const std::string& after) {
    std::string line = kReady;
    const size_t at = line.find(before);
    EXPECT_NE(at, std::string::npos) << before;
    return WhyRefused(line.replace(at, before.size(), after));
  };
  EXPECT_EQ(ready_with("\"protocol\":1,", "\"protocol\":2,"), "protocol is 2: conform speaks only version 1");
  EXPECT_EQ(ready_with("\"protocol\":1,", ""), "protocol is missing");
  EXPECT_EQ(ready_with("\"name\":\"node\",", ""), "implementation.name is missing");
  EXPECT_EQ(ready_with("\"name\":\"node\"", "\"name\":[]"), "implementation.name is not a text");
  EXPECT_THAT(ready_with("24.21.0", "24 21"), HasSubstr("implementation.version is '24 21'"));
  EXPECT_EQ(ready_with("\"1.52.1\"", "{}"), "implementation.details has a value that is not a text");
  const std::string long_name(201, 'x');
  EXPECT_EQ(ready_with("\"libuv\":", "\"" + long_name + "\":"),
            "implementation.details has a name that is longer than 200 bytes, or not one line of text");
  EXPECT_THAT(ready_with("\"libuv\":", R"("a\nb":)"), HasSubstr("not one line of text"));
  std::string names;
  for (int i = 0; i < 100; ++i) names += "\"" + std::to_string(i) + "\":\"x\"" + (i < 99 ? "," : "");
  EXPECT_EQ(ready_with("\"libuv\":\"1.52.1\"", names), "accepted");
  EXPECT_EQ(ready_with("\"libuv\":", names + ",\"libuv\":"), "implementation.details has more than 100 names");
  for (const std::string mark : {"@", "=", ","}) {
    EXPECT_EQ(ready_with("\"name\":\"node\"", "\"name\":\"no" + mark + "de\""),
              "implementation.name is 'no" + mark + "de': '@', '=' and ',' are not allowed");
    EXPECT_THAT(ready_with("\"24.21.0\"", "\"24" + mark + "21\""), HasSubstr("implementation.version is"));
    EXPECT_THAT(ready_with("\"profile\":\"node\"", "\"profile\":\"" + mark + "\""), HasSubstr("claims.profile is"));
  }
  EXPECT_EQ(ready_with("[\"tick\"", "[\"" + long_name + "\""), "ops contains a text that is longer than 200 bytes");
  EXPECT_EQ(ready_with("\"profile\":\"node\",", ""), "claims.profile is missing");
  EXPECT_EQ(ready_with("[\"tick\"", "[[]"), "ops contains something that is not a text");
  EXPECT_EQ(ready_with("\"process\"", "\"thread\""), "isolation is 'thread', neither process nor session");
}

TEST(Messages, NestingHasALimit) {
  const auto nested = [](int depth) {
    return R"({"type":"trace","seq":1,"events":[],"x":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  EXPECT_EQ(WhyRefused(nested(kMaxJsonDepth - 1)), "accepted");
  EXPECT_THAT(WhyRefused(nested(kMaxJsonDepth)), HasSubstr("is nested deeper than 32"));
  EXPECT_THAT(WhyRefused(std::string(5'000'000, '[')), HasSubstr("is a list"));
  EXPECT_THAT(WhyRefused(R"({"x":)" + std::string(5'000'000, '[')), HasSubstr("is nested deeper than 32"));
}

TEST(Messages, OfTooManyEventsOneTooManyIsKept) {
  std::string events = R"({"label":"A"})";
  for (size_t i = 0; i < kMaxMessageEvents + 10; ++i) events += R"(,{"label":"A"})";
  EXPECT_EQ(Parsed<TraceMessage>(TraceWith(events)).events.size(), kMaxMessageEvents + 1);
}

// Goal: no line, however broken, can do more than be refused. Method: lines that are right, mutated with a fixed seed.
TEST(Messages, LinesSurviveMutation) {
  std::mt19937_64 random(1);
  const auto draw = [&](size_t count) { return static_cast<size_t>(random() % count); };
  static const std::string kBytes = "{}[]:,\"\\u0019.-+eE tfn\n\x01\x80\xc3\xff";
  const std::vector<std::string> lines = {kReady, kTrace, R"({"type":"unsupported","seq":2,"op":"tick"})",
                                          R"({"type":"error","seq":2,"message":"\u00e9\ud83d\ude00"})"};
  int accepted = 0;
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string line = lines[draw(lines.size())];
    for (size_t changes = draw(3); changes > 0 && !line.empty(); --changes) {
      const size_t at = draw(line.size());
      switch (draw(4)) {
        case 0:
          line.insert(at, 1, kBytes[draw(kBytes.size())]);
          break;
        case 1:
          line[at] = kBytes[draw(kBytes.size())];
          break;
        case 2:
          line.erase(at, 1 + draw(8));
          break;
        case 3:
          line.insert(at, line.substr(draw(line.size()), draw(40)));
          break;
      }
    }
    const Result<AdapterMessage> message = ParseAdapterMessage(line);
    ++(message.ok() ? accepted : refused);
    if (!message.ok()) {
      EXPECT_FALSE(message.error().message.empty()) << line;
      EXPECT_TRUE(IsPlain(message.error().message)) << line;
    }
  }
  EXPECT_GT(accepted, 2000);
  EXPECT_GT(refused, 2000);
}

TEST(Printable, IsOneLineOfValidText) {
  EXPECT_EQ(Printable("a\nb\tc\x1b[0m\xff é\xc3", 100), "a b c?[0m? é?");
  EXPECT_EQ(Printable("aaaaaaaaaa", 4), "aaaa…");
  EXPECT_EQ(Printable("\xed\xa0\x80\xc0\x80\xf5", 100), "??????");
}

TEST(Printable, OfManyLinesTheOneThatNamesAnErrorSaysMost) {
  EXPECT_EQ(TellingLine("first\n  last \n\n", 100), "last");
  EXPECT_EQ(TellingLine("x.js:1\n  x(\n   ^\nSyntaxError: bad\n    at onError (y)\n\nNode.js v24.0.0\n", 100),
            "SyntaxError: bad");
  EXPECT_EQ(TellingLine("", 100), "");
}

}  // namespace messages_test
}  // namespace conform
