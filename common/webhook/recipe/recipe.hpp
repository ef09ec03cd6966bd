#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "common/config/problems.hpp"
#include "common/webhook/body/body_rule.hpp"
#include "common/webhook/recipe/answer.hpp"
#include "common/webhook/recipe/certificate_rule.hpp"
#include "common/webhook/recipe/extraction.hpp"
#include "common/webhook/recipe/input.hpp"
#include "common/webhook/recipe/payment_rule.hpp"
#include "common/webhook/recipe/trust.hpp"

namespace sluice::webhook {

/// How a signature or a key is written down.
enum class Encoding { hex, hex_any_case, base64, text };

/// What a signature is. Fixed by the recipe, never taken from the message.
enum class Algorithm {
    hmac_sha256,
    hmac_sha1,
    rsa_sha256,  ///< RSASSA-PKCS1-v1_5 with SHA-256, RFC 8017 section 8.2
    ed25519,     ///< RFC 8032
    equal,       ///< no signature: a token that equals the key
};

/// How the signature header holds what it holds.
enum class Container {
    raw,       ///< the whole value is one signature
    prefix,    ///< a fixed text, then one signature: sha256=…
    pairs,     ///< name=value,name=value: signatures, the timestamp and what else the provider adds
    labelled,  ///< label,signature label,signature: the label says which keys may have made it
};

/// What the label of a signature names.
enum class Label { version, key_id };

/// Where the signatures of a request sit.
struct SignatureRule {
    Input input;
    std::size_t longest = 1024;  ///< bytes of any one header that takes part
    Container container = Container::raw;
    std::string prefix;
    bool prefix_may_lack = false;
    bool trims = false;  ///< of pairs: spaces around names and values count for nothing
    std::string probe;   ///< what begins so is wrong on purpose
    char separator = ',';
    char assign = '=';
    std::string pair;  ///< name of the pairs that hold signatures
    Label label = Label::version;
    Encoding encoding = Encoding::hex;
    std::size_t most = 1;  ///< candidates in one header

    /// Whether each signature names the one key that may have made it.
    [[nodiscard]] bool is_by_key() const noexcept {
        return container == Container::labelled && label == Label::key_id;
    }
};

enum class TimeUnit {
    seconds,
    milliseconds,
    either,  ///< 13 digits are milliseconds
};

/// How old a signature may be, and how far ahead; both ends are always set.
struct TimeWindow {
    std::chrono::seconds past{0};
    std::chrono::seconds future{0};
    bool ends_are_inside = true;  ///< whether an age of exactly `past` passes
};

/// Where the time of signing sits, since 1970.
struct TimestampRule {
    enum class In { none, header, pair };
    In in = In::none;
    Input input;
    TimeUnit unit = TimeUnit::seconds;
    std::optional<TimeWindow> window;  ///< nothing: of any age, since the provider sets no limit
};

/// One piece of the text that the signature covers.
struct SignedPart {
    enum class Kind { literal, body, timestamp, setting, input };
    Kind kind = Kind::literal;
    std::string text{};  ///< the literal, or the name of the setting
    Input input{};
    std::optional<Input> only_if{};  ///< left out where this is absent
    config::Place place{};
};

/// The pieces of the signed text, in order.
using Reading = std::vector<SignedPart>;

/// What may be signed: one reading, or one of several; a source's setting may choose among them.
struct SignedRule {
    struct Choice {
        std::string value;  ///< of the setting; empty without one
        std::vector<Reading> readings;
    };
    std::string setting;
    std::vector<Choice> choices;
};

/// From a configured secret to the bytes of a key.
struct KeyRule {
    enum class Form {
        text,
        base64,
        hex,
        sha1,         ///< of the text: Braintree
        public_key,   ///< PEM (SPKI or certificate) or the DER of one in base64
        raw_public,   ///< base64 of the 32 bytes of an Ed25519 key
        certificate,  ///< none is configured: it comes with the message
    };
    Algorithm algorithm = Algorithm::hmac_sha256;
    Form form = Form::text;
    std::string version;  ///< the label of the signatures that such keys make
    std::string strip;    ///< cut off before decoding when it is there
    std::string begins;   ///< with several rules: such keys are meant; with one: others are worth a warning
};

/// Which of a source's keys may have signed.
struct KeyChoice {
    std::optional<Input> by;  ///< the one whose id this is; nothing: any
};

/// A setting that a source gives under `with`.
struct SettingRule {
    enum class Kind {
        text,
        texts,
        secret,
        certificates,  ///< a file of them, in PEM
        folder,        ///< of certificates by address
    };
    std::string name;
    Kind kind = Kind::text;
    std::vector<std::string> one_of{};  ///< empty: any text
    std::string fallback{};             ///< empty: must be given
    bool optional = false;              ///< or may be left out
    std::size_t bytes = 0;              ///< of a secret; 0: any number
};

/// What a request must have once besides, though nothing may cover it.
struct Requirement {
    Input input;
    std::string is;  ///< and nothing else; empty: anything
};

/// A field that says the same as a setting of the source, looked at once the signature is right.
struct Bind {
    Input input;
    std::string setting;
};

/// A signature scheme as data: one entry of `recipes:`, checked, independent of any source.
struct Recipe {
    std::string name;
    std::string provider;
    config::Place place;
    SignatureRule signature;
    TimestampRule timestamp;
    SignedRule signed_rule;
    std::vector<Requirement> required;
    std::vector<Bind> binds;
    std::vector<KeyRule> keys;
    KeyChoice key_choice;
    std::optional<CertificateRule> certificate;  ///< where no keys are configured
    Trust trust = Trust::full;
    std::vector<SettingRule> settings;
    std::string challenge;  ///< parameter of a GET that asks whether the address is ours; empty: none
    BodyRule body;
    Extraction extraction;
    std::optional<PaymentRule> payment;  ///< nothing: its events say nothing of payments
    AnswerTable answers;
    Milliseconds answer_within{4000};
};

}  // namespace sluice::webhook
