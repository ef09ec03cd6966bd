// The floor of `./run bench relay` to a topic: librdkafka with acks=all and the relay's messages, either as
// many at once as it takes, or in batches of which each is acknowledged before the next begins.
#include <array>
#include <exception>
#include <memory>
#include <stdexcept>

#include <librdkafka/rdkafka.h>
#include <CLI/CLI.hpp>

#include "tests/bench/outbox/message.hpp"
#include "tests/bench/outbox/window.hpp"

namespace {

struct Options {
    std::string brokers;
    std::string topic;
    std::uint64_t messages = 0;
    std::uint64_t keys = 1;
    std::uint64_t batch = 0;
};

struct Destroy {
    void operator()(rd_kafka_t* client) const noexcept { rd_kafka_destroy(client); }
};

class Producer {
public:
    explicit Producer(const Options& options) : options_{options}, window_{options.messages} {
        rd_kafka_conf_t* conf = rd_kafka_conf_new();
        set(conf, "bootstrap.servers", options.brokers);
        set(conf, "acks", "all");
        set(conf, "linger.ms", "0");
        set(conf, "partitioner", "murmur2_random");
        rd_kafka_conf_set_opaque(conf, this);
        rd_kafka_conf_set_dr_msg_cb(conf, [](rd_kafka_t*, const rd_kafka_message_t* message, void* self) {
            static_cast<Producer*>(self)->reported(*message);
        });
        client_.reset(rd_kafka_new(RD_KAFKA_PRODUCER, conf, nullptr, 0));
        if (!client_) throw std::runtime_error{"no producer"};
    }

    void run() {
        for (std::uint64_t number = 0; number < options_.messages; ++number) {
            while (!may_send(number)) rd_kafka_poll(client_.get(), 100);
            send(sluice::bench::message(number, options_.keys));
            rd_kafka_poll(client_.get(), 0);
        }
        while (!window_.is_over()) rd_kafka_poll(client_.get(), 100);
        window_.print();
    }

private:
    static void set(rd_kafka_conf_t* conf, const char* name, const std::string& value) {
        if (rd_kafka_conf_set(conf, name, value.c_str(), nullptr, 0) != RD_KAFKA_CONF_OK)
            throw std::runtime_error{name};
    }

    [[nodiscard]] bool may_send(std::uint64_t number) const {
        constexpr std::uint64_t most_on_their_way = 20'000;  // librdkafka's queue takes more
        const std::uint64_t on_their_way = number - reported_;
        return options_.batch == 0 ? on_their_way < most_on_their_way
                                   : number % options_.batch != 0 || on_their_way == 0;
    }

    void send(const sluice::bench::Message& message) {
        rd_kafka_headers_t* headers = rd_kafka_headers_new(message.headers.size());
        for (const auto& [name, value] : message.headers)
            rd_kafka_header_add(headers, name.data(), static_cast<ssize_t>(name.size()), value.data(),
                                static_cast<ssize_t>(value.size()));
        std::array<rd_kafka_vu_t, 5> fields{};
        fields[0].vtype = RD_KAFKA_VTYPE_TOPIC;
        fields[0].u.cstr = options_.topic.c_str();
        fields[1].vtype = RD_KAFKA_VTYPE_MSGFLAGS;
        fields[1].u.i = RD_KAFKA_MSG_F_COPY;
        fields[2].vtype = RD_KAFKA_VTYPE_KEY;
        fields[2].u.mem = {const_cast<char*>(message.key.data()), message.key.size()};
        fields[3].vtype = RD_KAFKA_VTYPE_VALUE;
        fields[3].u.mem = {const_cast<char*>(message.body.data()), message.body.size()};
        fields[4].vtype = RD_KAFKA_VTYPE_HEADERS;
        fields[4].u.headers = headers;
        if (rd_kafka_produceva(client_.get(), fields.data(), fields.size()) != nullptr)
            throw std::runtime_error{"librdkafka refuses a record"};
    }

    void reported(const rd_kafka_message_t& message) {
        if (message.err != RD_KAFKA_RESP_ERR_NO_ERROR)
            throw std::runtime_error{"the broker refuses a record"};
        ++reported_;
        window_.sent();
    }

    const Options& options_;
    sluice::bench::SendingWindow window_;
    std::uint64_t reported_ = 0;
    std::unique_ptr<rd_kafka_t, Destroy> client_;
};

}  // namespace

int main(int count, char** arguments) {
    CLI::App app{"produces the relay's messages with nothing around it"};
    Options options;
    app.add_option("--kafka", options.brokers)->required();
    app.add_option("--topic", options.topic)->required();
    app.add_option("--messages", options.messages)->required();
    app.add_option("--keys", options.keys)->check(CLI::PositiveNumber);
    app.add_option("--batch", options.batch, "acknowledged before the next begins; 0: no batches");
    CLI11_PARSE(app, count, arguments);
    try {
        Producer{options}.run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "produce: %s\n", error.what());
        return 1;
    }
    return 0;
}
