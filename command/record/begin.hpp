#pragma once

#include "command/record/call_record.hpp"

namespace sluice::command {

/// What a request may do once its key's record was looked at.
struct Begun {
    enum class As : std::uint8_t {
        call,    ///< send it: the record says that it is in progress, by `claim`
        settle,  ///< find out what became of an earlier one's call, by `claim`; never send
        told     ///< `answer`
    };
    As as = As::told;
    Claim claim{};
    Answer answer{};
};

/// Makes the record the request's own where that may be. A change that nobody confirmed is found again by its
/// owner. An error: it is not known, and nothing was sent.
[[nodiscard]] CallRecord::Recorded<Begun> begin(CallRecord& record, const NewCall& call);

}  // namespace sluice::command
