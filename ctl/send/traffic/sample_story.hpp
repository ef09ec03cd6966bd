#pragma once

#include <string>
#include <vector>

#include "ctl/send/traffic/dice.hpp"
#include "ctl/send/traffic/sample_event.hpp"

namespace sluice::ctl {

/// What any provider may tell: events of the given types in turn, about objects that come back, so that order
/// matters. Stripe's own story (stripe_story.hpp) knows what payments and refunds do to each other.
class SampleStory {
public:
    struct Settings {
        std::vector<std::string> types;  ///< not empty
        std::size_t customers = 20;      ///< at least 1
        std::uint64_t seed = 1;
        std::int64_t created = 0;  ///< unix seconds of every event
    };

    explicit SampleStory(Settings settings);
    [[nodiscard]] SampleEvent next();

private:
    struct Object {
        std::string id;
        std::string customer;
        std::int64_t amount = 0;
        std::int64_t step = 0;
    };

    [[nodiscard]] Object& any_object();

    Settings settings_;
    Dice dice_;
    std::vector<Object> objects_;
};

}  // namespace sluice::ctl
