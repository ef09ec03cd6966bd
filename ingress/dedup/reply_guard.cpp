#include "ingress/dedup/reply_guard.hpp"

namespace sluice::dedup {

/// Replace hiredis' own: each builds one element of a reply. Called by its reader, inside
/// redisAsyncHandleRead.
struct ReplyGuard::Functions {
    /// hiredis' functions when this element belongs to an expected reply, else null.
    static const redisReplyObjectFunctions* builder(const redisReadTask* task) noexcept {
        ReplyGuard& guard = *static_cast<ReplyGuard*>(task->privdata);
        if (task->parent != nullptr) return guard.build_;
        guard.tripped_ = guard.expected_ == 0;
        if (guard.tripped_) return nullptr;
        --guard.expected_;
        return guard.build_;
    }

    static void* string(const redisReadTask* task, char* text, std::size_t length) {
        const auto* build = builder(task);
        return build != nullptr ? build->createString(task, text, length) : nullptr;
    }
    static void* array(const redisReadTask* task, std::size_t elements) {
        const auto* build = builder(task);
        return build != nullptr ? build->createArray(task, elements) : nullptr;
    }
    static void* integer(const redisReadTask* task, long long value) {
        const auto* build = builder(task);
        return build != nullptr ? build->createInteger(task, value) : nullptr;
    }
    static void* real(const redisReadTask* task, double value, char* text, std::size_t length) {
        const auto* build = builder(task);
        return build != nullptr ? build->createDouble(task, value, text, length) : nullptr;
    }
    static void* nil(const redisReadTask* task) {
        const auto* build = builder(task);
        return build != nullptr ? build->createNil(task) : nullptr;
    }
    static void* boolean(const redisReadTask* task, int value) {
        const auto* build = builder(task);
        return build != nullptr ? build->createBool(task, value) : nullptr;
    }
};

void ReplyGuard::watch(redisAsyncContext& context) noexcept {
    redisReader& reader = *context.c.reader;
    build_ = reader.fn;
    expected_ = 0;
    tripped_ = false;
    // One table for all guards: the element's task says which guard it is.
    static redisReplyObjectFunctions guarded{Functions::string,    Functions::array, Functions::integer,
                                             Functions::real,      Functions::nil,   Functions::boolean,
                                             reader.fn->freeObject};
    reader.fn = &guarded;
    reader.privdata = this;
    reader.maxelements = most_elements;
}

}  // namespace sluice::dedup
