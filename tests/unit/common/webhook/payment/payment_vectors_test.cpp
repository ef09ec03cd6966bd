// What each provider's events say of payments (tests/vectors/payments), read by its built-in recipe.
#include <ranges>

#include <gtest/gtest.h>

#include "common/webhook/extract/object.hpp"
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

/// The numbers that an event gives its payment, and the object it is about.
struct ToldOfPayment {
    std::string name, kind, transaction, reference, object;
    bool apart = false;  ///< known to be in another lane than its payment: the provider's page says why
};

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

    std::string object_in(const Json& body) {
        EXPECT_TRUE(view_.read(body.dump()));
        const Request request;
        FactReader reader(request, view_);
        const auto object =
            object_of(reader, view_, RecipeSet::builtin().find(GetParam())->extraction.order_by);
        EXPECT_TRUE(object);
        return std::string(object.value_or(""));
    }
    /// The vectors that name their payment.
    std::vector<ToldOfPayment> told_of_payments() {
        std::vector<ToldOfPayment> told;
        for (const Json& vector : read_vectors("payments/" + GetParam())) {
            const Json& says = vector["says"];
            if (!says.is_object() || !says.value("transaction", Json{}).is_string()) continue;
            const Json order = says.value("reference", Json{});
            told.push_back({vector["name"], says["payment"], says["transaction"],
                            order.is_string() ? order : Json(""), object_in(vector["body"]),
                            vector.value("apart", false)});
        }
        return told;
    }

private:
    JsonView view_;
};

TEST_P(PaymentVectors, AreReadAsTheProviderMeansThem) {
    const Json vectors = read_vectors("payments/" + GetParam());
    ASSERT_GE(vectors.size(), 3U);
    for (const Json& vector : vectors)
        EXPECT_EQ(said_by(vector["body"], vector.value("with", Json::object())), vector["says"])
            << vector["name"];
}

/// A kind that no vector has was never seen to be read.
TEST_P(PaymentVectors, HaveEachKindOfTheRecipe) {
    const Json vectors = read_vectors("payments/" + GetParam());
    for (const PaymentCase& one : RecipeSet::builtin().find(GetParam())->payment->cases) {
        const auto has_it = [&one](const Json& vector) {
            return one.kind.empty() || one.kind == unknown_payment ||
                   (vector["says"].is_object() && vector["says"]["payment"] == one.kind);
        };
        EXPECT_TRUE(std::ranges::any_of(vectors, has_it)) << one.kind;
    }
}

/// A refund waits behind its payment, and a payment behind no other, unless both are of one order.
TEST_P(PaymentVectors, AreInTheLaneOfTheirPayment) {
    const auto told = told_of_payments();
    bool has_refund = !std::ranges::contains(told, "refunded", &ToldOfPayment::kind);
    for (const auto& [one, other] : std::views::cartesian_product(told, told)) {
        const bool same_lane = !one.object.empty() && one.object == other.object;
        has_refund |= one.kind == "paid" && other.kind == "refunded" && one.transaction == other.transaction;
        const bool same_order = !one.reference.empty() && one.reference == other.reference;
        if (one.transaction != other.transaction) {
            EXPECT_FALSE(same_lane && !same_order) << one.name << " / " << other.name;
        } else if (!one.apart || !other.apart) {
            EXPECT_EQ(same_lane, one.apart == other.apart) << one.name << " / " << other.name;
        }
    }
    EXPECT_TRUE(has_refund) << "no refund of a payment that is told of";
}

INSTANTIATE_TEST_SUITE_P(Recipe, PaymentVectors, testing::ValuesIn(recipes_with_payments()),
                         [](const auto& tested) {
                             std::string name = tested.param;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace sluice::webhook::test
