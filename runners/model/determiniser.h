// The subset construction, on the fly: a deterministic view of an automaton, one state at a time.
#ifndef CONFORM_RUNNERS_MODEL_DETERMINISER_H_
#define CONFORM_RUNNERS_MODEL_DETERMINISER_H_

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <utility>
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
  std::span<const int> Members(int state) const { return MembersOf(states_[state]); }
  // Whether everything is accepted from here.
  bool Universal(int state);
  // The length of a shortest and of a longest accepted order; kEndless where there is no longest.
  int64_t Shortest(int state) const { return states_[state].shortest; }
  int64_t Longest(int state) const { return states_[state].longest; }

 private:
  struct State {
    size_t first_member;  // in members_
    size_t member_count;
    uint64_t hash;  // of them
    bool accepting = false;
    bool has_moves = false;
    int64_t shortest = kEndless;
    int64_t longest = 0;
    Moves moves = {};
  };

  std::span<const int> MembersOf(const State& state) const {
    return {members_.data() + state.first_member, state.member_count};
  }
  int Closed(std::span<const int> seeds);
  int Named(std::span<const int> set);
  // Where the set is in table_, or would be.
  size_t PlaceOf(std::span<const int> set, uint64_t hash) const;
  void GrowTable();

  const Automaton& automaton_;
  const size_t max_members_;
  std::vector<int> symbol_of_label_;  // of the automaton's label indices
  std::vector<int64_t> shortest_;     // of the automaton's states; -1 where nothing is accepted
  std::vector<int64_t> longest_;
  std::vector<uint32_t> mark_;  // the round in which a state entered the set under construction
  uint32_t round_ = 0;
  bool exhausted_ = false;
  std::vector<int> members_;                // of all sets, one after the other, each in ascending order
  std::vector<int> table_;                  // by hash of the set, an open table, at most half full: the state, or kDead
  std::deque<State> states_;                // do not move
  std::vector<int> seeds_;                  // of Closed, which is called too often to make a new one
  std::vector<int> set_;                    // likewise
  std::vector<std::pair<int, int>> steps_;  // likewise of MovesOf
  int start_ = kDead;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_DETERMINISER_H_
