#pragma once

#include <map>
#include <string>
#include <system_error>

namespace sluice::consumer {

/// A failure of one of our own statements that may be this event's alone: no lost lock, nothing that the
/// server, its network or a missing table or right is to blame for.
[[nodiscard]] bool may_be_the_events(std::error_code error) noexcept;

/// Counts failures of our own statements, by what they were about. Two may pass by themselves; after three of
/// the same kind in a row something in the event, or in the rows that are there already, is what MySQL
/// refuses, and waiting for it to pass would last for ever. Pure; one thread's.
class OwnFailures {
public:
    /// Whether this is the third with the same code. Counting starts again then, and with another code.
    [[nodiscard]] bool is_third(const std::string& what, std::error_code error);

private:
    struct Seen {
        std::error_code error;
        int times = 0;
    };
    std::map<std::string, Seen, std::less<>> seen_;
};

}  // namespace sluice::consumer
