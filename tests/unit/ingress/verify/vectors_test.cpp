// Requests as the providers sign them (tests/vectors), each with what must be said of it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include <unistd.h>

#include "ingress/verify/items.hpp"
#include "ingress/verify/program.hpp"
#include "tests/unit/ingress/verify/fixture.hpp"

namespace sluice::verify::test {
namespace {

using Json = nlohmann::json;

Json read_vectors(const std::string& recipe) {
    std::ifstream file(std::filesystem::path(SLUICE_VECTORS) / (recipe + ".json"));
    return Json::parse(file);
}

/// What stands in the vectors as text, a configuration refers to.
void refer_to_secrets(Json& source) {
    int number = 0;
    for (Json& key : source["keys"]) {
        const std::string name = "SLUICE_VECTOR_KEY_" + std::to_string(number++);
        ::setenv(name.c_str(), key["value"].get<std::string>().c_str(), 1);
        key["value"] = {{"env", name}};
    }
}

/// Files of one test program, gone when it ends.
class Files {
public:
    Files() : folder_(std::filesystem::temp_directory_path() / ("vectors_" + std::to_string(::getpid()))) {}
    ~Files() { std::filesystem::remove_all(folder_); }
    Files(const Files&) = delete;
    Files& operator=(const Files&) = delete;

    std::string write(const std::string& name, const std::string& text) {
        const auto path = folder_ / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }
    std::string folder_of(const std::string& name, const Json& files) {
        std::filesystem::remove_all(folder_ / name);
        for (const auto& [file, text] : files.items()) write(name + "/" + file, text);
        return folder_ / name;
    }

private:
    std::filesystem::path folder_;
};

void refer_to_files(Json& source, Files& files) {
    for (auto& [name, value] : source["with"].items()) {
        if (!value.is_object()) continue;
        if (value.contains("text")) value = {{"file", files.write(name, value["text"])}};
        if (value.contains("files")) value = files.folder_of(name, value["files"]);
    }
}

Configured configured_for(Json source, const Json& recipe, Files& files) {
    refer_to_secrets(source);
    if (source.contains("with")) refer_to_files(source, files);
    source["recipe"] = recipe;
    source["name"] = recipe;
    return Configured("sources: [" + source.dump() + "]\n");
}

std::string body_of(const Json& vector) {
    if (vector.contains("body")) return vector["body"];
    return crypto::from_base64(vector["body_base64"].get<std::string>()).value();
}

std::string time_of(const record::EventHeaders& headers) {
    return headers.occurred_at ? to_rfc3339(*headers.occurred_at) : std::string{};
}

std::string normalized(const std::string& time) {
    return time.empty() ? time : to_rfc3339(from_rfc3339(time).value());
}

Json event_of(const record::EventHeaders& headers) {
    return {{"id", headers.event_id},
            {"type", headers.type},
            {"object", headers.object},
            {"time", time_of(headers)}};
}

Json expected_events(const Json& vector) {
    Json events = Json::array();
    for (Json event : vector.value("events", Json::array())) {
        event["time"] = normalized(event["time"]);
        events.push_back(event);
    }
    return events;
}

/// What can be read of it, in order.
Json events_in(const Source& source, const Request& request) {
    JsonView view;
    JsonView element;
    Json events = Json::array();
    if (!source.program->extraction.items) {
        if (const auto read = extract(source, request, view)) events.push_back(event_of(read->headers));
        return events;
    }
    const auto items = extract_items(source, request, view, element);
    if (!items) return events;
    for (const Item& item : *items) {
        if (item.event) events.push_back(event_of(item.event->headers));
    }
    return events;
}

/// What is said of one request, in the words of the vectors.
Json verdict_on(const Json& vector, const Source& source) {
    const std::string body = body_of(vector);
    Delivery delivery{{}, body};
    for (const Json& header : vector["headers"]) delivery.headers.emplace_back(header[0], header[1]);
    const auto fields = delivery.fields();
    const std::string target = vector["target"];
    const Request request{vector["method"].get_ref<const std::string&>(), target, fields, delivery.body};
    Scratch scratch;
    const auto authentic = verify(source, request, at_unix(vector["now"]), scratch);
    if (!authentic) return {{"accepted", false}, {"check", name_of(authentic.error().check)}};
    return {{"accepted", true}, {"key", authentic->key_id}, {"events", events_in(source, request)}};
}

Json expected_of(const Json& vector) {
    if (!vector["accepted"]) return {{"accepted", false}, {"check", vector["check"]}};
    return {{"accepted", true}, {"key", vector["key"]}, {"events", expected_events(vector)}};
}

class Vectors : public testing::TestWithParam<const char*> {};

TEST_P(Vectors, AreJudgedAsTheyShould) {
    const Json file = read_vectors(GetParam());
    ASSERT_GE(file["vectors"].size(), 25U);
    Files files;
    Json source;
    std::optional<Configured> configured;  // read anew only where it changes: that is what takes long
    for (const Json& vector : file["vectors"]) {
        const Json wanted = vector.value("source", file["source"]);
        if (wanted != source) configured.emplace(configured_for(wanted, file["recipe"], files));
        source = wanted;
        ASSERT_EQ(configured->sources.size(), 1U) << vector["name"] << '\n' << configured->problems.report();
        EXPECT_EQ(verdict_on(vector, configured->only()).dump(), expected_of(vector).dump())
            << vector["name"];
    }
}

INSTANTIATE_TEST_SUITE_P(Recipes, Vectors,
                         testing::Values("adyen", "adyen-platform", "alipay", "braintree", "checkout",
                                         "coinbase-commerce", "github", "gocardless", "klarna",
                                         "mercado-pago", "mollie", "paddle", "razorpay", "shopify",
                                         "shopify-events", "square", "standard-webhooks", "svix",
                                         "wechat-pay", "xendit"),
                         [](const auto& one) {
                             std::string name = one.param;
                             std::erase(name, '-');
                             return name;
                         });

}  // namespace
}  // namespace sluice::verify::test
