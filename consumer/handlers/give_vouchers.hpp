#pragma once

#include "consumer/effects/handler/handler.hpp"

namespace sluice::handlers {

/// Gives a paid order its voucher codes, the lowest free ones of its product. `defer` where the order is not
/// there yet; a case `amount_mismatch` where another amount or currency was paid, `sold_out` where too few
/// codes are free, `paid_twice` where the order has its codes and another transaction pays it again. The same
/// transaction once more changes nothing. Tables: docs/handlers.md.
[[nodiscard]] effects::Handler give_vouchers();

}  // namespace sluice::handlers
