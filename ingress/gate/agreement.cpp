#include "ingress/gate/agreement.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>

namespace sluice::gate {
namespace {

namespace beast = boost::beast::http;
using Text = boost::beast::string_view;
using Error = boost::system::error_code;

/// Beast's parser with nothing behind it: what it reads is compared at once, not kept.
class Comparison final : public beast::basic_parser<true> {
public:
    explicit Comparison(const Head& head) : head_{head} {
        header_limit(max_head_bytes + 1);
        body_limit(boost::none);
    }

    [[nodiscard]] bool agrees() const {
        return agrees_ && fields_ == head_.count && same_framing() && same_end();
    }

private:
    void on_request_impl(beast::verb, Text method, Text target, int version, Error&) override {
        const int gates = head_.is_http_1_0 ? 10 : 11;
        agrees_ = method == head_.method && target == head_.target && version == gates;
    }
    void on_field_impl(beast::field, Text name, Text value, Error&) override {
        const auto gates = head_.fields();
        agrees_ =
            agrees_ && fields_ < gates.size() && name == gates[fields_].name && value == gates[fields_].value;
        ++fields_;
    }

    // The head alone is parsed.
    void on_header_impl(Error&) override {}
    void on_body_init_impl(const boost::optional<std::uint64_t>&, Error&) override {}
    std::size_t on_body_impl(Text, Error&) override { return 0; }
    void on_chunk_header_impl(std::uint64_t, Text, Error&) override {}
    std::size_t on_chunk_body_impl(std::uint64_t, Text, Error&) override { return 0; }
    void on_finish_impl(Error&) override {}
    void on_response_impl(int, Text, int, Error&) override {}

    [[nodiscard]] bool same_framing() const {
        const auto length = content_length();
        switch (head_.framing.kind) {
            case Framing::Kind::chunked:
                return chunked() && !length;
            case Framing::Kind::length:
                return !chunked() && length && *length == head_.framing.length;
            case Framing::Kind::none:
                return !chunked() && !length;
        }
        return false;
    }

    /// Beast would keep a connection that speaks HTTP/1.0 and asks for it; closing it confuses no client.
    [[nodiscard]] bool same_end() const {
        return head_.is_http_1_0 ? !head_.keep_alive : keep_alive() == head_.keep_alive;
    }

    const Head& head_;
    std::size_t fields_ = 0;
    bool agrees_ = false;
};

}  // namespace

bool beast_agrees(std::string_view bytes, const Head& head) {
    Comparison comparison{head};
    Error error;
    const std::size_t taken = comparison.put(boost::asio::buffer(bytes), error);
    return !error && taken == bytes.size() && comparison.is_header_done() && comparison.agrees();
}

}  // namespace sluice::gate
