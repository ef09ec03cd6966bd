#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/webhook/extract/items.hpp"
#include "common/webhook/recipe/program.hpp"
#include "common/webhook/signature/signed_inputs.hpp"
#include "common/webhook/signature/verify.hpp"
#include "ctl/send/signing/outgoing_request.hpp"
#include "tests/fuzz/engine/message.hpp"
#include "tests/fuzz/engine/tally.hpp"

namespace sluice::fuzz {

/// One source of a built-in recipe, and the provider's side of it: its keys, as far as they are shared.
class Party {
public:
    Party(std::shared_ptr<const webhook::Source> source, Tally& tally);

    [[nodiscard]] const webhook::Program& program() const noexcept { return *source_->program; }
    /// Whether every byte of the body is part of what is signed.
    [[nodiscard]] bool covers_body() const noexcept { return covers_body_; }

    /// From now on a header that is another recipe's first has the name of this one's first, and so on:
    /// otherwise an input would get past the front door of one recipe only.
    void meet(const Places& places);
    [[nodiscard]] std::span<const webhook::HeaderField> fields_of(const Message& message);

    /// The engine's verdict, counted. What is authentic is read as well.
    [[nodiscard]] std::optional<webhook::Check> judge(const webhook::Request& request, WallTime now,
                                                      bool explain = false);

    /// The request with a first signature that is right for all that it covers. Lives until the next one.
    /// Nothing where the request has no place for one, or it would take a private key.
    [[nodiscard]] std::optional<webhook::Request> signed_anew(const webhook::Request& request, WallTime now);
    /// What the provider would send at `usual_time`, but for the body; nothing where we cannot sign that.
    [[nodiscard]] std::optional<webhook::Request> usual(std::string_view body) const;
    static constexpr WallTime usual_time{std::chrono::seconds{1'795'258'000}};

private:
    using Text = std::span<const std::string_view>;
    struct Signer {
        const webhook::Key* key;
        std::move_only_function<std::string(Text)> sign;
    };

    [[nodiscard]] Signer* signer_of(const webhook::SignedInputs& inputs, WallTime now);
    [[nodiscard]] const webhook::JsonView* first_item(const webhook::Request& request);
    [[nodiscard]] bool replace(const webhook::Request& request, std::string_view old, std::string_view right);
    void extract(const webhook::Request& request);

    std::shared_ptr<const webhook::Source> source_;
    Tally& tally_;
    bool covers_body_;
    std::vector<Signer> signers_;
    std::optional<ctl::OutgoingRequest> usual_;
    std::vector<webhook::HeaderField> usual_fields_;
    std::vector<std::string_view> names_;  ///< of each of the places; empty: as it came

    // used again and again
    webhook::Scratch scratch_;
    webhook::Form form_;
    webhook::JsonView whole_;
    webhook::JsonView item_;
    webhook::Extracted extracted_;
    std::vector<webhook::HeaderField> fields_;
    std::vector<webhook::HeaderField> signed_fields_;
    std::string signed_value_;
    std::string signed_body_;
};

}  // namespace sluice::fuzz
