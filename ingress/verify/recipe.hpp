#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "common/config/problems.hpp"
#include "ingress/verify/answer.hpp"
#include "ingress/verify/extraction.hpp"

namespace sluice::verify {

/// How a signature or a key is written down.
enum class Encoding { hex, hex_any_case, base64 };

/// How the signature header holds what it holds.
enum class Container {
    raw,     ///< the whole value is one signature
    prefix,  ///< a fixed text, then one signature: sha256=…
    pairs,   ///< name=value,name=value: signatures, the timestamp and what else the provider adds
};

/// Where the signatures of a request sit.
struct SignatureRule {
    std::string header;
    std::size_t longest = 1024;  ///< bytes of any one header that takes part
    Container container = Container::raw;
    std::string prefix;
    char separator = ',';
    char assign = '=';
    std::string pair;  ///< name of the pairs that hold signatures
    Encoding encoding = Encoding::hex;
    std::size_t most = 1;  ///< candidates in one header
};

/// Where the time of signing sits, in unix seconds. The window always has both ends.
struct TimestampRule {
    enum class In { none, header, pair };
    In in = In::none;
    std::string name;
    std::chrono::seconds past{0};
    std::chrono::seconds future{0};
};

/// One piece of the text that the signature covers.
struct SignedPart {
    enum class Kind { literal, body, timestamp, header, pair };
    Kind kind = Kind::literal;
    std::string text;  ///< the literal, or the name of the header or pair
    config::Place place;
};

/// From a configured secret to the bytes of the HMAC key.
struct KeyRule {
    enum class Form { text, base64 };
    Form form = Form::text;
    std::string strip;   ///< cut off before decoding when it is there
    std::string begins;  ///< a secret that begins otherwise is worth a warning
};

/// A signature scheme as data: one entry of `recipes:`, checked, independent of any source.
struct Recipe {
    std::string name;
    std::string provider;
    config::Place place;
    SignatureRule signature;
    TimestampRule timestamp;
    std::vector<SignedPart> signed_parts;
    KeyRule keys;
    Extraction extraction;
    AnswerTable answers;
    Milliseconds answer_within{4000};
};

}  // namespace sluice::verify
