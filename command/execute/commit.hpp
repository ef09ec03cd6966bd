#pragma once

#include <cstdint>
#include <system_error>

#include "consumer/store/driver/open_transaction.hpp"

namespace sluice::command {

/// How a COMMIT ended.
struct Committed {
    enum class How : std::uint8_t {
        done,
        not_done,  ///< rolled back, with `error`
        unknown    ///< nobody said
    };
    How how = How::done;
    std::error_code error{};
};

[[nodiscard]] Committed commit(store::OpenTransaction& transaction);

}  // namespace sluice::command
