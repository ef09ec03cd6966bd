#include "consumer/relay_role/url_sender.hpp"

#include <optional>
#include <set>
#include <stdexcept>

#include "common/crypto/encoding.hpp"
#include "consumer/destination/webhook_signature.hpp"
#include "consumer/relay_role/circuit.hpp"
#include "consumer/relay_role/post.hpp"
#include "consumer/store/outbox/body_form.hpp"

namespace sluice::consumer {
namespace {

constexpr int longest_poll_ms = 500;
// MySQL's session waits meanwhile, with the slot's lock: what is slow gives fewer messages to a call.
constexpr std::chrono::seconds longest_beginning{1};
constexpr std::chrono::seconds longest_farewell{4};

struct ReleaseMulti {
    void operator()(CURLM* handle) const noexcept { curl_multi_cleanup(handle); }
};

std::vector<std::string> headers_of(const store::OutboxMessage& message, std::span<const Secret> keys,
                                    WallTime now) {
    const auto id = crypto::to_hex(message.idempotency_key);
    const auto seconds = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
    const auto timestamp = std::to_string(seconds);
    // Protobuf where the destination was a topic when the message was written.
    std::vector<std::string> lines{"Content-Type: " + std::string{store::content_type_of(message.body)},
                                   "Expect:",  // curl waits a second for "100 Continue" before a larger body
                                   "idempotency-key: " + id,
                                   "webhook-id: " + id,
                                   "webhook-timestamp: " + timestamp,
                                   "sluice-source: " + message.source,
                                   "sluice-effect: " + message.effect};
    if (!message.traceparent.empty()) lines.push_back("traceparent: " + message.traceparent);
    if (!keys.empty())
        lines.push_back("webhook-signature: " + webhook_signature(keys, id, timestamp, message.body));
    return lines;
}

/// What one call of `send` knows.
struct Call {
    std::span<const store::OutboxMessage* const> messages;
    std::vector<Sent> answers;
    std::set<Post*> idle;
    std::size_t next = 0;
    int late_in_row = 0;
    SteadyTime began;
    std::optional<SteadyTime> stopped{};
};

class UrlSender final : public Sender {
public:
    UrlSender(const destination::Url& to, const Clock& clock, std::vector<Secret> keys)
        : to_{to}, clock_{clock}, keys_{std::move(keys)}, multi_{curl_multi_init()} {
        if (!multi_) throw std::runtime_error{"libcurl cannot be initialized"};
        // By itself libcurl keeps as many as have something to do, and closes the others at the end of a
        // call.
        curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, static_cast<long>(to_.concurrency));
        for (int i = 0; i < to_.concurrency; ++i) posts_.push_back(std::make_unique<Post>(to_));
    }

    std::vector<Sent> send(std::span<const store::OutboxMessage* const> messages,
                           const std::stop_token& stop) override {
        Call call{.messages = messages,
                  .answers = std::vector<Sent>(messages.size(), Sent{.how = Sent::How::untried}),
                  .idle = {},
                  .began = clock_.steady()};
        for (const auto& post : posts_) call.idle.insert(post.get());
        for (;;) {
            if (stop.stop_requested() && !call.stopped) call.stopped = clock_.steady();
            while (may_begin(call)) begin(call);
            take_ends(call);
            if (is_over(call)) return abandon(call), std::move(call.answers);
            if (may_begin(call)) continue;  // who has answered gets the next one while others take their time
            if (call.idle.size() == posts_.size()) return std::move(call.answers);
            curl_multi_poll(multi_.get(), nullptr, 0, longest_poll_ms, nullptr);
        }
    }

    Milliseconds longest_call() const override { return longest_beginning + to_.timeout; }

private:
    bool may_begin(const Call& call) const {
        return call.next < call.messages.size() && !call.idle.empty() && !call.stopped &&
               call.late_in_row < Circuit::most_late && clock_.steady() - call.began < longest_beginning;
    }

    bool is_over(const Call& call) const {
        return call.stopped && clock_.steady() - *call.stopped > longest_farewell;
    }

    void begin(Call& call) {
        const auto number = call.next++;
        const auto& message = *call.messages[number];
        Post& post = **call.idle.begin();
        post.prepare(number, headers_of(message, keys_, clock_.wall()), message.body);
        if (curl_multi_add_handle(multi_.get(), post.handle()) == CURLM_OK)
            call.idle.erase(&post);
        else
            call.answers[number] = {Sent::How::failed, "libcurl takes no further request"};
    }

    void take_ends(Call& call) {
        int left = 0;
        curl_multi_perform(multi_.get(), &left);
        while (const CURLMsg* end = curl_multi_info_read(multi_.get(), &left)) {
            if (end->msg != CURLMSG_DONE) continue;
            const CURLcode code = end->data.result;
            Post* post = nullptr;
            curl_easy_getinfo(end->easy_handle, CURLINFO_PRIVATE, &post);
            curl_multi_remove_handle(multi_.get(), post->handle());
            const auto& answer = call.answers[post->number()] = post->outcome(code);
            call.late_in_row = answer.is_settled() ? 0 : call.late_in_row + 1;
            call.idle.insert(post);
        }
    }

    /// What is on its way is sent again by the next relay.
    void abandon(const Call& call) {
        for (const auto& post : posts_) {
            if (!call.idle.contains(post.get())) curl_multi_remove_handle(multi_.get(), post->handle());
        }
    }

    const destination::Url& to_;
    const Clock& clock_;
    std::vector<Secret> keys_;
    std::vector<std::unique_ptr<Post>> posts_;
    std::unique_ptr<CURLM, ReleaseMulti> multi_;  // its connections go before their handles
};

}  // namespace

std::unique_ptr<Sender> url_sender(const destination::Url& to, const Clock& clock, std::vector<Secret> keys) {
    return std::make_unique<UrlSender>(to, clock, std::move(keys));
}

}  // namespace sluice::consumer
