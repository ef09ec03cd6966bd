#pragma once

#include <string>
#include <vector>

#include "ctl/cli/json.hpp"
#include "ctl/recipes/test/judged_sample.hpp"
#include "ctl/recipes/test/sample_file.hpp"

namespace sluice::ctl {

/// What came out of a file of samples; never holds a secret, nor a signature that would have been right.
struct TrialReport {
    SampleFile file;
    std::vector<JudgedSample> judged;
    std::vector<std::string> untested;

    [[nodiscard]] std::size_t wrong() const;  ///< samples that were not judged as expected
};

[[nodiscard]] TrialReport try_samples(SampleFile file);
[[nodiscard]] Json to_json(const TrialReport& report);
[[nodiscard]] std::string to_people(const TrialReport& report);

}  // namespace sluice::ctl
