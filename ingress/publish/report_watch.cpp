#include "ingress/publish/report_watch.hpp"

#include <cerrno>
#include <cstdint>
#include <system_error>

#include <sys/eventfd.h>
#include <unistd.h>

namespace sluice::publish {
namespace {

constexpr std::uint64_t one_event = 1;

}  // namespace

ReportWatch::ReportWatch() : event_{::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)} {
    if (event_ < 0) throw std::system_error{errno, std::generic_category(), "eventfd"};
}

ReportWatch::~ReportWatch() {
    if (!descriptor_) ::close(event_);
}

void ReportWatch::listen_to(rd_kafka_t& client) const noexcept {
    const kafka::Queue queue{rd_kafka_queue_get_main(&client)};
    rd_kafka_queue_io_event_enable(queue.get(), event_, &one_event, sizeof one_event);
}

void ReportWatch::wake() const noexcept {
    static_cast<void>(::write(event_, &one_event, sizeof one_event));
}

void ReportWatch::start(ingress::asio::io_context& io, std::function<void()> on_reports) {
    on_reports_ = std::move(on_reports);
    descriptor_.emplace(io, event_);
    wait();
}

void ReportWatch::wait() {
    descriptor_->async_wait(Descriptor::wait_read, [this](boost::system::error_code error) {
        if (error) return;  // `this` may be gone
        std::uint64_t count = 0;
        static_cast<void>(::read(event_, &count, sizeof count));
        on_reports_();
        wait();
    });
}

}  // namespace sluice::publish
