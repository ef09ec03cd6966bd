#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/clock.hpp"
#include "common/webhook/extract/extract.hpp"
#include "common/webhook/http/request.hpp"
#include "proto/callback.pb.h"

/// The record of callbacks that have no record of their own in Kafka.
namespace sluice::callbacks {

/// A request that was decided (proto/callback.proto). The views live during the call.
struct Callback {
    WallTime received_at{};
    std::string_view source{};  ///< its name; empty: no source has this address
    std::string_view verdict{};
    std::string_view reason{};
    unsigned status = 0;
    std::string_view client{};
    std::uint64_t requests = 1;
    std::string_view trace{};
    std::optional<std::size_t> body_size{};  ///< nullopt: nobody read it, or said it
    std::chrono::microseconds took{};
    const webhook::Extracted* event = nullptr;
    std::span<const webhook::HeaderField> headers{};
    std::optional<std::string_view> body{};  ///< nullopt: it is not kept
};

/// Callbacks in the form of one record's value. One thread's.
class CallbackBatch {
public:
    void add(const Callback& callback);

    [[nodiscard]] bool empty() const noexcept { return bytes_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return bytes_.size(); }
    [[nodiscard]] std::uint64_t requests() const noexcept { return requests_; }  ///< that it is about
    /// Its bytes; it is empty then.
    [[nodiscard]] std::string take();

private:
    std::string bytes_;
    std::uint64_t requests_ = 0;
    v1::Callback callback_;  // its memory is used again
};

}  // namespace sluice::callbacks
