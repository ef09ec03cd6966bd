#include "command/hot/booker.hpp"

#include <algorithm>
#include <future>
#include <utility>

#include "command/hot/hot_record.hpp"
#include "command/telemetry/command_metrics.hpp"
#include "common/failpoint.hpp"
#include "common/thread_name.hpp"
#include "common/wait_or_stop.hpp"

namespace sluice::command {
namespace {

using Kind = Answer::Kind;

constexpr std::size_t at_once = 256;     // commands of a partition
constexpr std::size_t most_read = 1024;  // records of one turn
constexpr Milliseconds longest_poll{50};
constexpr Milliseconds tried_for{60'000};
constexpr Milliseconds between_members{1000};
constexpr Backoff backoff{Milliseconds{50}, Milliseconds{5000}};

std::string_view view_of(const void* bytes, std::size_t size) {
    return {static_cast<const char*>(bytes), bytes == nullptr ? 0 : size};
}

std::vector<record::HeaderView> headers_of(const rd_kafka_message_t& message) {
    std::vector<record::HeaderView> views;
    rd_kafka_headers_t* headers = nullptr;
    if (rd_kafka_message_headers(&message, &headers) != RD_KAFKA_RESP_ERR_NO_ERROR) return views;
    const char* name = nullptr;
    const void* value = nullptr;
    std::size_t size = 0;
    for (std::size_t i = 0;
         rd_kafka_header_get_all(headers, i, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR; ++i)
        views.push_back({name, view_of(value, size)});
    return views;
}

}  // namespace

Booker::Booker(const CommandSet& set, const LineSettings& settings, const Around& around)
    : set_{set},
      settings_{settings},
      around_{around},
      clock_{around_.clock},
      metrics_{around.metrics, set},
      watch_{around.mysql, around.clock, around.log},
      queue_{1},
      worker_{
          std::make_unique<Worker>(Shared{around_, queue_, set, moves_, {&watch_, set.longest_within()}})},
      together_{set},
      member_{std::make_unique<LineMember>(settings_, line_, around_.log)},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

Booker::~Booker() {
    thread_.request_stop();
    thread_.join();
    member_.reset();
    queue_.close();
}

void Booker::run(const std::stop_token& stop) {
    name_this_thread("booker");
    while (!stop.stop_requested()) {
        if (!member_->broken().empty() && !wait_or_stop(stop, between_members)) return;
        turn();
    }
}

void Booker::turn() {
    keep_member();
    read_some();
    if (has_some_due() && pace_.is_time(clock_.steady(), has_full_batch()))
        book(line_.due(clock_.wall(), clock_.steady(), at_once));
    member_->commit(line_.take_settled());
    member_->hold_back();
    const auto oldest = line_.oldest();
    const std::chrono::duration<double> age = oldest ? clock_.wall() - *oldest : WallTime::duration{};
    metrics_.age(age.count());
    metrics_.overdue(line_.due_in_front(), clock_.wall());
    metrics_.partitions(member_->partitions());
}

void Booker::keep_member() {
    if (member_->broken().empty()) return;
    around_.log.error("booking_broken", {{"reason", std::string_view{member_->broken()}}});
    member_.reset();
    line_.clear();
    member_ = std::make_unique<LineMember>(settings_, line_, around_.log);
}

bool Booker::has_full_batch() const {
    return line_.fills_a_batch(clock_.wall(), clock_.steady(), at_once);
}

bool Booker::has_some_due() const {
    return line_.fills_a_batch(clock_.wall(), clock_.steady(), 1);
}

Milliseconds Booker::time_to_poll() const {
    if (!has_some_due()) return longest_poll;
    return std::min(longest_poll, pace_.left(clock_.steady()));
}

/// Where a batch is there already, what comes next stays in the client's own queue. A partition that is
/// paused for it would stand still: librdkafka fetches a resumed one up to a second later.
void Booker::read_some() {
    const bool is_busy = has_full_batch();
    const std::size_t most = is_busy ? 1 : most_read;
    const int gaps = member_->gaps();
    auto message = member_->poll(is_busy ? Milliseconds{0} : time_to_poll());
    for (std::size_t count = 1; message; ++count) {
        line_.add(read(*message));
        message = count < most ? member_->poll(Milliseconds{0}) : nullptr;
    }
    for (int i = gaps; i < member_->gaps(); ++i) metrics_.lost();
}

Waiting Booker::read(const rd_kafka_message_t& message) {
    Waiting one{.partition = message.partition, .offset = message.offset};
    auto request = request_in(headers_of(message), view_of(message.payload, message.len));
    if (!request) {
        around_.log.error("command_unreadable", {{"partition", std::int64_t{message.partition}},
                                                 {"offset", message.offset},
                                                 {"reason", std::string_view{request.error()}}});
        metrics_.unreadable();
        one.is_settled = true;
        return one;
    }
    one.request = std::move(*request);
    const auto* definition = set_.find(one.request.key.command);
    // A time that is ahead, as of an earlier release by its machine's clock, holds nobody.
    one.due_at = std::min(*one.request.accepted_at, clock_.wall());
    if (definition != nullptr && definition->hot) one.due_at += definition->hot->delay;
    return one;
}

void Booker::book(std::span<Waiting* const> batch) {
    while (!batch.empty()) {
        const auto partition = batch.front()->partition;
        const auto end = std::ranges::find_if(
            batch, [partition](const Waiting* one) { return one->partition != partition; });
        const auto count = static_cast<std::size_t>(end - batch.begin());
        book_partition(batch.first(count));
        batch = batch.subspan(count);
    }
}

void Booker::book_partition(std::span<Waiting* const> batch) {
    metrics_.batch(batch.size());
    const auto answers = executed(batch);
    (void)FP("command.after_booking");
    for (std::size_t i = 0; i < answers.size(); ++i) settle(*batch[i], answers[i]);
    const bool is_done = std::ranges::all_of(batch, &Waiting::is_settled);
    if (is_done)
        failures_.erase(batch.front()->partition);
    else
        try_later(batch.front()->partition);
}

std::vector<Answer> Booker::executed(std::span<Waiting* const> batch) {
    std::vector<Answer> answers;
    (void)do_there([&](Worker& worker) {
        auto* connection = worker.session();
        if (connection != nullptr && clock_.look(*connection))
            answers = together_.book(batch, worker, clock_);
    });
    return answers;
}

void Booker::settle(Waiting& one, const Answer& answer) {
    if (is_booked(answer)) {
        one.is_settled = true;
        return metrics_.booked(one.request.key.command, std::string{name_of(answer.kind)});
    }
    if (answer.kind == Kind::failed || answer.kind == Kind::refused) return failed(one, answer.why);
    if (answer.kind == Kind::not_known) return give_up(one, NotBooked::perhaps, answer.why);
    around_.log.write_routine("command_waits", {{"command", std::string_view{one.request.key.command}},
                                                {"reason", std::string_view{answer.why}}});
}

void Booker::failed(Waiting& one, const std::string& why) {
    const SteadyTime now = around_.clock.steady();
    if (one.failing_since == SteadyTime{}) one.failing_since = now;
    if (now - one.failing_since >= tried_for / HURRY()) give_up(one, NotBooked::for_certain, why);
}

void Booker::give_up(Waiting& one, NotBooked how, const std::string& why) {
    say_not_booked(one, why);
    if (!is_stored(one, how)) return;
    (void)FP("command.after_not_booked");
    one.is_settled = true;
    metrics_.booked(one.request.key.command, "not_booked");
}

/// Before it is stored: whoever reads it again finds its row, and says nothing.
void Booker::say_not_booked(Waiting& one, const std::string& why) {
    if (std::exchange(one.is_given_up, true)) return;
    around_.log.error("command_not_booked", {{"command", std::string_view{one.request.key.command}},
                                             {"caller", std::string_view{one.request.key.caller}},
                                             {"partition", std::int64_t{one.partition}},
                                             {"offset", one.offset},
                                             {"reason", std::string_view{why}}});
}

bool Booker::is_stored(const Waiting& one, NotBooked how) {
    bool is_stored = false;
    (void)do_there([&](Worker& worker) {
        auto* connection = worker.session();
        const auto* definition = set_.find(one.request.key.command);
        is_stored = connection != nullptr && store_not_booked(*definition, one.request, how, *connection);
    });
    return is_stored;
}

void Booker::try_later(std::int32_t partition) {
    const int failures = ++failures_[partition];
    line_.rest(partition, around_.clock.steady() + backoff.after(failures, random_));
}

bool Booker::do_there(std::function<void(Worker&)> what) {
    const auto ended = std::make_shared<std::promise<bool>>();
    auto is_done = ended->get_future();
    Job job{.work =
                [ended, what = std::move(what)](Worker& worker) {
                    what(worker);
                    ended->set_value(true);
                },
            .turn_away = [ended] { ended->set_value(false); }};
    return queue_.push(job) && is_done.get();
}

}  // namespace sluice::command
