#include "ingress/dedup/digest_command.hpp"

#include <format>

#include "common/crypto/encoding.hpp"

namespace sluice::dedup {

DigestCommand::DigestCommand(std::initializer_list<std::string_view> arguments) {
    bytes_ = std::format("*{}\r\n", arguments.size());
    for (const std::string_view argument : arguments)
        bytes_ += std::format("${}\r\n{}\r\n", argument.size(), argument);
    for (std::size_t at = 0; (at = bytes_.find(digest_here, at)) != std::string::npos;
         at += digest_here.size())
        places_.push_back(at);
}

std::string_view DigestCommand::with(std::initializer_list<crypto::Digest> digests) {
    auto place = places_.begin();
    for (const crypto::Digest& digest : digests)
        crypto::write_hex(bytes_.data() + *place++, crypto::as_text(digest));
    return bytes_;
}

}  // namespace sluice::dedup
