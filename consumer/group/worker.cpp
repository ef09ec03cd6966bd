#include "consumer/group/worker.hpp"

#include "common/thread_name.hpp"

namespace sluice::consumer {

Worker::Worker(std::string thread, const Partitions& partitions, std::unique_ptr<Work> work)
    : name_{std::move(thread)},
      work_{std::move(work)},
      queue_{[&partitions](const Item& item) { return partitions.is_current(item.record.at); }},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

Worker::~Worker() {
    stop();
}

void Worker::offer(Items items) {
    for (Item& item : items) work_->prepare(item);
    queue_.offer(std::move(items));
}

void Worker::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

void Worker::run(const std::stop_token& stop) {
    name_this_thread(name_.c_str());
    while (!stop.stop_requested()) {
        work_->take(queue_.take());
        if (!queue_.begin(stop)) break;
        const bool more = work_->round();
        queue_.end();
        if (!more) queue_.wait(stop, work_->next_look());
    }
    work_->finish();
}

std::vector<RecordTaker*> takers_of(const std::vector<std::unique_ptr<Worker>>& workers) {
    std::vector<RecordTaker*> takers;
    takers.reserve(workers.size());
    for (const auto& worker : workers) takers.push_back(worker.get());
    return takers;
}

}  // namespace sluice::consumer
