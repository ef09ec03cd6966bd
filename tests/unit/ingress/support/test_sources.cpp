#include "tests/unit/ingress/support/test_sources.hpp"

#include <cstdlib>
#include <format>
#include <stdexcept>

#include "common/config/section.hpp"

namespace sluice::ingress {

webhook::SourceSet test_sources(const std::string& settings) {
    ::setenv("SLUICE_UNIT_TEST_SECRET", test_secret.c_str(), 1);
    const std::string more = settings.empty() ? "" : ", " + settings;
    const std::string text = std::format(
        "sources:\n  - {{name: stripe-eu, recipe: stripe, principal: acct_main, "
        "keys: [{{id: k1, value: {{env: SLUICE_UNIT_TEST_SECRET}}}}]{}}}\n",
        more);
    config::Problems problems;
    const auto document = config::Document::from_text(text, "test.yaml", problems);
    webhook::SourceSet sources = webhook::read_sources(document, problems);
    if (problems.any()) throw std::runtime_error{problems.report()};
    return sources;
}

}  // namespace sluice::ingress
