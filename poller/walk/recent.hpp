#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sluice::poller {

/// Ids that Kafka has and that the checkpoint has not passed: each round reads them again, and they are not
/// published again. Beyond `most` the oldest are forgotten; those are published once more, and the claim or
/// the inbox drops them. One thread's.
class Recent {
public:
    static constexpr std::size_t most_by_default = 200'000;  // about 20 MB

    explicit Recent(std::size_t most = most_by_default) : most_{most} {}

    void keep(std::string_view id);
    /// The checkpoint has passed it.
    void forget(std::string_view id);
    [[nodiscard]] bool knows(std::string_view id) const { return found_.contains(id); }
    [[nodiscard]] std::size_t size() const { return ids_.size(); }

private:
    std::size_t most_;
    std::list<std::string> ids_;  // oldest first
    std::unordered_map<std::string_view, std::list<std::string>::iterator> found_;
};

}  // namespace sluice::poller
