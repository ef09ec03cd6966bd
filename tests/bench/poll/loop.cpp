// The floor of `./run bench poll`: a client's page loop. It asks for a page, reads the ids of its events, and
// goes on behind the newest. With --kafka it produces each event and waits for the page's acks before it goes
// on.
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

#include <curl/curl.h>
#include <librdkafka/rdkafka.h>
#include <simdjson.h>
#include <CLI/CLI.hpp>

#include "tests/bench/outbox/window.hpp"

namespace {

struct Options {
    std::string url;
    std::uint64_t events = 0;
    std::string brokers;
    std::string topic;
};

class Producer {
public:
    Producer(const std::string& brokers, const std::string& topic) {
        rd_kafka_conf_t* conf = rd_kafka_conf_new();
        set(conf, "bootstrap.servers", brokers);
        set(conf, "acks", "all");
        set(conf, "linger.ms", "0");
        rd_kafka_conf_set_opaque(conf, this);
        rd_kafka_conf_set_dr_msg_cb(conf, [](rd_kafka_t*, const rd_kafka_message_t* message, void* self) {
            if (message->err != RD_KAFKA_RESP_ERR_NO_ERROR)
                throw std::runtime_error{"the broker refuses a record"};
            --static_cast<Producer*>(self)->on_their_way_;
        });
        client_.reset(rd_kafka_new(RD_KAFKA_PRODUCER, conf, nullptr, 0));
        if (!client_) throw std::runtime_error{"no producer"};
        topic_.reset(rd_kafka_topic_new(client_.get(), topic.c_str(), nullptr));
    }

    void send(std::string_view id, std::string_view event) {
        if (rd_kafka_produce(topic_.get(), RD_KAFKA_PARTITION_UA, RD_KAFKA_MSG_F_COPY,
                             const_cast<char*>(event.data()), event.size(), id.data(), id.size(),
                             nullptr) != 0)
            throw std::runtime_error{"librdkafka refuses a record"};
        ++on_their_way_;
    }

    void wait() {
        while (on_their_way_ > 0) rd_kafka_poll(client_.get(), 100);
    }

private:
    struct Destroy {
        void operator()(rd_kafka_t* client) const noexcept { rd_kafka_destroy(client); }
        void operator()(rd_kafka_topic_t* topic) const noexcept { rd_kafka_topic_destroy(topic); }
    };
    static void set(rd_kafka_conf_t* conf, const char* name, const std::string& value) {
        if (rd_kafka_conf_set(conf, name, value.c_str(), nullptr, 0) != RD_KAFKA_CONF_OK)
            throw std::runtime_error{name};
    }

    std::uint64_t on_their_way_ = 0;
    std::unique_ptr<rd_kafka_t, Destroy> client_;
    std::unique_ptr<rd_kafka_topic_t, Destroy> topic_;
};

class Loop {
public:
    explicit Loop(const Options& options)
        : options_{options}, window_{options.events}, easy_{curl_easy_init()} {
        if (!options.brokers.empty()) producer_ = std::make_unique<Producer>(options.brokers, options.topic);
        headers_.reset(curl_slist_append(nullptr, "Authorization: Bearer rk_test_list"));
        curl_easy_setopt(easy_.get(), CURLOPT_HTTPHEADER, headers_.get());
        curl_easy_setopt(easy_.get(), CURLOPT_WRITEDATA, &body_);
        curl_easy_setopt(
            easy_.get(), CURLOPT_WRITEFUNCTION,
            +[](char* bytes, std::size_t size, std::size_t count, void* body) {
                static_cast<std::string*>(body)->append(bytes, size * count);
                return size * count;
            });
    }

    void run() {
        while (page()) continue;
        window_.print();
    }

private:
    /// Whether there are more.
    [[nodiscard]] bool page() {
        body_.clear();
        const std::string url = options_.url + "/v1/events?limit=100&ending_before=" + behind_;
        curl_easy_setopt(easy_.get(), CURLOPT_URL, url.c_str());
        if (curl_easy_perform(easy_.get()) != CURLE_OK) throw std::runtime_error{"no answer"};
        body_.reserve(body_.size() + simdjson::SIMDJSON_PADDING);
        simdjson::ondemand::document document = parser_.iterate(body_);
        const bool has_more = document["has_more"].get_bool();
        bool is_newest = true;
        for (simdjson::ondemand::object event : document["data"].get_array()) {
            const std::string_view id = event["id"].get_string();
            if (is_newest) behind_ = id;
            is_newest = false;
            const std::string key{id};
            if (producer_) producer_->send(key, event.raw_json());
            window_.sent();
        }
        if (producer_) producer_->wait();
        return has_more;
    }

    struct EndEasy {
        void operator()(CURL* handle) const noexcept { curl_easy_cleanup(handle); }
    };
    struct FreeList {
        void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
    };

    const Options& options_;
    sluice::bench::SendingWindow window_;
    std::string behind_ = "evt_000000000000";
    std::string body_;
    simdjson::ondemand::parser parser_;
    std::unique_ptr<Producer> producer_;
    std::unique_ptr<curl_slist, FreeList> headers_;
    std::unique_ptr<CURL, EndEasy> easy_;
};

}  // namespace

int main(int count, char** arguments) {
    CLI::App app{"reads a list of events with nothing around it"};
    Options options;
    app.add_option("--url", options.url)->required();
    app.add_option("--events", options.events)->required();
    app.add_option("--kafka", options.brokers);
    app.add_option("--topic", options.topic);
    CLI11_PARSE(app, count, arguments);
    try {
        Loop{options}.run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "loop: %s\n", error.what());
        return 1;
    }
    return 0;
}
