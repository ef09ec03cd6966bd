#include "ingress/dedup/redis_reply.hpp"

#include <algorithm>

namespace sluice::dedup {

Reply reply_from(const redisReply* reply) {
    if (reply == nullptr) return {};
    switch (reply->type) {
        case REDIS_REPLY_NIL:
            return {.kind = Reply::Kind::nil, .text = {}};
        case REDIS_REPLY_STRING:
            return {.kind = Reply::Kind::text, .text = {reply->str, std::min(reply->len, longest_text)}};
        case REDIS_REPLY_ERROR:
            return {.kind = Reply::Kind::error, .text = {reply->str, std::min(reply->len, longest_text)}};
        default:
            return {.kind = Reply::Kind::odd, .text = {}};
    }
}

}  // namespace sluice::dedup
