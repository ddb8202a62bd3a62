// SHA-256, for the policy of a page that names its own script by its hash.
#ifndef CONFORM_REPORTS_HTML_SHA256_H_
#define CONFORM_REPORTS_HTML_SHA256_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace conform::reports {

std::array<uint8_t, 32> Sha256(std::string_view bytes);

// As a Content-Security-Policy writes it: `sha256-` and base64.
std::string PolicyHash(std::string_view bytes);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_HTML_SHA256_H_
