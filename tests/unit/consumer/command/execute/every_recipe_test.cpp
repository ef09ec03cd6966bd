// Requests as the providers sign them (tests/vectors): what the ingress makes of them is authentic years
// later too, and no longer once a byte of what is signed is another.
#include <gtest/gtest.h>

#include <map>

#include "common/webhook/extract/content_digest.hpp"
#include "common/webhook/extract/decode.hpp"
#include "common/webhook/recipe_file/recipe_set.hpp"
#include "tests/unit/common/webhook/vector_files.hpp"
#include "tests/unit/consumer/command/execute/stored_records.hpp"

namespace sluice::consumer::test {
namespace {

using webhook::test::Json;

std::string body_of_vector(const Json& vector) {
    if (vector.contains("body")) return vector["body"];
    return crypto::from_base64(vector["body_base64"].get<std::string>()).value();
}

std::vector<std::string> recipes_but_stripe() {
    std::vector<std::string> recipes;
    for (const webhook::BuiltinFile& file : webhook::builtin_files()) {
        const std::string recipe{file.name.substr(0, file.name.rfind('.'))};
        if (recipe != "stripe") recipes.push_back(recipe);
    }
    return recipes;
}

class EveryRecipe : public testing::TestWithParam<std::string> {
protected:
    /// Judges the records of each accepted request, under the source that it was accepted by.
    template <class Judge>
    std::size_t for_each_record(Judge judge) {
        const Json file = webhook::test::read_vectors(GetParam());
        std::size_t records = 0;
        for (const Json& vector : file["vectors"]) {
            if (!vector["accepted"]) continue;
            configure(vector.value("source", file["source"]));
            for (Stored& record : records_of_vector(vector)) {
                SCOPED_TRACE(vector["name"].get<std::string>());
                judge(record);
                ++records;
            }
        }
        return records;
    }

    [[nodiscard]] Authentic check(const Stored& record) {
        const Item item = record.item();
        return Authenticity{configured_->sources, &shelf_}.check(item.record);
    }

    /// By the record's content digest.
    [[nodiscard]] bool says_the_same(Stored& record) {
        const webhook::Source& source = configured_->only();
        const webhook::Extraction& rules = source.program->extraction;
        webhook::JsonView view;
        if (!webhook::decode(source, record.body, view)) return false;
        const auto digest = rules.fields_digest
                                ? webhook::fields_digest(*rules.fields_digest, record.body)
                                : webhook::content_digest(rules.digest, record.header("ce_id"), view);
        return digest && crypto::to_hex(*digest) == record.header("sluice-digest");
    }
    /// The key comes with the message, or what is signed stands in the query as well.
    [[nodiscard]] bool may_be_unknown() {
        return configured_->only().program->certificate || GetParam() == "mercado-pago";
    }

    Shelf shelf_;

private:
    /// With the recipe's own order_by, which says where Mercado Pago's object stands.
    void configure(Json source) {
        source.erase("order_by");
        if (source == source_) return;
        source_ = source;
        configured_.emplace(webhook::test::configured_for(source, GetParam(), files_));
    }

    std::vector<Stored> records_of_vector(const Json& vector) {
        webhook::test::Delivery delivery{{}, body_of_vector(vector)};
        for (const Json& header : vector["headers"]) delivery.headers.emplace_back(header[0], header[1]);
        shelf_.keep(delivery.body);
        const auto fields = delivery.fields();
        const std::string target = vector["target"];
        return records_of(configured_->only(), {"POST", target, fields, delivery.body},
                          webhook::test::at_unix(vector["now"]));
    }

    webhook::test::Files files_;
    Json source_;
    std::optional<webhook::test::Configured> configured_;
};

TEST_P(EveryRecipe, WhatTheIngressTookIsAuthentic) {
    const std::size_t records =
        for_each_record([&](const Stored& record) { EXPECT_EQ(check(record), Authentic::yes); });
    EXPECT_GT(records, 3U);
}

// Fields of a form or an item that nothing covers may change; what two deliveries of one event share may not.
TEST_P(EveryRecipe, AChangedByteOfTheBodyIsSeen) {
    std::map<Authentic, std::size_t> verdicts;
    for_each_record([&](Stored& record) {
        const std::size_t step = record.body.size() / 20 + 1;
        for (std::size_t at = 0; at < record.body.size(); at += step) {
            record.body[at] ^= 0x01;
            const Authentic verdict = check(record);
            ++verdicts[verdict];
            EXPECT_TRUE(verdict != Authentic::yes || says_the_same(record)) << record.body << " at " << at;
            EXPECT_TRUE(verdict != Authentic::unknown || may_be_unknown()) << record.body << " at " << at;
            record.body[at] ^= 0x01;
        }
    });
    EXPECT_GT(verdicts[Authentic::no], 0U);
}

INSTANTIATE_TEST_SUITE_P(Recipes, EveryRecipe, testing::ValuesIn(recipes_but_stripe()), [](const auto& one) {
    std::string name = one.param;
    std::erase(name, '-');
    return name;
});

}  // namespace
}  // namespace sluice::consumer::test
