#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/crypto/digest.hpp"
#include "consumer/store/driver/connection.hpp"

/// The rows of `command_key` of one command's calls that a person or a process has yet to look at. No locks.
/// An index has rows by their state: none of these walks past what has ended, however much of it was not
/// swept yet. It does walk past open calls of other commands.
namespace sluice::store {

/// In progress, and its lease is over.
struct DueCall {
    crypto::Digest key{};
    std::string owner;
    std::int64_t fence = 0;
};

/// At most `most`, the oldest first.
[[nodiscard]] Result<std::vector<DueCall>> due_calls(Connection& connection, std::string_view command,
                                                     std::int64_t most);
/// How long ago the oldest was begun that is in progress, of the `most` whose lease ends first; zero: none
/// is.
[[nodiscard]] Result<std::chrono::microseconds> age_of_oldest_call(Connection& connection,
                                                                   std::string_view command,
                                                                   std::int64_t most);
/// How many were given up and wait for a person, at most `most`.
[[nodiscard]] Result<std::int64_t> count_given_up_calls(Connection& connection, std::string_view command,
                                                        std::int64_t most);

}  // namespace sluice::store
