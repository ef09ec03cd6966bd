#pragma once

#include <functional>
#include <optional>

#include <boost/asio/posix/basic_stream_descriptor.hpp>

#include "common/kafka/handle.hpp"
#include "ingress/asio/asio.hpp"

namespace sluice::publish {

/// Tells one io_context that librdkafka has something to report, through an eventfd, so that no thread has to
/// wait in rd_kafka_poll and hand over what it gets. Destroyed when that io_context runs no more, or on its
/// thread, and before it.
class ReportWatch {
public:
    ReportWatch();  ///< throws std::system_error
    ~ReportWatch();
    ReportWatch(const ReportWatch&) = delete;
    ReportWatch& operator=(const ReportWatch&) = delete;

    /// From now on `client` tells this when its queue of reports and errors is empty no longer; of what lies
    /// there already it does not (see `wake`). Any thread.
    void listen_to(rd_kafka_t& client) const noexcept;
    /// As if there were something to report. Any thread.
    void wake() const noexcept;

    /// `on_reports` is called on `io` after that; it has to empty the queue. Once, before `io` runs.
    void start(ingress::asio::io_context& io, std::function<void()> on_reports);

private:
    using Descriptor = ingress::asio::posix::basic_stream_descriptor<ingress::Executor>;
    void wait();

    int event_;
    std::optional<Descriptor> descriptor_;  // owns event_ once there is one
    std::function<void()> on_reports_;
};

}  // namespace sluice::publish
