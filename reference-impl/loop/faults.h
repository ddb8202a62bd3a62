// Faults: ways to build the reference loop wrong on purpose, so that the catalogue can show that it notices.
#ifndef CONFORM_REFERENCE_IMPL_LOOP_FAULTS_H_
#define CONFORM_REFERENCE_IMPL_LOOP_FAULTS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "runners/model/profile.h"

namespace conform {

// Each is asked for in the place that it breaks; faults.cc says what it does there.
enum class Fault : uint8_t {
  kNone,
  // Of the loop.
  kTimerTiesTurned,
  kTimerEarly,
  kTimerLate,
  kTimerOnePerPass,
  kTimerStoppedRuns,
  kTimerStopIgnored,
  kTimerRestartKeepsDeadline,
  kTimerFromFreshTime,
  kTimerRepeatFromDeadline,
  kTimerRepeatAfterCallback,
  kTimerRepeatsOnce,
  kTimerAgainIgnored,
  kTimersOnStaleTime,
  kTimersNotAtStart,
  kTimersNotInSingleRuns,
  kTimersBeforeClosing,
  kIdlePhaseSkipped,
  kPreparePhaseSkipped,
  kCheckPhaseSkipped,
  kPrepareBeforeIdle,
  kPrepareAfterPoll,
  kCheckBeforePoll,
  kCheckAfterClosing,
  kPendingAfterPrepare,
  kIdleInStartOrder,
  kPrepareInStartOrder,
  kCheckInStartOrder,
  kStartedInPhaseRuns,
  kHandleRunsOnce,
  kStoppedInPhaseRuns,
  kIdleLetsPollWait,
  kClosingLetsPollWait,
  kNowaitWaits,
  kOnceGoesOn,
  kOnceDoesNotWait,
  kRunSaysAlive,
  kReadyTurnedAround,
  kOneReadyPerPoll,
  kPollSkippedWhenIdle,
  kSignalsFirst,
  kWakeupLost,
  kWakeupsTurnedAround,
  kWakeupsBeforePool,
  kWakeupRunsTwice,
  kPoolOneThreadMore,
  kCancelIgnored,
  kCancelNotTold,
  kCloseInStartOrder,
  kCloseLive,
  kCloseAtOnce,
  kCloseDropsRequests,
  kClosedTimerRuns,
  kClosingNotAlive,
  kUnrefIgnored,
  kRefIgnored,
  kRefCountsTwice,
  kRequestsNotAlive,
  kStopIgnored,
  kStopStays,
  kStopCutsIteration,
  kPendingTurnedAround,
  kPendingOnePerTurn,
  kPendingRoundsWithoutEnd,
  kPendingOneRound,
  kWritesTurnedAround,
  // Of the Node host.
  kMainNotDrained,
  kScopeNotDrained,
  kScopeDrainedAfterError,
  kTimersNotDrainedBetween,
  kListsNotDrainedBetween,
  kTicksTurnedAround,
  kTicksSnapshot,
  kTickThenMicrotasks,
  kMicrotasksBeforeTicks,
  kTicksBetweenMicrotasks,
  kMicrotasksTurnedAround,
  kMicrotasksSnapshot,
  kThenAtOnce,
  kThenOneJobMore,
  kReactionsTurnedAround,
  kAwaitAtOnce,
  kAwaitOneJobMore,
  kThenableAtOnce,
  kThenableOneJobMore,
  kAdoptOneJobLess,
  kAdoptOneJobMore,
  kFinallyFewerJobs,
  kDelayNotClamped,
  kDelayNotLimited,
  kNoLists,
  kListTurnedAround,
  kListTiesTurned,
  kHostTimerEarly,
  kHostTimerLate,
  kStartFromCachedTime,
  kPassRereadsClock,
  kClearedTimerRuns,
  kClearTimerIgnored,
  kIntervalFromEnd,
  kIntervalOnGrid,
  kIntervalOnce,
  kIntervalOutlivesClear,
  kRefreshIgnored,
  kRefreshKeepsStart,
  kRefreshRevives,
  kTimerUnrefIgnored,
  kTimerRefIgnored,
  kTimerErrorEndsPass,
  kImmediatesTurnedAround,
  kImmediatesLive,
  kImmediatesBeforePoll,
  kImmediatesLetPollWait,
  kClearImmediateIgnored,
  kClearedInBatchRuns,
  kImmediateUnrefIgnored,
  kImmediateRefIgnored,
  kImmediateErrorDropsRest,
  kUncaughtTwice,
  kMonitorLast,
  kMicrotaskErrorEndsDrain,
  kErrorEndsTicks,
  kFatalWithoutExitEvent,
  kHandlerThrowIsFatal,
  kUnhandledAtOnce,
  kUnhandledBeforeMicrotasks,
  kUnhandledTwice,
  kUnhandledTurnedAround,
  kUnhandledNever,
  kHandledStillReported,
  kHandledNotTold,
  kUnhandledWithHandlerThrows,
  kBeforeExitOnce,
  kBeforeExitNever,
  kBeforeExitOnExit,
  kExitEventTwice,
  kExitRunsTicks,
  kExitDropsMicrotasks,
  kExitCodeLost,
  kUnsettledModuleIsFine,
  kListenersTurnedAround,
  kMessagesTurnedAround,
  kMessagesOnePerWakeup,
  kMessagesNotDrainedBetween,
  kMessageLimitOff,
  kListeningAtOnce,
  kCloseInTick,
  kServerCloseDoesNotWait,
  kConnectionAfterConnect,
  kEsmTicksFirst,
  kSignalKeepsAlive,
  kRefusedAtOnce,
};

struct FaultInfo {
  Fault fault;
  std::string_view name;
  std::string_view family;    // whose cases have to notice
  std::string_view clause;    // that it breaks
  std::string_view sentence;  // what the broken loop does
};

// All but kNone, in the order of the enumerators.
const std::vector<FaultInfo>& Faults();

// A loop with a fault is built from a profile with one rule more, under a name that no file of profiles can give a
// rule; its value is the name of the fault.
inline constexpr char kFaultRule[] = "(fault)";

// kNone where the profile is one of a release.
Fault FaultOf(const Profile& profile);

}  // namespace conform

#endif  // CONFORM_REFERENCE_IMPL_LOOP_FAULTS_H_
