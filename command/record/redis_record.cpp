#include "command/record/redis_record.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "command/record/redis_scripts.hpp"
#include "common/crypto/encoding.hpp"

namespace sluice::command {
namespace {

constexpr Milliseconds patience{2'000};
constexpr int connections_tried = 2;

std::string in_microseconds(Milliseconds time) {
    return std::to_string(std::chrono::microseconds{time}.count());
}

std::string text_in(const redisReply& array, std::size_t index) {
    const redisReply& field = *array.element[index];
    return field.str == nullptr ? std::string{} : std::string{field.str, field.len};
}

std::int64_t number_in(const redisReply& array, std::size_t index) {
    const std::string text = text_in(array, index);
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

crypto::Digest digest_in(const std::string& bytes) {
    crypto::Digest digest{};
    std::copy_n(bytes.begin(), std::min(bytes.size(), digest.size()), digest.begin());
    return digest;
}

// State `0` is in progress, as in MySQL.
std::optional<CallEnd> end_of(const redisReply& fields) {
    const auto state = number_in(fields, 0);
    if (state == 0) return std::nullopt;
    CallEnd end{.state = static_cast<CallEnd::State>(state - 1), .why = text_in(fields, 8)};
    if (end.state == CallEnd::State::done)
        end.response = {static_cast<int>(number_in(fields, 5)), text_in(fields, 6), text_in(fields, 7)};
    return end;
}

KnownCall known_of(const redisReply& fields, const crypto::Digest& key) {
    return {.claim = {.key = key, .owner = text_in(fields, 1), .fence = number_in(fields, 2)},
            .fingerprint = digest_in(text_in(fields, 3)),
            .end = end_of(fields),
            .begun_at = WallTime{std::chrono::microseconds{number_in(fields, 4)}},
            .is_due = number_in(fields, 9) != 0};
}

/// ARGV of finish and settle, behind the key: who made the change before, and what it comes to.
std::vector<std::string> words_of(const Claim& claim, const CallEnd& end, std::chrono::seconds keep) {
    return {claim.owner,
            std::to_string(claim.fence),
            std::to_string(std::to_underlying(end.state) + 1),
            std::to_string(end.response.status),
            end.response.content_type,
            end.response.body,
            end.why,
            std::to_string(Milliseconds{keep}.count())};
}

}  // namespace

RedisRecord::RedisRecord(const config::RedisSettings& settings, const std::string& command)
    : settings_{settings}, prefix_{"call:{" + command + "}:"} {}

CallRecord::Recorded<redis::Reply> RedisRecord::run(const char* script, const std::string& member,
                                                    Words arguments) {
    Words words{"EVAL", script, "3", prefix_ + member, prefix_ + "due", prefix_ + "given_up"};
    std::ranges::move(arguments, std::back_inserter(words));
    std::string why;
    for (int tries = 0; tries < connections_tried; ++tries) {
        if (!session_) {
            auto opened = redis::Session::open(settings_, settings_.servers.front(), patience);
            if (!opened) return std::unexpected{std::move(opened.error())};
            session_ = std::move(*opened);
        }
        auto reply = session_->ask(words);
        if (reply) return reply;
        why = std::move(reply.error());
        session_.reset();  // a reply that comes late is not the next one's
    }
    return std::unexpected{std::move(why)};
}

CallRecord::Recorded<bool> RedisRecord::change(const char* script, const crypto::Digest& key,
                                               Words arguments) {
    const std::string member = crypto::to_hex(key);
    arguments.insert(arguments.begin(), member);
    return run(script, member, std::move(arguments)).transform([](const redis::Reply& reply) {
        return reply->integer == 1;
    });
}

CallRecord::Recorded<bool> RedisRecord::insert(const NewCall& call) {
    return change(redis_scripts::insert, call.claim.key,
                  {std::string{crypto::as_text(call.request.fingerprint)}, call.claim.owner,
                   in_microseconds(call.lease)});
}

CallRecord::Recorded<bool> RedisRecord::restart(const KnownCall& seen, const NewCall& call) {
    return change(redis_scripts::restart, call.claim.key,
                  {seen.claim.owner, std::to_string(seen.claim.fence),
                   std::string{crypto::as_text(call.request.fingerprint)}, call.claim.owner,
                   in_microseconds(call.lease)});
}

CallRecord::Recorded<bool> RedisRecord::pass_on(const Claim& from, const std::string& owner,
                                                Milliseconds lease, bool only_if_due) {
    return change(
        redis_scripts::pass_on, from.key,
        {from.owner, std::to_string(from.fence), owner, in_microseconds(lease), only_if_due ? "1" : "0"});
}

CallRecord::Recorded<bool> RedisRecord::take_over(const Claim& from, const std::string& owner,
                                                  Milliseconds lease) {
    return pass_on(from, owner, lease, true);
}

CallRecord::Recorded<bool> RedisRecord::advance(const Claim& claim, Milliseconds lease) {
    return pass_on(claim, claim.owner, lease, false);
}

CallRecord::Recorded<bool> RedisRecord::finish(const Claim& claim, const CallEnd& end,
                                               std::chrono::seconds keep) {
    return change(redis_scripts::finish, claim.key, words_of(claim, end, keep));
}

CallRecord::Recorded<bool> RedisRecord::settle(const KnownCall& seen, const CallEnd& end,
                                               std::chrono::seconds keep) {
    return change(redis_scripts::settle, seen.claim.key, words_of(seen.claim, end, keep));
}

CallRecord::Recorded<std::optional<KnownCall>> RedisRecord::find(const crypto::Digest& key) {
    return run(redis_scripts::find, crypto::to_hex(key), {}).transform([&](const redis::Reply& reply) {
        return reply->elements == 0 ? std::nullopt : std::optional{known_of(*reply, key)};
    });
}

CallRecord::Recorded<std::vector<Claim>> RedisRecord::due(std::size_t most) {
    return run(redis_scripts::due, "", {prefix_, std::to_string(most)})
        .transform([](const redis::Reply& reply) {
            std::vector<Claim> claims;
            for (std::size_t i = 0; i + 2 < reply->elements; i += 3)
                if (const auto key = crypto::digest_from_hex(text_in(*reply, i)))
                    claims.push_back({*key, text_in(*reply, i + 1), number_in(*reply, i + 2)});
            return claims;
        });
}

CallRecord::Recorded<std::chrono::microseconds> RedisRecord::oldest_age(std::size_t most) {
    return run(redis_scripts::oldest_age, "", {prefix_, std::to_string(most)})
        .transform([](const redis::Reply& reply) { return std::chrono::microseconds{reply->integer}; });
}

CallRecord::Recorded<std::int64_t> RedisRecord::given_up(std::size_t most) {
    return run(redis_scripts::given_up, "", {prefix_, std::to_string(most)})
        .transform([](const redis::Reply& reply) { return std::int64_t{reply->integer}; });
}

}  // namespace sluice::command
