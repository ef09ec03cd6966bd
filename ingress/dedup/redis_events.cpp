#include "ingress/dedup/redis_events.hpp"

#include <memory>

#include <sys/socket.h>

#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <boost/asio/post.hpp>

namespace sluice::dedup {
namespace {

using ingress::Executor;
using ingress::asio::io_context;
using Descriptor = ingress::asio::posix::basic_stream_descriptor<Executor>;

/// Whether the server sends something while no command is outstanding: half a reply would be finished by the
/// reply to the next command. Under TLS the bytes may be the protocol's own; there ReplyGuard is left.
bool speaks_unasked(const redisAsyncContext& context) {
    if (context.replies.head != nullptr || context.c.privctx != nullptr) return false;
    char byte = 0;
    return ::recv(context.c.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

/// State between a context and the loop. Handlers in flight hold it; after cleanup they find no context.
class Events : public std::enable_shared_from_this<Events> {
public:
    Events(redisAsyncContext& context, io_context& io, std::function<void()> after_reading)
        : context_{&context}, descriptor_{io}, timer_{io}, after_reading_{std::move(after_reading)} {}

    bool watch() {
        boost::system::error_code error;
        descriptor_.assign(context_->c.fd, error);
        return !error;
    }

    void want_read() {
        reading_ = true;
        if (!read_waits_) wait_for_read();
    }
    void no_read() { reading_ = false; }

    void want_write() {
        writing_ = true;
        if (!patient_) send();
    }
    void be_patient(bool patient) { patient_ = patient; }
    void flush() {
        if (writing_) send();
    }
    void no_write() {
        writing_ = false;
        blocked_ = false;
    }

    void schedule(timeval after) {
        const auto wait = std::chrono::seconds{after.tv_sec} + std::chrono::microseconds{after.tv_usec};
        timer_.expires_after(wait);
        timer_.async_wait([self = shared_from_this()](boost::system::error_code error) {
            if (!error && self->context_ != nullptr) redisAsyncHandleTimeout(self->context_);
        });
    }

    void clean_up() {
        context_ = nullptr;
        timer_.cancel();
        descriptor_.release();  // hiredis closes the socket itself
    }

private:
    [[nodiscard]] bool connected() const { return (context_->c.flags & REDIS_CONNECTED) != 0; }

    void send() {
        if (write_waits_ || flush_posted_) return;
        if (!connected() || blocked_)
            wait_for_write();
        else
            post_flush();
    }

    void wait_for_read() {
        read_waits_ = true;
        descriptor_.async_wait(Descriptor::wait_read,
                               [self = shared_from_this()](boost::system::error_code error) {
                                   self->read_waits_ = false;
                                   if (error || self->context_ == nullptr || !self->reading_) return;
                                   if (speaks_unasked(*self->context_))
                                       redisAsyncFree(self->context_);
                                   else
                                       redisAsyncHandleRead(self->context_);
                                   self->after_reading_();
                                   if (self->context_ != nullptr && self->reading_ && !self->read_waits_)
                                       self->wait_for_read();
                               });
    }

    void wait_for_write() {
        write_waits_ = true;
        descriptor_.async_wait(Descriptor::wait_write,
                               [self = shared_from_this()](boost::system::error_code error) {
                                   self->write_waits_ = false;
                                   if (!error) self->write();
                               });
    }

    void post_flush() {
        flush_posted_ = true;
        ingress::asio::post(descriptor_.get_executor(), [self = shared_from_this()] {
            self->flush_posted_ = false;
            self->write();
        });
    }

    void write() {
        if (context_ == nullptr || !writing_) return;
        blocked_ = true;  // until hiredis says with delWrite that everything is out
        redisAsyncHandleWrite(context_);
        if (context_ != nullptr && writing_ && !write_waits_) wait_for_write();
    }

    redisAsyncContext* context_;  // null after cleanup
    Descriptor descriptor_;
    ingress::Timer timer_;
    std::function<void()> after_reading_;
    bool reading_ = false;
    bool writing_ = false;
    bool read_waits_ = false;
    bool write_waits_ = false;
    bool flush_posted_ = false;
    bool blocked_ = false;
    bool patient_ = false;
};

/// What hiredis holds: keeps the state alive until cleanup.
using Held = std::shared_ptr<Events>;

Events& events_of(void* held) {
    return **static_cast<Held*>(held);
}

}  // namespace

bool attach(redisAsyncContext& context, io_context& io, std::function<void()> after_reading) {
    if (context.ev.data != nullptr) return false;
    auto held = std::make_unique<Held>(std::make_shared<Events>(context, io, std::move(after_reading)));
    if (!(*held)->watch()) return false;
    context.ev.data = held.release();
    context.ev.addRead = [](void* data) { events_of(data).want_read(); };
    context.ev.delRead = [](void* data) { events_of(data).no_read(); };
    context.ev.addWrite = [](void* data) { events_of(data).want_write(); };
    context.ev.delWrite = [](void* data) { events_of(data).no_write(); };
    context.ev.scheduleTimer = [](void* data, timeval after) { events_of(data).schedule(after); };
    context.ev.cleanup = [](void* data) {
        const std::unique_ptr<Held> last{static_cast<Held*>(data)};
        (*last)->clean_up();
    };
    return true;
}

void may_wait(redisAsyncContext& context, bool patient) {
    if (context.ev.data != nullptr) events_of(context.ev.data).be_patient(patient);
}

void flush(redisAsyncContext& context) {
    if (context.ev.data != nullptr) events_of(context.ev.data).flush();
}

}  // namespace sluice::dedup
