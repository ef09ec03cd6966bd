// What each provider's events say of payments (tests/vectors/payments), read by its built-in recipe.
#include <gtest/gtest.h>

#include "common/webhook/payment/payment.hpp"
#include "common/webhook/recipe_file/recipe_set.hpp"
#include "common/webhook/source_file/payment_settings.hpp"
#include "tests/unit/common/webhook/vector_files.hpp"

namespace sluice::webhook::test {
namespace {

std::vector<std::string> recipes_with_payments() {
    std::vector<std::string> names;
    for (const Recipe& one : RecipeSet::builtin().all())
        if (one.payment) names.push_back(one.name);
    return names;
}

Json in_json(const PaymentValue& value) {
    if (!value.trouble.empty()) return {{"trouble", value.trouble}};
    if (const auto* text = std::get_if<std::string>(&value.value)) return *text;
    if (const auto* number = std::get_if<std::int64_t>(&value.value)) return *number;
    if (const auto* time = std::get_if<WallTime>(&value.value)) return to_rfc3339(*time);
    return {};
}

Json in_json(const Payment& payment) {
    Json facts = Json::object();
    for (std::size_t i = 0; i < payment_facts.size(); ++i) {
        const Json value = in_json(payment.values[i]);
        if (!value.is_null()) facts[payment_facts[i]] = value;
    }
    return facts;
}

class PaymentVectors : public testing::TestWithParam<std::string> {
protected:
    Json said_by(const Json& body, const Json& settings) {
        SettingValues with;
        with.texts = {{"reference_key", "order_id"}, {"capture", "automatic"}};
        for (const auto& [name, value] : settings.items()) with.texts[name] = value.get<std::string>();
        const PaymentRule rule = with_settings(*RecipeSet::builtin().find(GetParam())->payment, with);
        EXPECT_TRUE(view_.read(body.dump()));
        const auto its = case_of(rule, view_);
        if (!its) return its.error().message();
        return *its != nullptr ? in_json(payment_of(rule, **its, view_)) : Json{};
    }

private:
    JsonView view_;
};

TEST_P(PaymentVectors, AreReadAsTheProviderMeansThem) {
    std::ifstream file(std::filesystem::path(SLUICE_VECTORS) / "payments" / (GetParam() + ".json"));
    const Json vectors = Json::parse(file);
    ASSERT_GE(vectors.size(), 3U);
    for (const Json& vector : vectors)
        EXPECT_EQ(said_by(vector["body"], vector.value("with", Json::object())), vector["says"])
            << vector["name"];
}

/// A kind that no vector has was never seen to be read.
TEST_P(PaymentVectors, HaveEachKindOfTheRecipe) {
    std::ifstream file(std::filesystem::path(SLUICE_VECTORS) / "payments" / (GetParam() + ".json"));
    const Json vectors = Json::parse(file);
    for (const PaymentCase& one : RecipeSet::builtin().find(GetParam())->payment->cases) {
        const auto has_it = [&one](const Json& vector) {
            return one.kind.empty() || one.kind == unknown_payment ||
                   (vector["says"].is_object() && vector["says"]["payment"] == one.kind);
        };
        EXPECT_TRUE(std::ranges::any_of(vectors, has_it)) << one.kind;
    }
}

INSTANTIATE_TEST_SUITE_P(Recipe, PaymentVectors, testing::ValuesIn(recipes_with_payments()),
                         [](const auto& tested) {
                             std::string name = tested.param;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace sluice::webhook::test
