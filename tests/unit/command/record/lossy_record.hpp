#pragma once

#include <deque>

#include "command/record/call_record.hpp"

namespace sluice::command {

/// One key's record in memory, whose next answers may get lost: before the change is made, or after it.
class LossyRecord final : public CallRecord {
public:
    enum class Loss : std::uint8_t { none, before, after };

    Recorded<bool> insert(const NewCall& call) override {
        return lossy([&] {
            if (known) return false;
            known = {.claim = call.claim, .fingerprint = call.request.fingerprint};
            known->claim.fence = 1;
            return true;
        });
    }
    Recorded<bool> restart(const KnownCall& seen, const NewCall& call) override {
        return lossy([&] {
            if (known->claim != seen.claim || !known->end) return false;
            known->end.reset();
            known->fingerprint = call.request.fingerprint;
            pass_on(call.claim.owner);
            return true;
        });
    }
    Recorded<bool> take_over(const Claim& from, const std::string& owner, Milliseconds) override {
        return lossy([&] {
            if (known->claim != from || known->end || !known->is_due) return false;
            known->is_due = false;
            pass_on(owner);
            return true;
        });
    }
    Recorded<bool> advance(const Claim&, Milliseconds) override { return false; }
    Recorded<bool> finish(const Claim& claim, const CallEnd& end, std::chrono::seconds) override {
        if (forgets_at_end) known.reset();
        return lossy([&] {
            if (!known || known->claim != claim || known->end) return false;
            known->end = end;
            return true;
        });
    }
    Recorded<bool> settle(const KnownCall&, const CallEnd&, std::chrono::seconds) override { return false; }
    Recorded<std::optional<KnownCall>> find(const crypto::Digest&) override { return known; }
    Recorded<std::chrono::microseconds> oldest_age(std::size_t) override {
        return std::unexpected{"not asked for"};
    }
    Recorded<std::int64_t> given_up(std::size_t) override { return std::unexpected{"not asked for"}; }
    Recorded<std::vector<Claim>> due(std::size_t) override {
        return known && known->is_due ? std::vector{known->claim} : std::vector<Claim>{};
    }

    std::optional<KnownCall> known;
    std::deque<Loss> losses;
    bool forgets_at_end = false;

private:
    void pass_on(const std::string& owner) {
        known->claim.owner = owner;
        ++known->claim.fence;
    }
    template <class Change>
    Recorded<bool> lossy(Change change) {
        const Loss loss = losses.empty() ? Loss::none : losses.front();
        if (!losses.empty()) losses.pop_front();
        if (loss == Loss::before) return std::unexpected{"lost"};
        const bool made = change();
        if (loss == Loss::after) return std::unexpected{"lost"};
        return made;
    }
};

}  // namespace sluice::command
