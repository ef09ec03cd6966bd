#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/config/section.hpp"
#include "consumer/effects/value/operand.hpp"

namespace sluice::effects {

/// The JSON of a message, as its effect's file has it with values of the event in their places. A :name is
/// what it is in `let`: text, a number, a boolean, a time as RFC 3339, or null. Written without spaces, keys
/// in the order of the file.
class MessageBody final : public MadeValue {
public:
    /// Larger ones park their event: a batch keeps those of all its events in memory.
    static constexpr std::size_t longest = 256'000;

    /// What is wrong goes to the value's problems: no mapping, a :name that nothing stands for, bytes.
    [[nodiscard]] static std::shared_ptr<const MessageBody> read(const config::Value& body, NameScope& names);

    /// Bytes that each message has at least.
    [[nodiscard]] std::size_t least_size() const noexcept;

    /// errc::out_of_range where it would be too long.
    [[nodiscard]] Result<store::Datum> make(const EventValues& event,
                                            std::pmr::memory_resource& made) const override;

private:
    /// Letters of the file, and a value behind them.
    struct Piece {
        std::string letters;
        std::optional<Operand> value;
        bool is_boolean = false;
    };
    class Reader;
    std::vector<Piece> pieces_;
};

}  // namespace sluice::effects
