#pragma once

#include <memory>

#include <hiredis/hiredis.h>
#include <hiredis/hiredis_ssl.h>

/// One owner per type of hiredis' blocking interface; the freeing calls appear nowhere else.
namespace sluice::ctl {

struct FreeRedis {
    void operator()(redisContext* context) const noexcept { redisFree(context); }
    void operator()(redisReply* reply) const noexcept { freeReplyObject(reply); }
    void operator()(redisSSLContext* context) const noexcept { redisFreeSSLContext(context); }
};

using RedisContext = std::unique_ptr<redisContext, FreeRedis>;
using RedisReply = std::unique_ptr<redisReply, FreeRedis>;
using RedisSslContext = std::unique_ptr<redisSSLContext, FreeRedis>;

}  // namespace sluice::ctl
