#pragma once

#include <string>
#include <string_view>

#include "common/webhook/recipe/program.hpp"
#include "ctl/cli/json.hpp"
#include "ctl/send/signing/outgoing_request.hpp"
#include "ctl/send/signing/signing_key.hpp"

namespace sluice::ctl {

/// The whole value of the header or field that holds the signature `written`: with what the recipe puts
/// before, around and between. `timestamp` is for recipes that keep it there.
[[nodiscard]] std::string signature_value(const webhook::Program& program, const SigningKey& key,
                                          const std::string& timestamp, std::string_view written);

/// Puts that value where the recipe looks for it, in addition to what is there. Not for signatures of items.
void place_signature(OutgoingRequest& request, const webhook::Program& program, const std::string& value);

/// Every item of a delivery, as the recipe finds them.
[[nodiscard]] std::vector<Json*> items_of(Json& delivery, const webhook::ItemsRule& rule);

}  // namespace sluice::ctl
