#pragma once

#include <vector>

#include "common/result.hpp"
#include "consumer/quarantine/kept_request.hpp"
#include "consumer/record/record.hpp"

namespace sluice::consumer {

/// The events of a kept request as this source's recipe reads them today: for each the record that the
/// ingress would have published, decoded, at the place of `kept`, in the order of the delivery. Each owns its
/// memory. `body` is the request's, or an operator's in its place. errc::unreadable_body and the like
/// (common/webhook/extract/extract.hpp) when not all of them can be read.
[[nodiscard]] Result<std::vector<Item>> read_again(const Record& kept, const KeptRequest& request,
                                                   std::string_view body, const webhook::Source& source);

}  // namespace sluice::consumer
