#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ctl/signing/outgoing_request.hpp"
#include "ingress/verify/items.hpp"
#include "ingress/verify/program.hpp"
#include "ingress/verify/signed_inputs.hpp"
#include "ingress/verify/verify.hpp"
#include "tests/fuzz/engine/message.hpp"
#include "tests/fuzz/engine/tally.hpp"

namespace sluice::fuzz {

/// One source of a built-in recipe, and the provider's side of it: its keys, as far as they are shared.
class Party {
public:
    Party(std::shared_ptr<const verify::Source> source, Tally& tally);

    [[nodiscard]] const verify::Program& program() const noexcept { return *source_->program; }
    /// Whether every byte of the body is part of what is signed.
    [[nodiscard]] bool covers_body() const noexcept { return covers_body_; }

    /// From now on a header that is another recipe's first has the name of this one's first, and so on:
    /// otherwise an input would get past the front door of one recipe only.
    void meet(const Places& places);
    [[nodiscard]] std::span<const verify::HeaderField> fields_of(const Message& message);

    /// The engine's verdict, counted. What is authentic is read as well.
    [[nodiscard]] std::optional<verify::Check> judge(const verify::Request& request, WallTime now,
                                                     bool explain = false);

    /// The request with a first signature that is right for all that it covers. Lives until the next one.
    /// Nothing where the request has no place for one, or it would take a private key.
    [[nodiscard]] std::optional<verify::Request> signed_anew(const verify::Request& request, WallTime now);
    /// What the provider would send at `usual_time`, but for the body; nothing where we cannot sign that.
    [[nodiscard]] std::optional<verify::Request> usual(std::string_view body) const;
    static constexpr WallTime usual_time{std::chrono::seconds{1'795'258'000}};

private:
    using Text = std::span<const std::string_view>;
    struct Signer {
        const verify::Key* key;
        std::move_only_function<std::string(Text)> sign;
    };

    [[nodiscard]] Signer* signer_of(const verify::SignedInputs& inputs, WallTime now);
    [[nodiscard]] const verify::JsonView* first_item(const verify::Request& request);
    [[nodiscard]] bool replace(const verify::Request& request, std::string_view old, std::string_view right);
    void extract(const verify::Request& request);

    std::shared_ptr<const verify::Source> source_;
    Tally& tally_;
    bool covers_body_;
    std::vector<Signer> signers_;
    std::optional<ctl::OutgoingRequest> usual_;
    std::vector<verify::HeaderField> usual_fields_;
    std::vector<std::string_view> names_;  ///< of each of the places; empty: as it came

    // used again and again
    verify::Scratch scratch_;
    verify::Form form_;
    verify::JsonView whole_;
    verify::JsonView item_;
    verify::Extracted extracted_;
    std::vector<verify::HeaderField> fields_;
    std::vector<verify::HeaderField> signed_fields_;
    std::string signed_value_;
    std::string signed_body_;
};

}  // namespace sluice::fuzz
