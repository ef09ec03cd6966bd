#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/webhook/body/json_index.hpp"
#include "common/webhook/gate/head.hpp"

namespace sluice::connection {

/// What simdjson may read beyond the end of a body.
inline constexpr std::size_t json_padding = webhook::JsonIndex::padding;

/// How much of a large body's memory is made ready before bytes for it come; twice what has come after that.
inline constexpr std::size_t least_body_step = 16 * 1024;

/// The memory that one request in progress needs: bytes as they came, the head's views into them, and
/// a separate place for a body that does not fit after its head.
class RequestBuffer {
public:
    static constexpr std::size_t capacity = gate::max_head_bytes + 4096;

    /// Pages of its own: they go back to the machine with the buffer. From the heap, what a burst of
    /// connections took would stay, between small pieces that are in use.
    static void* operator new(std::size_t size);
    static void operator delete(void* pages, std::size_t size) noexcept;

    gate::Head head;
    std::string answer;  ///< on its way: the date in it is one second's, and other requests come meanwhile
    std::string body;    ///< large or chunked bodies; `json_padding` bytes beyond its size are readable

    [[nodiscard]] std::string_view bytes() const noexcept { return {memory_.data(), filled_}; }
    [[nodiscard]] std::span<char> room() noexcept { return {memory_.data() + filled_, capacity - filled_}; }
    void filled(std::size_t more) noexcept { filled_ += more; }
    /// Drops the first `count` bytes and moves what follows (the beginning of the next request) to the front.
    void drop(std::size_t count) noexcept;
    /// Drops the bytes from `first` up to `last` and closes the gap.
    void drop_between(std::size_t first, std::size_t last) noexcept;
    /// Whether a body of `length` bytes and the padding fit behind the first `offset` bytes.
    [[nodiscard]] static constexpr bool fits(std::size_t offset, std::size_t length) noexcept {
        return offset + length + json_padding <= capacity;
    }
    void clear() noexcept;

private:
    std::size_t filled_ = 0;
    std::array<char, capacity + json_padding> memory_;
};

/// Buffers of one io_context; idle connections have none. One thread.
class BufferPool {
public:
    struct GiveBack {
        BufferPool* pool;
        void operator()(RequestBuffer* buffer) const noexcept;
    };
    using Lease = std::unique_ptr<RequestBuffer, GiveBack>;

    [[nodiscard]] Lease take();

private:
    static constexpr std::size_t most_kept = 256;
    std::vector<std::unique_ptr<RequestBuffer>> free_;
};

}  // namespace sluice::connection
