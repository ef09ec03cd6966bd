#pragma once

#include <map>
#include <memory>

#include "common/clock.hpp"
#include "ingress/asio/asio.hpp"
#include "ingress/asio/waiter.hpp"
#include "ingress/connection/deadlines.hpp"

namespace sluice::spill {

using KeyHash = std::size_t;

/// Records of a key come into the journal in the order in which they were taken, whatever Kafka says of which
/// first. One io_context's.
class Turns {
    struct State {
        bool has_ended = false;
        ingress::Waiter next;  ///< the record of its key that came after it
    };
    using Newest = std::map<KeyHash, std::shared_ptr<State>>;  // of each key

public:
    /// A record's, until it is in Kafka or on its way into the journal. It may outlive the Turns.
    class Turn {
    public:
        Turn(std::shared_ptr<Newest> newest, KeyHash key);
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;
        ~Turn();

        /// Waits until the one before has ended; false: not by then.
        [[nodiscard]] ingress::Task<bool> comes(connection::Deadlines& deadlines, SteadyTime by);
        void end();

    private:
        std::shared_ptr<Newest> newest_;
        KeyHash key_;
        std::shared_ptr<State> before_;
        std::shared_ptr<State> mine_;
    };

    [[nodiscard]] Turn take(KeyHash key) { return Turn{newest_, key}; }

private:
    std::shared_ptr<Newest> newest_ = std::make_shared<Newest>();
};

}  // namespace sluice::spill
