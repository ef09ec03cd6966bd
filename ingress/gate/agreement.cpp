#include "ingress/gate/agreement.hpp"

#include <memory_resource>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>

namespace sluice::gate {
namespace {

namespace http = boost::beast::http;

/// A std::pmr allocator that Beast's fields accept: they ask for one that moves with its container.
template <class T>
struct ArenaAllocator {
    using value_type = T;
    using propagate_on_container_move_assignment = std::true_type;

    std::pmr::memory_resource* arena;

    explicit ArenaAllocator(std::pmr::memory_resource* memory) : arena{memory} {}
    template <class U>
    ArenaAllocator(const ArenaAllocator<U>& other) : arena{other.arena} {}

    T* allocate(std::size_t n) { return static_cast<T*>(arena->allocate(n * sizeof(T), alignof(T))); }
    void deallocate(T* p, std::size_t n) { arena->deallocate(p, n * sizeof(T), alignof(T)); }

    template <class U>
    bool operator==(const ArenaAllocator<U>& other) const {
        return arena == other.arena;
    }
};

using Parser = http::request_parser<http::empty_body, ArenaAllocator<char>>;

bool same_framing(const Parser& parser, const Framing& framing) {
    const auto length = parser.content_length();
    switch (framing.kind) {
        case Framing::Kind::chunked:
            return parser.chunked() && !length;
        case Framing::Kind::length:
            return !parser.chunked() && length && *length == framing.length;
        case Framing::Kind::none:
            return !parser.chunked() && !length;
    }
    return false;
}

std::size_t count(const Parser& parser) {
    return static_cast<std::size_t>(std::distance(parser.get().begin(), parser.get().end()));
}

}  // namespace

bool SecondOpinion::agrees(std::string_view bytes, const Head& head) {
    std::pmr::monotonic_buffer_resource arena{memory_.data(), memory_.size()};
    const ArenaAllocator<char> allocator{&arena};
    Parser parser{std::piecewise_construct, std::make_tuple(), std::make_tuple(allocator)};
    parser.header_limit(max_head_bytes + 1);
    parser.body_limit(boost::none);
    boost::system::error_code error;
    const std::size_t taken = parser.put(boost::asio::buffer(bytes), error);
    if (error || taken != bytes.size() || !parser.is_header_done()) return false;
    return parser.get().method_string() == head.method && parser.get().target() == head.target &&
           count(parser) == head.count && same_framing(parser, head.framing) &&
           parser.keep_alive() == head.keep_alive;
}

}  // namespace sluice::gate
