#include "ingress/dedup/reply_reader.hpp"

#include <new>

#include <hiredis/hiredis.h>

namespace sluice::dedup {
namespace {

constexpr std::size_t longest_frame = 64;  // of a reply: its type, its length, its line ends

Reply::Kind kind_of(int type) {
    switch (type) {
        case REDIS_REPLY_STRING:
            return Reply::Kind::text;
        case REDIS_REPLY_ERROR:
            return Reply::Kind::error;
        case REDIS_REPLY_STATUS:
            return Reply::Kind::status;
        default:
            return Reply::Kind::odd;
    }
}

}  // namespace

/// What hiredis' reader calls for each reply. Null ends the reading.
struct ReplyReader::Build {
    static void* reply(const redisReadTask* task, Reply::Kind kind, std::string_view text = {}) {
        ReplyReader& self = *static_cast<ReplyReader*>(task->privdata);
        self.reply_ = {.kind = kind, .text = text};
        return &self.reply_;
    }
    static void* string(const redisReadTask* task, char* text, std::size_t length) {
        return length > longest_reply ? nullptr : reply(task, kind_of(task->type), {text, length});
    }
    static void* array(const redisReadTask*, std::size_t) { return nullptr; }
    static void* integer(const redisReadTask* task, long long) { return reply(task, Reply::Kind::odd); }
    static void* real(const redisReadTask* task, double, char*, std::size_t) {
        return reply(task, Reply::Kind::odd);
    }
    static void* nil(const redisReadTask* task) { return reply(task, Reply::Kind::nil); }
    static void* boolean(const redisReadTask* task, int) { return reply(task, Reply::Kind::odd); }
    static void nothing(void*) {}
};

ReplyReader::ReplyReader() {
    static redisReplyObjectFunctions build{Build::string, Build::array,   Build::integer, Build::real,
                                           Build::nil,    Build::boolean, Build::nothing};
    reader_.reset(redisReaderCreateWithFunctions(&build));
    if (!reader_) throw std::bad_alloc{};
    reader_->privdata = this;
}

void ReplyReader::feed(std::string_view bytes) {
    if (bytes.empty() || !trouble_.empty()) return;
    if (expected_ == 0)
        trouble_ = "a reply without a command";
    else if (redisReaderFeed(reader_.get(), bytes.data(), bytes.size()) != REDIS_OK)
        trouble_ = "out of memory";
}

const Reply* ReplyReader::next() {
    if (!trouble_.empty()) return nullptr;
    void* found = nullptr;
    const bool is_good = redisReaderGetReply(reader_.get(), &found) == REDIS_OK;
    if (found != nullptr) --expected_;
    if (!is_good)
        trouble_ = "a reply that is not one of Redis to a command of ours";
    else if (expected_ == 0 && unread() > 0)
        trouble_ = "a reply without a command";
    else if (unread() > longest_reply + longest_frame && found == nullptr)
        trouble_ = "a reply that is too long";
    return found == nullptr ? nullptr : &reply_;
}

}  // namespace sluice::dedup
