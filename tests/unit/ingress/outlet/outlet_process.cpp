// An outlet that does what each line of standard input says, and answers with a line:
//   {"do": "report"}                                          -> {"ready": true, "report": "kafka: ok\n…"}
//   {"do": "deliver", "within": 5000, "parcels": [PARCEL, …]}  -> ["published", "known", …]
//   {"do": "start", …}: the same without waiting; its answer comes when the outlet is closed
// PARCEL: {"to": "events", "key": "…", "value": "…", "marker": ["HEX of key", "HEX of mark"], "asks_claim":
// true}. The end of the input closes the outlet, also while something is on its way. --config FILE: kafka and
// redis.
#include <array>
#include <future>
#include <iostream>
#include <list>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "common/config/section.hpp"
#include "common/crypto/encoding.hpp"
#include "ingress/outlet/outlet.hpp"

namespace {

using namespace sluice;
using nlohmann::json;
using Kepts = std::vector<outlet::Kept>;

constexpr Program poller{"sluice-poller", "sluice_poller"};
constexpr std::array names{"published", "known", "not_kept", "unavailable", "too_large"};

crypto::Digest digest_of(const json& hex) {
    return crypto::digest_from_hex(hex.get<std::string>()).value();
}

outlet::Parcel parcel_of(const json& said) {
    outlet::Parcel parcel{.key = said.at("key").get_ref<const std::string&>(),
                          .value = said.at("value").get_ref<const std::string&>(),
                          .asks_claim = said.value("asks_claim", true)};
    if (said.value("to", "events") == "quarantine") parcel.to = outlet::Parcel::To::quarantine;
    if (said.contains("marker"))
        parcel.marker = dedup::Marker{digest_of(said["marker"].at(0)), digest_of(said["marker"].at(1))};
    return parcel;
}

/// `said` outlives it: what is delivered lies there.
Kepts deliver(outlet::Outlet& outlet, const json& said) {
    std::vector<outlet::Parcel> parcels;
    for (const json& parcel : said.at("parcels")) parcels.push_back(parcel_of(parcel));
    return outlet.deliver(parcels, Milliseconds{said.at("within").get<int>()});
}

void answer(const Kepts& all) {
    json words = json::array();
    for (const outlet::Kept kept : all) words.push_back(names.at(static_cast<std::size_t>(kept)));
    std::cout << words.dump() << std::endl;
}

void serve(const config::Document& document, config::Problems& problems) {
    const auto kafka = config::read_kafka(document, problems);
    const auto redis = config::read_redis(document, problems);
    if (problems.any()) throw config::Refused{problems.report()};
    const SystemClock clock;
    Log log{{.program = "outlet", .descriptor = 2}};
    Metrics metrics;
    Readiness readiness;
    auto outlet = std::make_unique<outlet::Outlet>(kafka, redis, poller, log, metrics, readiness, clock);
    std::list<json> said;
    std::vector<std::future<Kepts>> started;
    for (std::string line; std::getline(std::cin, line);) {
        const json& wish = said.emplace_back(json::parse(line));
        if (wish.at("do") == "report")
            std::cout << json{{"ready", readiness.ready()}, {"report", readiness.report()}}.dump()
                      << std::endl;
        else if (wish.at("do") == "deliver")
            answer(deliver(*outlet, wish));
        else
            started.push_back(std::async(std::launch::async, [&] { return deliver(*outlet, wish); }));
    }
    outlet.reset();
    for (auto& one : started) answer(one.get());
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc != 3 || std::string_view{argv[1]} != "--config")
            throw std::invalid_argument{"--config FILE"};
        config::Problems problems;
        const auto document = config::Document::from_file(argv[2], problems);
        serve(document, problems);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 2;
    }
}
