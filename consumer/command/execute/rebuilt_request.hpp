#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/record/event_record.hpp"
#include "common/webhook/http/request.hpp"
#include "common/webhook/recipe/program.hpp"

namespace sluice::consumer {

/// What a provider sent, out of the record that was made of it: as much as its signature takes in. `event`
/// outlives it.
class RebuiltRequest {
public:
    RebuiltRequest(const webhook::Program& program, const record::EventHeaders& event);

    /// With this body. The view lives as long as the body and this.
    [[nodiscard]] webhook::Request with(std::string_view body) const noexcept {
        return {"POST", target_, headers_, body};
    }

private:
    std::string target_;
    std::vector<webhook::HeaderField> headers_;
};

/// Whether parameters of the target take part in the signature. A record keeps no target: of one whose
/// parameter names the object the value is known, any other is lost.
[[nodiscard]] bool has_signed_query(const webhook::Program& program) noexcept;

}  // namespace sluice::consumer
