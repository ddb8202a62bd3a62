// The table of a host: what it does for each op that it has. What is not in a host's table is not modelled.
//
//   static const HostOps<NodeHost> kTable(ScriptHost::Table(), {
//       {Op::kTick, &NodeHost::ArmTick},                    // schedules one run of a callback
//       {Op::kTimeout, &NodeHost::ArmTimer, {"promise"}},   // and so does `timeout A 5 as promise`
//       {Op::kRaise, &NodeHost::Raise},                     // acts at once
//       {Op::kThrow},                                       // the interpreter does it for every host that has it
//   });
#ifndef CONFORM_REFERENCE_IMPL_HOST_HOST_OPS_H_
#define CONFORM_REFERENCE_IMPL_HOST_HOST_OPS_H_

#include <initializer_list>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reference-impl/host/task.h"
#include "runners/base/check.h"
#include "runners/model/op_table.h"
#include "runners/model/step.h"

namespace conform::reference {

// The ops of a host, each with the kinds (`as KIND`) that are modelled beside the plain one.
class ModelledOps {
 public:
  // Stands for every kind: which there are differs from loop to loop, and is the profile's.
  static constexpr const char* kEveryKind = "*";

  bool Has(Op op) const { return IsUniversal(op) || (Index(op) < ops_.size() && ops_[Index(op)].is_there); }
  bool HasKind(Op op, const std::string& kind) const {
    if (kind.empty()) return Has(op);
    return Index(op) < ops_.size() &&
           (ops_[Index(op)].kinds.contains(kind) || ops_[Index(op)].kinds.contains(kEveryKind));
  }

 protected:
  struct Kinds {
    bool is_there = false;
    std::set<std::string> kinds;
  };
  static size_t Index(Op op) { return static_cast<size_t>(op); }

  std::vector<Kinds> ops_;  // by op
};

template <typename Host>
class HostOps : public ModelledOps {
 public:
  // Schedules one run of the callback: the first, or the next of a chain.
  using Arm = void (Host::*)(const TaskPtr& task);
  // Acts at once.
  using Act = void (Host::*)(const Step& step);
  // Acts at once, and has to know the callback around it.
  using ActInside = void (Host::*)(const Step& step, const TaskPtr& around);

  struct Row {
    Row(Op of, Arm does, std::set<std::string> as = {}) : op(of), arm(does), kinds(std::move(as)) {}
    Row(Op of, Act does, std::set<std::string> as = {}) : op(of), act(does), kinds(std::move(as)) {}
    Row(Op of, ActInside does) : op(of), act_inside(does) {}
    Row(Op of) : op(of) {}  // NOLINT(google-explicit-constructor): the interpreter does it

    Op op;
    Arm arm = nullptr;
    Act act = nullptr;
    ActInside act_inside = nullptr;
    std::set<std::string> kinds;
  };

  HostOps(std::initializer_list<Row> rows) {
    for (const Row& row : rows) Add(row);
  }
  // The rows of a class that the host is derived from, and these.
  template <typename Base>
  HostOps(const HostOps<Base>& base, std::initializer_list<Row> rows) : HostOps(rows) {
    for (const auto& row : base.rows()) {
      Row copy(row.op);
      copy.arm = row.arm;
      copy.act = row.act;
      copy.act_inside = row.act_inside;
      copy.kinds = row.kinds;
      Add(copy);
    }
  }

  // Carries out a step. REQUIRES: it is in the table, and not the interpreter's.
  void Do(Host& host, const Step& step, const TaskPtr& around) const {
    const Row& row = Find(step.op);
    if (row.act != nullptr) return (host.*row.act)(step);
    if (row.act_inside != nullptr) return (host.*row.act_inside)(step, around);
    const auto task = std::make_shared<Task>();
    task->step = &step;
    Rearm(host, task);
  }

  // Schedules a run of the callback. REQUIRES: the op has one.
  void Rearm(Host& host, const TaskPtr& task) const {
    const Row& row = Find(task->step->op);
    CONFORM_CHECK(row.arm != nullptr);
    (host.*row.arm)(task);
  }

  const std::vector<Row>& rows() const { return rows_; }

 private:
  void Add(const Row& row) {
    if (ops_.size() <= Index(row.op)) {
      ops_.resize(Index(row.op) + 1);
      places_.resize(ops_.size());
    }
    CONFORM_CHECK(!ops_[Index(row.op)].is_there);
    ops_[Index(row.op)] = {true, row.kinds};
    places_[Index(row.op)] = rows_.size();
    rows_.push_back(row);
  }
  // NotModelled refuses before what is not here.
  const Row& Find(Op op) const {
    CONFORM_CHECK(Index(op) < ops_.size() && ops_[Index(op)].is_there);
    return rows_[places_[Index(op)]];
  }

  std::vector<Row> rows_;
  std::vector<size_t> places_;  // by op
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_HOST_OPS_H_
