#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ctl/send/traffic/dice.hpp"
#include "ctl/send/traffic/sample_event.hpp"

namespace sluice::ctl {

/// A small shop as Stripe would tell of it: customers pay, get parts of payments back (running totals),
/// fail to pay invoices again and again, change their address. Objects come back, so order matters.
/// Only the chosen types are produced; with refunds alone, the payments are those of earlier days.
class StripeStory {
public:
    struct Settings {
        std::vector<std::string> types;  ///< from stripe_story_types(); not empty
        std::size_t customers = 20;      ///< at least 1; their ids: see customer_id()
        std::uint64_t seed = 1;
        std::int64_t created = 0;  ///< unix seconds of every event
    };

    explicit StripeStory(Settings settings);
    [[nodiscard]] SampleEvent next();

private:
    struct Payment {
        std::string id;
        std::string charge;
        std::string customer;
        std::int64_t amount = 0;
        std::int64_t refunded = 0;
        std::int64_t refunds = 0;
    };
    struct Count {
        std::string id;
        std::string customer;
        std::int64_t amount = 0;
        std::int64_t step = 0;
    };

    [[nodiscard]] std::string next_type();
    [[nodiscard]] bool tells(std::string_view type) const;
    [[nodiscard]] std::string any_customer();
    [[nodiscard]] Payment new_payment();
    [[nodiscard]] SampleEvent event(std::string type);
    [[nodiscard]] SampleEvent payment();
    [[nodiscard]] SampleEvent refund();
    [[nodiscard]] SampleEvent failed_invoice();
    [[nodiscard]] SampleEvent changed_customer();
    [[nodiscard]] SampleEvent meter_errors();

    Settings settings_;
    Dice dice_;
    std::vector<Payment> refundable_;
    std::vector<Count> open_invoices_;
    std::map<std::string, std::int64_t> revisions_;  // of customers
};

/// The types that the story can tell, those that move money first.
[[nodiscard]] const std::vector<std::string>& stripe_story_types();

/// Whether StripeStory knows all these types; SampleStory makes the others.
[[nodiscard]] bool is_stripe_story(std::string_view recipe, const std::vector<std::string>& types);

/// "cus_sample00000001" for 0: known ahead of a run, so that wallets can be made for them.
[[nodiscard]] std::string customer_id(std::size_t index);

}  // namespace sluice::ctl
