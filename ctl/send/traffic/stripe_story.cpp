#include "ctl/send/traffic/stripe_story.hpp"

#include <algorithm>
#include <array>
#include <format>

namespace sluice::ctl {
namespace {

struct Share {
    const char* type;
    std::uint64_t weight;
};

constexpr std::array<Share, 5> shares{{{"payment_intent.succeeded", 8},
                                       {"charge.refunded", 4},
                                       {"invoice.payment_failed", 2},
                                       {"customer.updated", 4},
                                       {"v1.billing.meter.error_report_triggered", 2}}};

constexpr std::size_t most_refundable = 500;  // payments that a refund may still come for
constexpr std::size_t most_open_invoices = 100;
constexpr std::int64_t last_dunning_step = 4;

std::uint64_t weight_of(const std::string& type) {
    const auto* share = std::ranges::find(shares, type, &Share::type);
    return share == shares.end() ? 1 : share->weight;
}

template <class T>
void forget(std::vector<T>& list, std::size_t index) {
    list[index] = std::move(list.back());
    list.pop_back();
}

}  // namespace

StripeStory::StripeStory(Settings settings) : settings_{std::move(settings)}, dice_{settings_.seed} {}

SampleEvent StripeStory::next() {
    const std::string type = next_type();
    if (type == "payment_intent.succeeded") return payment();
    if (type == "charge.refunded") return refund();
    if (type == "invoice.payment_failed") return failed_invoice();
    if (type == "customer.updated") return changed_customer();
    return meter_errors();
}

std::string StripeStory::next_type() {
    std::uint64_t whole = 0;
    for (const auto& type : settings_.types) whole += weight_of(type);
    std::uint64_t point = dice_.below(whole);
    for (const auto& type : settings_.types) {
        if (point < weight_of(type)) return type;
        point -= weight_of(type);
    }
    return settings_.types.back();
}

bool StripeStory::tells(std::string_view type) const {
    return std::ranges::contains(settings_.types, type);
}

std::string StripeStory::any_customer() {
    return customer_id(dice_.below(settings_.customers));
}

SampleEvent StripeStory::event(std::string type) {
    SampleEvent event;
    event.type = std::move(type);
    event.id = dice_.id("evt_1");
    event.created = settings_.created;
    return event;
}

StripeStory::Payment StripeStory::new_payment() {
    const std::string tail = dice_.id("", 24);
    return {.id = "pi_3" + tail,
            .charge = "ch_3" + tail,
            .customer = any_customer(),
            .amount = 500 + static_cast<std::int64_t>(dice_.below(49'500))};
}

SampleEvent StripeStory::payment() {
    SampleEvent event = this->event("payment_intent.succeeded");
    const Payment payment = new_payment();
    event.object = payment.id;
    event.charge = payment.charge;
    event.customer = payment.customer;
    event.amount = payment.amount;
    if (tells("charge.refunded")) {
        if (refundable_.size() == most_refundable) forget(refundable_, dice_.below(most_refundable));
        refundable_.push_back(payment);
    }
    return event;
}

SampleEvent StripeStory::refund() {
    if (refundable_.empty()) {
        if (tells("payment_intent.succeeded")) return payment();
        refundable_.push_back(new_payment());
    }
    const std::size_t index = dice_.below(refundable_.size());
    Payment& payment = refundable_[index];
    const std::int64_t rest = payment.amount - payment.refunded;
    const bool is_whole = rest < 200 || dice_.below(4) == 0;
    const std::int64_t part =
        is_whole ? rest : 1 + static_cast<std::int64_t>(dice_.below(static_cast<std::uint64_t>(rest - 1)));

    SampleEvent event = this->event("charge.refunded");
    event.object = payment.id;
    event.charge = payment.charge;
    event.customer = payment.customer;
    event.amount = payment.amount;
    event.before = payment.refunded;
    event.after = payment.refunded += part;
    event.step = ++payment.refunds;
    if (payment.refunded == payment.amount) forget(refundable_, index);
    return event;
}

SampleEvent StripeStory::failed_invoice() {
    const bool is_new =
        open_invoices_.empty() || (open_invoices_.size() < most_open_invoices && dice_.below(2) == 0);
    if (is_new) {
        open_invoices_.push_back({.id = dice_.id("in_1"),
                                  .customer = any_customer(),
                                  .amount = 900 + static_cast<std::int64_t>(dice_.below(9'100))});
    }
    const std::size_t index = is_new ? open_invoices_.size() - 1 : dice_.below(open_invoices_.size());
    Count& invoice = open_invoices_[index];
    SampleEvent event = this->event("invoice.payment_failed");
    event.object = invoice.id;
    event.customer = invoice.customer;
    event.amount = invoice.amount;
    event.step = ++invoice.step;
    if (invoice.step == last_dunning_step) forget(open_invoices_, index);
    return event;
}

SampleEvent StripeStory::changed_customer() {
    SampleEvent event = this->event("customer.updated");
    event.customer = any_customer();
    event.object = event.customer;
    event.step = ++revisions_[event.customer];
    event.before = -100 * (event.step - 1);
    event.after = -100 * event.step;
    return event;
}

SampleEvent StripeStory::meter_errors() {
    SampleEvent event = this->event("v1.billing.meter.error_report_triggered");
    event.id = dice_.id("evt_test_");
    event.object = std::format("mtr_sample{:08}", 1 + dice_.below(5));
    return event;
}

const std::vector<std::string>& stripe_story_types() {
    static const std::vector<std::string> types = [] {
        std::vector<std::string> all;
        for (const auto& share : shares) all.emplace_back(share.type);
        return all;
    }();
    return types;
}

bool is_stripe_story(std::string_view recipe, const std::vector<std::string>& types) {
    return recipe == "stripe" && std::ranges::all_of(types, [](const std::string& type) {
               return std::ranges::contains(stripe_story_types(), type);
           });
}

std::string customer_id(std::size_t index) {
    return std::format("cus_sample{:08}", index + 1);
}

}  // namespace sluice::ctl
