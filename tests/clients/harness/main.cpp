// Asks the C++ client for what each line of stdin says, and prints what became of it. See
// tests/clients/asking.py.
#include <iostream>
#include <memory>

#include <boost/json/src.hpp>

#include "docs/clients/charge.hpp"
#include "sluice/command_client.hpp"

namespace {

using std::chrono::milliseconds;
namespace json = boost::json;

/// Time passes only in pauses.
struct FakeTime {
    std::chrono::steady_clock::time_point now{};
    milliseconds paused{0};

    sluice::Time hands() {
        return {.now = [this] { return now + paused; },
                .pause = [this](milliseconds time) { paused += time; },
                .chance = [] { return 0.5; }};
    }
};

std::string text_of(const json::object& object, std::string_view name) {
    return std::string{object.at(name).as_string()};
}

sluice::Limits limits_of(const json::object& asked) {
    const auto time = [&](std::string_view name) { return milliseconds{asked.at(name).as_int64()}; };
    return {.connect = time("connect"),
            .attempt = time("attempt"),
            .deadline = time("deadline"),
            .longest_response = static_cast<std::size_t>(asked.at("longest_response").as_int64())};
}

sluice::Service service_of(const json::object& asked, FakeTime& time) {
    sluice::Service service{.host = text_of(asked, "host"),
                            .port = std::to_string(asked.at("port").as_int64()),
                            .caller = text_of(asked, "caller"),
                            .secret = text_of(asked, "secret"),
                            .limits = limits_of(asked)};
    if (!asked.at("real_time").as_bool()) service.time = time.hands();
    static boost::asio::ssl::context tls{boost::asio::ssl::context::tls_client};
    const std::string authority = text_of(asked, "authority");
    if (!authority.empty()) tls.load_verify_file(authority);
    if (!authority.empty()) service.tls = &tls;
    return service;
}

json::object shown(const sluice::Response& response) {
    return {{"status", response.status}, {"content_type", response.content_type}, {"body", response.body}};
}

json::value named(const std::optional<sluice::Problem>& problem) {
    return problem ? json::value(problem->name) : json::value(nullptr);
}

struct Shown {
    json::object operator()(const sluice::Done& done) const {
        return {{"outcome", "done"}, {"response", shown(done.response)}, {"replayed", done.is_replayed}};
    }
    json::object operator()(const sluice::Refused& refused) const {
        return {{"outcome", "refused"}, {"problem", refused.problem.name}};
    }
    json::object operator()(const sluice::Unknown& unknown) const {
        return {{"outcome", "unknown"}, {"problem", named(unknown.problem)}};
    }
    json::object operator()(const sluice::Standing& standing) const {
        json::object seen{{"outcome", standing.state}};
        if (standing.response) seen["response"] = shown(*standing.response);
        return seen;
    }
};

/// What docs/clients/charge.hpp does with its orders.
struct Orders {
    json::array did{};

    void remember(const std::string& key, const std::string& body) { did.push_back({"remember", key, body}); }
    void settle(const std::string& key, int status, const std::string& body) {
        did.push_back({"settle", key, status, body});
    }
    void give_up(const std::string& key, const std::string& name) { did.push_back({"give_up", key, name}); }
    void try_again_later(const std::string& key) { did.push_back({"try_again_later", key}); }
};

json::object example(sluice::CommandClient& client, const json::object& asked) {
    Orders orders;
    charge(client, orders, text_of(asked, "key"), text_of(asked, "body"));
    return {{"did", orders.did}};
}

json::object signature(const json::object& asked) {
    const auto text = [&](std::string_view name) { return text_of(asked, name); };
    const std::string field = asked.at("key").is_string() ? sluice::client::key_field(text("key")) : "";
    const std::string to_sign = sluice::client::text_to_sign(
        text("id"), asked.at("at").as_int64(), text("method"), text("target"), field, text("body"));
    return {{"field", field},
            {"signature", sluice::client::signature(sluice::client::key_of(text("secret")), to_sign)}};
}

json::object answer(sluice::CommandClient& client, const json::object& asked) {
    if (asked.at("do").as_string() == "sign") return signature(asked);
    if (asked.at("do").as_string() == "example") return example(client, asked);
    const std::string name = text_of(asked, "command");
    if (asked.at("do").as_string() == "look_up")
        return std::visit(Shown{}, client.look_up(name, text_of(asked, "key")));
    std::optional<std::string> key;
    if (asked.at("key").is_string()) key = text_of(asked, "key");
    return std::visit(Shown{}, client.execute({name, key, text_of(asked, "body")}));
}

}  // namespace

int main() {
    FakeTime time;
    std::unique_ptr<sluice::CommandClient> client;
    std::string service;
    for (std::string line; std::getline(std::cin, line);) {
        const json::object asked = json::parse(line).as_object();
        const std::string wanted = json::serialize(asked.at("service"));
        if (std::exchange(service, wanted) != wanted)
            client =
                std::make_unique<sluice::CommandClient>(service_of(asked.at("service").as_object(), time));
        time.paused = {};
        json::object seen = answer(*client, asked);
        seen["paused"] = time.paused.count();
        std::cout << json::serialize(seen) << std::endl;
    }
}
