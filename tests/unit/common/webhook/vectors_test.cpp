// Requests as the providers sign them (tests/vectors), each with what must be said of it.
#include <gtest/gtest.h>

#include <optional>

#include "common/webhook/extract/items.hpp"
#include "common/webhook/recipe/program.hpp"
#include "common/webhook/recipe_file/recipe_set.hpp"
#include "tests/unit/common/webhook/fixture.hpp"
#include "tests/unit/common/webhook/vector_files.hpp"

namespace sluice::webhook::test {
namespace {

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
Json verdict_on(const Json& vector, const Source& source, Scratch& scratch) {
    const std::string body = body_of(vector);
    Delivery delivery{{}, body};
    for (const Json& header : vector["headers"]) delivery.headers.emplace_back(header[0], header[1]);
    const auto fields = delivery.fields();
    const std::string target = vector["target"];
    const Request request{vector["method"].get_ref<const std::string&>(), target, fields, delivery.body};
    const auto authentic = verify(source, request, at_unix(vector["now"]), scratch);
    if (!authentic) return {{"accepted", false}, {"check", name_of(authentic.error().check)}};
    return {{"accepted", true}, {"key", authentic->key_id}, {"events", events_in(source, request)}};
}

Json expected_of(const Json& vector) {
    if (!vector["accepted"]) return {{"accepted", false}, {"check", vector["check"]}};
    return {{"accepted", true}, {"key", vector["key"]}, {"events", expected_events(vector)}};
}

/// All that are built in, but Stripe's: its vectors are in tests/support.
std::vector<std::string> recipes_with_vectors() {
    std::vector<std::string> recipes;
    for (const BuiltinFile& file : builtin_files()) {
        const std::string recipe{file.name.substr(0, file.name.rfind('.'))};
        if (recipe != "stripe") recipes.push_back(recipe);
    }
    return recipes;
}

class Vectors : public testing::TestWithParam<std::string> {};

TEST_P(Vectors, AreJudgedAsTheyShould) {
    ASSERT_TRUE(std::filesystem::exists(std::filesystem::path{SLUICE_VECTORS} / (GetParam() + ".json")));
    const Json file = read_vectors(GetParam());
    ASSERT_GE(file["vectors"].size(), 25U);
    Files files;
    Scratch scratch;  // as a thread has it: of all requests before
    Json source;
    std::optional<Configured> configured;  // read anew only where it changes: that is what takes long
    for (const Json& vector : file["vectors"]) {
        const Json wanted = vector.value("source", file["source"]);
        if (wanted != source) configured.emplace(configured_for(wanted, file["recipe"], files));
        source = wanted;
        ASSERT_EQ(configured->sources.size(), 1U) << vector["name"] << '\n' << configured->problems.report();
        EXPECT_EQ(verdict_on(vector, configured->only(), scratch).dump(), expected_of(vector).dump())
            << vector["name"];
    }
}

INSTANTIATE_TEST_SUITE_P(Recipes, Vectors, testing::ValuesIn(recipes_with_vectors()), [](const auto& one) {
    std::string name = one.param;
    std::erase(name, '-');
    return name;
});

}  // namespace
}  // namespace sluice::webhook::test
