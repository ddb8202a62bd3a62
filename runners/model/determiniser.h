// The subset construction, on the fly: a deterministic view of an automaton, one state at a time.
#ifndef CONFORM_RUNNERS_MODEL_DETERMINISER_H_
#define CONFORM_RUNNERS_MODEL_DETERMINISER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "runners/model/automaton.h"
#include "runners/model/path_weights.h"

namespace conform {

// The labels that a comparison speaks of, in alphabetical order. Every label outside it behaves alike, so that one more
// symbol, `fresh`, stands for all of them; it prints as `_`.
class Alphabet {
 public:
  explicit Alphabet(std::vector<std::string> labels);
  int fresh() const { return static_cast<int>(labels_.size()); }
  int Find(const std::string& label) const;  // fresh() when it is not in the alphabet
  const std::string& Name(int symbol) const;

 private:
  std::vector<std::string> labels_;
};

// A state is a set of states of the automaton, named by a number. States from which nothing is accepted are left out,
// so that from every state but kDead some order is accepted.
class Determiniser {
 public:
  static constexpr int kDead = -1;

  // Where each symbol leads: `by_label` (sorted by symbol) for those with their own way, `otherwise` for the rest.
  struct Moves {
    std::vector<std::pair<int, int>> by_label;
    int otherwise = kDead;
    int To(int symbol) const;
  };

  // `max_members`: the sizes of all sets together. Beyond it exhausted() turns true, and moves lead to kDead.
  // REQUIRES: both arguments outlive this.
  Determiniser(const Automaton& automaton, const Alphabet& alphabet, size_t max_members);

  int start() const { return start_; }
  bool exhausted() const { return exhausted_; }
  const Moves& MovesOf(int state);
  // REQUIRES for all below: state is not kDead.
  bool Accepting(int state) const { return states_[state].accepting; }
  // The states of the automaton that this one stands for.
  const std::vector<int>& Members(int state) const { return *states_[state].members; }
  // Whether everything is accepted from here.
  bool Universal(int state);
  // The length of a shortest and of a longest accepted order; kEndless where there is no longest.
  int64_t Shortest(int state) const { return states_[state].shortest; }
  int64_t Longest(int state) const { return states_[state].longest; }

 private:
  using Set = std::vector<int>;
  struct SetHash {
    size_t operator()(const Set& set) const;
  };
  struct State {
    const Set* members;  // owned by ids_, whose keys do not move
    bool accepting = false;
    int64_t shortest = 0;
    int64_t longest = 0;
    std::unique_ptr<Moves> moves;  // null until requested
  };

  int Closed(Set seeds);
  int Named(Set set);

  const Automaton& automaton_;
  const size_t max_members_;
  std::vector<int> symbol_of_label_;  // of the automaton's label indices
  std::vector<int64_t> shortest_;     // of the automaton's states; -1 where nothing is accepted
  std::vector<int64_t> longest_;
  std::vector<uint32_t> mark_;  // the round in which a state entered the set under construction
  uint32_t round_ = 0;
  size_t members_ = 0;
  bool exhausted_ = false;
  std::unordered_map<Set, int, SetHash> ids_;
  std::vector<State> states_;
  int start_ = kDead;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_DETERMINISER_H_
