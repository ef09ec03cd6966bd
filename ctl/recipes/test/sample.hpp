#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/clock.hpp"
#include "common/config/problems.hpp"

namespace sluice::ctl {

/// What people say that one event is; what they leave out may be anything.
struct ExpectedEvent {
    std::optional<std::string> id;
    std::optional<std::string> type;
    std::optional<std::string> object;  ///< "": none
    std::optional<std::string> time;    ///< RFC 3339; "": none
};

struct Expectation {
    bool accepted = false;
    std::string check;  ///< of a refused one; empty: any
    std::optional<std::string> key;
    std::optional<std::vector<ExpectedEvent>> events;
};

/// A request, either in parts or as a file held it.
struct SampleRequest {
    WallTime now;
    std::string method = "POST";
    std::string target;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
    std::string raw;  ///< when not empty, used instead of the parts; the gate checks it too
};

/// One request and what must be said of it.
struct Sample {
    std::string name;
    config::Place place;
    SampleRequest request;
    Expectation expected;
};

}  // namespace sluice::ctl
