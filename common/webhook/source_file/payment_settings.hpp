#pragma once

#include "common/webhook/recipe/payment_rule.hpp"
#include "common/webhook/source_file/read_settings.hpp"

namespace sluice::webhook {

/// A recipe's rule as one source has it: the cases of its settings, and pointers whose last part a setting
/// names.
[[nodiscard]] PaymentRule with_settings(PaymentRule rule, const SettingValues& with);

}  // namespace sluice::webhook
