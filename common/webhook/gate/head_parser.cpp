#include "common/webhook/gate/head_parser.hpp"

#include <limits>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>

#include "common/webhook/gate/request_line.hpp"

namespace sluice::gate {
namespace {

namespace beast = boost::beast::http;
using Text = boost::beast::string_view;
using Error = boost::system::error_code;

/// Beast's parser, with our head behind it.
class HeadParser final : public beast::basic_parser<true> {
public:
    HeadParser(std::string_view bytes, Head& head) : bytes_{bytes}, head_{head} {
        header_limit(std::numeric_limits<std::uint32_t>::max());  // find_head_end has the limit
        body_limit(boost::none);
    }

    [[nodiscard]] bool takes_all() {
        Error error;
        const std::size_t taken = put(boost::asio::buffer(bytes_), error);
        return !error && taken == bytes_.size() && is_header_done();
    }

private:
    void on_request_impl(beast::verb, Text method, Text target, int version, Error& error) override {
        head_.method = method;
        head_.target = target;
        head_.is_http_1_0 = version == 10;
        if (!check_method(head_.method) || !check_target(head_.target)) error = beast::error::bad_target;
        const std::size_t mark = head_.target.find('?');
        head_.path = head_.target.substr(0, mark);
        head_.query = mark == head_.target.npos ? std::string_view{} : head_.target.substr(mark + 1);
    }

    void on_field_impl(beast::field, Text name, Text value, Error& error) override {
        if (head_.count == max_fields || !is_ours(value))
            error = beast::error::bad_field;
        else
            head_.all[head_.count++] = {name, value};
    }

    void on_header_impl(Error&) override {
        const auto length = content_length();
        head_.framing = {};
        if (chunked()) head_.framing.kind = Framing::Kind::chunked;
        if (length) head_.framing = {Framing::Kind::length, *length};
        head_.keep_alive = keep_alive();
    }

    // The head alone is parsed.
    void on_body_init_impl(const boost::optional<std::uint64_t>&, Error&) override {}
    std::size_t on_body_impl(Text, Error&) override { return 0; }
    void on_chunk_header_impl(std::uint64_t, Text, Error&) override {}
    std::size_t on_chunk_body_impl(std::uint64_t, Text, Error&) override { return 0; }
    void on_finish_impl(Error&) override {}
    void on_response_impl(int, Text, int, Error&) override {}

    /// A folded value would lie in a buffer that is gone soon. None comes here, and none may.
    [[nodiscard]] bool is_ours(Text value) const {
        return value.data() >= bytes_.data() && value.data() + value.size() <= bytes_.data() + bytes_.size();
    }

    std::string_view bytes_;
    Head& head_;
};

}  // namespace

bool parse_head(std::string_view bytes, Head& head) {
    return HeadParser{bytes, head}.takes_all();
}

}  // namespace sluice::gate
