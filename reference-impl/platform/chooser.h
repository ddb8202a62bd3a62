// Where more than one thing may happen, a chooser says which.
#ifndef CONFORM_REFERENCE_IMPL_PLATFORM_CHOOSER_H_
#define CONFORM_REFERENCE_IMPL_PLATFORM_CHOOSER_H_

#include <functional>
#include <string>

namespace conform::reference {

class Chooser {
 public:
  virtual ~Chooser() = default;

  // One of 0..count-1. `what` and `taken(i)` describe the choice for display, and are called only when someone asks.
  // REQUIRES: count >= 2.
  virtual int Choose(int count, const std::function<std::string()>& what,
                     const std::function<std::string(int)>& taken) = 0;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_PLATFORM_CHOOSER_H_
