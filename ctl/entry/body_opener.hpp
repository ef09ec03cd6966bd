#pragma once

#include <string>

#include "common/config/section.hpp"
#include "common/webhook/recipe/source.hpp"
#include "ctl/entry/details.hpp"

namespace sluice::ctl {

/// Opens what providers encrypt in bodies, with the keys that this configuration has (WeChat Pay's
/// api_v3_key).
class BodyOpener {
public:
    /// A source that cannot be used refuses nothing here: its bodies stay sealed, and are said to be.
    explicit BodyOpener(const config::Document& document);

    struct Opened {
        std::optional<std::string> body{};  ///< with its encrypted part opened
        std::string sealed_because{};       ///< why it is not; empty: it is, or nothing is encrypted
    };
    /// Of an event of this source and object.
    [[nodiscard]] Opened open(const std::string& body, const std::string& source,
                              const std::string& object_key) const;
    /// Fills `opened` and `sealed_because`. Requests that could not be read stay as they came.
    void open(DeadLetterDetails& details) const;

private:
    [[nodiscard]] const webhook::Source* source_of(const std::string& name,
                                                   const std::string& object_key) const;
    [[nodiscard]] std::string why_without(const std::string& source) const;

    config::Problems problems_;
    webhook::SourceSet sources_;
};

}  // namespace sluice::ctl
