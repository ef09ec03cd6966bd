#pragma once

#include <deque>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "common/webhook/recipe/source.hpp"
#include "consumer/record/record.hpp"
#include "consumer/store/callback/callback.hpp"
#include "proto/callback.pb.h"

namespace sluice::consumer {

/// The rows of some records, of one log, in their order. Owns what the rows refer to, beside the records.
/// Pure.
class CallbackRows {
public:
    /// Of the webhook topic: one callback, which was accepted. Its body is in event_payload. False: it is not
    /// the ingress's.
    [[nodiscard]] bool add_event(const Record& record, const webhook::SourceSet& sources);
    /// Of the topic of callbacks. False: it is no batch of callbacks.
    [[nodiscard]] bool add_batch(const Record& record);

    /// The events of which a duplicate is among them.
    [[nodiscard]] std::vector<crypto::Digest> duplicated() const;
    /// Leaves out the requests of duplicates of `kept` events, and of all but the first of an event; masks
    /// what stays.
    void mask_all_but(std::set<crypto::Digest> kept);

    [[nodiscard]] std::span<const store::CallbackEntry> entries() const noexcept { return entries_; }

private:
    void add(const v1::Callback& callback, const store::CallbackPlace& place);
    void add_payment(store::CallbackEvent& event, const webhook::Source& source, std::string_view body);
    [[nodiscard]] std::string_view own(std::string text) { return texts_.emplace_back(std::move(text)); }

    std::vector<store::CallbackEntry> entries_;
    std::deque<record::EventHeaders> events_;
    std::deque<v1::CallbackBatch> batches_;
    std::deque<std::string> texts_;
};

}  // namespace sluice::consumer
