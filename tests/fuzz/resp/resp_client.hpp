#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "ingress/dedup/reply_reader.hpp"

namespace sluice::fuzz {

/// A connection with its three claims sent. Those without a reply at its end have one of Kind::none.
class Client {
public:
    static constexpr std::size_t claims = 3;

    Client() {
        for (std::size_t i = 0; i < claims; ++i) reader_.command_sent();
    }

    void receive(std::string_view bytes) {
        reader_.feed(bytes);
        while (const dedup::Reply* const reply = reader_.next()) replies.push_back(*reply);
    }
    void end() {
        if (replies.size() < claims) replies.resize(claims);
    }
    [[nodiscard]] bool is_up() const noexcept { return reader_.trouble().empty(); }

    std::vector<dedup::Reply> replies;

private:
    dedup::ReplyReader reader_;
};

}  // namespace sluice::fuzz
