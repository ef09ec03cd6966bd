#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "command/http/server.hpp"
#include "tests/unit/ingress/support/client.hpp"

namespace sluice::command {

/// Time that a test moves. Thread-safe.
class HandMovedClock final : public Clock {
public:
    [[nodiscard]] WallTime wall() const override;
    [[nodiscard]] SteadyTime steady() const override;
    void advance(Milliseconds by);

private:
    mutable std::mutex mutex_;
    std::chrono::microseconds since_start_{0};
};

/// `charge` takes its key from the header and `click` makes it of its whole body, unless that is empty.
/// `rare` is as `charge`, but is taken once an hour of each body.
class TwoCommands final : public Commands {
public:
    [[nodiscard]] bool exists(std::string_view name) const override;
    [[nodiscard]] bool takes_key_from_body(std::string_view name) const override;
    [[nodiscard]] std::expected<std::string, std::string> key_of(std::string_view name,
                                                                 std::string_view body) const override;
    [[nodiscard]] std::expected<std::optional<metering::Metered>, std::string> account(
        std::string_view name, std::string_view caller, std::string_view body) const override;
    [[nodiscard]] Milliseconds wait(std::string_view) const override { return Milliseconds{200}; }
    [[nodiscard]] std::expected<crypto::Digest, std::string> fingerprint(
        std::string_view, std::string_view body) const override;
};

/// Tells what a test says, at once or when the test lets it. Thread-safe.
class ScriptedExecutor : public Executor {
public:
    void execute(Request request, Done done) override;
    void look_up(Key key, SteadyTime answer_by, Found found) override;

    void answer_with(Answer answer);
    void find(std::expected<Standing, std::string> standing);
    void hold();  ///< requests from now on wait for `let_go`
    /// Until that many requests were taken.
    void wait_for(std::size_t requests);
    void let_go(const Answer& answer);  ///< all that wait
    [[nodiscard]] std::vector<Request> requests() const;
    [[nodiscard]] std::vector<Key> looked_up() const;

private:
    mutable std::mutex mutex_;
    std::condition_variable taken_;
    Answer answer_{.kind = Answer::Kind::executed, .response = {.body = R"({"ok":true})"}};
    std::expected<Standing, std::string> standing_{Standing{}};
    bool holds_ = false;
    std::vector<Request> requests_;
    std::vector<Key> looked_up_;
    std::vector<Done> waiting_;
};

inline const std::string one_caller =
    "  - {name: ads, principal: ads-team, recipe: standard-webhooks, "
    "keys: [{id: k1, value: {env: SLUICE_UNIT_CALLER_KEY}}]}\n";

/// The real server on a loopback port, with one thread; the caller `ads` may send commands.
class RunningCommands {
public:
    explicit RunningCommands(const config::ListenSettings& listen = {}, RequestBounds bounds = {},
                             const std::string& callers = one_caller);
    ~RunningCommands();

    [[nodiscard]] ingress::Client connect() const { return ingress::Client{server->port()}; }
    /// The fields that sign this request, and nothing else.
    [[nodiscard]] std::string signature(std::string_view method, std::string_view target,
                                        std::string_view key_field, std::string_view body) const;
    /// Whole and signed. `key_field` is the header's value; empty: without it.
    [[nodiscard]] std::string post(std::string_view target, std::string_view key_field, std::string_view body,
                                   const std::string& more_fields = "") const;
    [[nodiscard]] std::string get(std::string_view target) const;
    /// Until the server has done all that the bytes sent so far let it do.
    void settle() const;
    /// Moves the time, and the server notices.
    void pass(Milliseconds time);

    config::ListenSettings listen;
    HandMovedClock clock;
    Log log;
    Metrics metrics;
    trace::Tracer tracer;
    RequestLog requests;
    connection::Limits limits;
    TwoCommands commands;
    CallerSet sources;
    metering::Meters meters;
    std::unique_ptr<ScriptedExecutor> executor;
    Common common;
    std::unique_ptr<Server> server;
};

/// Callers as a file gives them: `text` is the list. Throws what is wrong with them.
[[nodiscard]] CallerSet callers_of(const std::string& text);

}  // namespace sluice::command
