#pragma once

#include "consumer/effects/handler/handler.hpp"

namespace sluice::handlers {

/// Gives a paid order its voucher codes, the lowest free ones of its product. `defer` where the order is not
/// there yet; a case `amount_mismatch` where another amount or currency was paid, `sold_out` where too few
/// codes are free. An order that has its codes gets no more, whatever pays it again. Tables:
/// docs/handlers.md.
[[nodiscard]] effects::Handler give_vouchers();

}  // namespace sluice::handlers
