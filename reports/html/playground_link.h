// From a case to the playground.
#ifndef CONFORM_REPORTS_HTML_PLAYGROUND_LINK_H_
#define CONFORM_REPORTS_HTML_PLAYGROUND_LINK_H_

#include <string>
#include <string_view>
#include <vector>

#include "runners/model/case.h"

namespace conform::reports {

// The family on whose newest release the playground shows the case; "" where it cannot show it: the program is a native
// file, has a model in its place, is not a script, needs a pool of a certain size, or is of a loop that is not among
// `families`, those that the playground has. The first of them is meant where the case names none.
std::string PlaygroundFamily(const Case& c, const std::vector<std::string>& families);

// A value of a query, as URLSearchParams writes it.
std::string QueryText(std::string_view text);

// What follows the # of the address, as URLSearchParams writes it: `steps=timeout+A+0&on=node`. "" where the program is
// longer than the playground reads.
std::string PlaygroundFragment(const Case& c, std::string_view on);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_HTML_PLAYGROUND_LINK_H_
