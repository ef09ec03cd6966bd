#include "consumer/process/side_reader.hpp"

#include "common/thread_name.hpp"

namespace sluice::consumer {

SideReader::SideReader(Process& process, const LogReader::Settings& settings)
    : process_{process}, name_{settings.role}, loop_{process.config.kafka, settings,        partitions_,
                                                     process.log,          process.metrics, process.readiness,
                                                     process.clock} {
    process_.readiness.expect(settings.concern, "not in the group yet");
}

SideReader::~SideReader() {
    stop();
}

void SideReader::start(const MakeWork& work) {
    worker_.emplace(name_, partitions_, work(partitions_));
    loop_.start({&*worker_});
    polling_ = true;
    thread_ = std::jthread{[this](const std::stop_token& stop) { run(stop); }};
}

void SideReader::run(const std::stop_token& stop) {
    name_this_thread((name_ + "-poll").c_str());
    while (!stop.stop_requested() && loop_.fatal().empty()) loop_.turn();
    if (loop_.fatal().empty()) return;
    process_.log.error("fatal", {{"reason", loop_.fatal()}});
    failed_ = true;
}

void SideReader::stop() {
    if (!thread_.joinable()) return;
    thread_.request_stop();
    thread_.join();
    worker_->stop();
    loop_.leave();
}

std::optional<SteadyTime> SideReader::last_turn() const {
    if (!polling_ || failed_) return std::nullopt;
    return loop_.last_turn();
}

}  // namespace sluice::consumer
