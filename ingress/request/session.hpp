#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "common/record/event_record.hpp"
#include "common/trace/context.hpp"
#include "common/webhook/extract/arrival.hpp"
#include "common/webhook/extract/items.hpp"
#include "ingress/connection/conversation.hpp"
#include "ingress/request/request_spans.hpp"
#include "ingress/request/shard.hpp"

namespace sluice::ingress {

/// One client's connection: its requests one after the other, each answered before the next is read.
/// Lives in the coroutine `serve`, on its shard's thread.
class Session final : public connection::Conversation {
public:
    Session(Shard& shard, Socket socket, connection::Limits::Slot slot);

    [[nodiscard]] Task<void> run();

private:
    template <class T>
    using Gated = std::expected<T, Stop>;

    /// What is written back and what comes after it. No bytes: nothing is written.
    struct Ending {
        std::string_view bytes;
        After after = After::close;
    };

    /// What is known of the request in progress.
    struct Progress {
        std::shared_ptr<const Routes> routes;  // keeps the route and its source
        const Route* route = nullptr;
        Place place;                  // among the route's requests
        StageTimes* times = nullptr;  // of the route's provider
        std::size_t head_size = 0;
        bool head_is_read = false;
        std::size_t body_in_buffer = 0;
        bool leaves_body = false;  // unread: nothing can follow it
        std::string_view body;
        std::string_view key_id;
        WallTime received_at{};
        SteadyTime began{};
        SteadyTime answer_by{};
        SteadyTime stage_began{};
        Passage claimed{};
        Passage published{};
        std::size_t items = 0;
        const trace::Context* trace = nullptr;      // trace_, once the request is authentic
        const webhook::Extracted* event = nullptr;  // event_, once it is read
        std::string_view reason;
        std::string unread;  // webhook::Unread::why
        std::string_view claim;
        std::string_view unwritten;  // of the answer
    };

    // The life of a webhook, in order.
    [[nodiscard]] Task<Ending> take_request();
    [[nodiscard]] bool has_head();  // as a rule: then no coroutine has to wait for it
    [[nodiscard]] Gated<void> pass_gate();
    [[nodiscard]] bool is_over_its_share();
    [[nodiscard]] Outcome outcome_over_share() const;
    [[nodiscard]] bool is_over_a_limit();
    void note_check(bool is_authentic);
    [[nodiscard]] bool has_body();
    [[nodiscard]] Task<Gated<void>> read_body();
    [[nodiscard]] std::expected<void, webhook::Refusal> verify_signature();
    [[nodiscard]] webhook::Readable<void> extract_event();
    void note(dedup::Claim claimed);
    void note(publish::Published published);
    void note(const dedup::Counting& counting);
    [[nodiscard]] Task<publish::Published> publish_event(const dedup::Marker& marker);
    [[nodiscard]] Task<publish::Published> quarantine(webhook::Unread why);
    void note(const webhook::Unread& why);
    [[nodiscard]] Ending decide(Outcome outcome);
    [[nodiscard]] Ending decide(Outcome outcome, SteadyTime end);  ///< where a stage has just ended
    void record_callback(Outcome outcome, SteadyTime end);
    [[nodiscard]] bool keeps_request(callbacks::Cause cause, std::span<const webhook::HeaderField> headers);
    void record_refusal(gate::Refusal refusal);
    void tell_spans(Outcome outcome, const Ending& ending, SteadyTime end) const;
    void complete(record::EventHeaders& headers);
    void note_delivery();
    [[nodiscard]] webhook::Arrival arrival() const;

    // Failpoints between the steps of both lives.
    [[nodiscard]] static bool breaks_after_claim();
    [[nodiscard]] static bool breaks_before_confirm();
    [[nodiscard]] static bool breaks_before_answer();
    [[nodiscard]] static bool breaks_after_answer();

    // The same for a delivery that carries several events (session_items.cpp).
    struct Part;
    [[nodiscard]] Task<Ending> take_items();
    [[nodiscard]] std::vector<Part> parts_of(std::vector<webhook::Item> items);
    [[nodiscard]] Task<void> claim_all(std::vector<Part>& parts, dedup::Counting* counting);
    [[nodiscard]] Task<void> claim_part(Part& part, dedup::Counting* counting);
    void release_all(const std::vector<Part>& parts);
    [[nodiscard]] Task<publish::Published> publish_original();
    [[nodiscard]] Task<publish::Published> publish_all(std::vector<Part>& parts);
    [[nodiscard]] Task<void> publish_part(Part& part);
    [[nodiscard]] Ending refuse(const Stop& stop);
    [[nodiscard]] bool answers_challenge();
    [[nodiscard]] bool writes_at_once(const Ending& ending);
    [[nodiscard]] Task<bool> write_rest();

    // The connection around it (session_connection.cpp).
    [[nodiscard]] Task<bool> greet();
    [[nodiscard]] Task<bool> read_proxy_header();
    [[nodiscard]] Task<bool> wait_for_request();
    [[nodiscard]] Task<bool> wait_quietly();
    [[nodiscard]] Task<void> rest();
    [[nodiscard]] Task<Gated<void>> read_in_place(std::size_t length);
    void take_body_in_place(std::size_t length);
    [[nodiscard]] Task<Gated<void>> read_apart(std::size_t length);
    [[nodiscard]] Task<Gated<void>> read_chunked();

    [[nodiscard]] webhook::Request request() const;
    [[nodiscard]] network::Address client() const;
    void end_stage(Stage stage);
    void forget_request();

    Shard& shard_;
    network::Address peer_;
    MeteredClient metered_;
    SteadyTime::duration rest_{};  // before the next request is read
    Progress now_;
    // Their memory is used again from request to request.
    trace::Context trace_;
    webhook::Extracted event_;
    std::string challenge_answer_;
    int requests_ = 0;
};

/// Serves one connection to its end. Owns it.
[[nodiscard]] Task<void> serve(std::unique_ptr<Session> session);

}  // namespace sluice::ingress
