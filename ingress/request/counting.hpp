#pragma once

#include "common/webhook/body/json_view.hpp"
#include "ingress/dedup/shared_limits.hpp"
#include "ingress/request/routes.hpp"

namespace sluice::ingress {

/// What an authentic request is counted under, over all processes: the source, and the account that its body
/// names. Without limits: under nothing. An event in which one of the
/// fields of `limits.account.by` is neither a text nor a whole number is of no account. `body`: nullptr where
/// several events are in it.
[[nodiscard]] dedup::Counting counting_of(const Route& route, const webhook::JsonView* body);

/// For the log: "source" or "account". Of a request that is over a limit.
[[nodiscard]] std::string_view limit_name(const Route& route, const dedup::Counting& counting);

}  // namespace sluice::ingress
