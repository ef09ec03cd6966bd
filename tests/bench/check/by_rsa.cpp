#include "tests/bench/check/by_rsa.hpp"

#include <memory>
#include <stdexcept>

#include <openssl/pem.h>

#include "common/crypto/openssl_handles.hpp"
#include "common/webhook/signature/candidate.hpp"
#include "common/webhook/signature/signed_text.hpp"
#include "tests/unit/common/webhook/vector_files.hpp"

namespace sluice::bench {
namespace {

using webhook::test::Json;

constexpr std::size_t calls_in_one_go = 200;

/// A request and the source that it is meant for.
class Delivered {
public:
    explicit Delivered(const std::string& recipe) : vector_(first_good(webhook::test::read_vectors(recipe))) {
        webhook::test::Files files;
        configured_.emplace(webhook::test::configured_for(vector_["source"], recipe, files));
        for (const Json& header : vector_["headers"])
            fields_.push_back({text_of(header[0]), text_of(header[1])});
    }

    bool operator()() { return webhook::verify(configured_->only(), request(), now(), scratch_).has_value(); }

    /// What is signed, in one piece, and the signature.
    [[nodiscard]] std::pair<std::string, std::string> proof() const {
        const webhook::Program& program = *configured_->only().program;
        webhook::Form form;
        webhook::SignedInputs inputs;
        if (!webhook::collect(program, request(), form, inputs))
            throw std::runtime_error{"not to be taken apart"};
        std::string text;
        for (const auto piece : webhook::SignedText{program.readings.front(), inputs}.pieces()) text += piece;
        webhook::Signature signature;
        const auto& encoding = program.signature.encoding;
        if (!webhook::decode_signature(inputs.candidates.front().text, encoding, signature))
            throw std::runtime_error{"no signature"};
        return {text, std::string{signature.text()}};
    }

    /// The keys and certificates that the source has, as PEM.
    [[nodiscard]] std::vector<std::string> keys() const {
        std::vector<std::string> texts;
        for (const Json& key : vector_["source"]["keys"]) texts.push_back(key["value"]);
        if (!texts.empty()) return texts;
        for (const auto& file : vector_["source"]["with"]["cert_cache"]["files"]) texts.push_back(file);
        return texts;
    }

private:
    static const std::string& text_of(const Json& text) { return text.get_ref<const std::string&>(); }

    static Json first_good(const Json& file) {
        for (Json vector : file["vectors"]) {
            if (!vector["accepted"] || !vector.contains("body")) continue;
            if (!vector.contains("source")) vector["source"] = file["source"];
            return vector;
        }
        throw std::runtime_error{"no request is good"};
    }

    [[nodiscard]] webhook::Request request() const {
        return {"POST", text_of(vector_["target"]), fields_, text_of(vector_["body"])};
    }
    [[nodiscard]] WallTime now() const { return webhook::test::at_unix(vector_["now"].get<std::int64_t>()); }

    const Json vector_;
    std::optional<webhook::test::Configured> configured_;
    std::vector<webhook::HeaderField> fields_;
    webhook::Scratch scratch_;
};

/// EVP_DigestVerify and nothing else.
class BareVerify {
public:
    explicit BareVerify(const Delivered& delivered) : context_{EVP_MD_CTX_new()} {
        std::tie(text_, signature_) = delivered.proof();
        for (const std::string& pem : delivered.keys()) {
            key_ = key_in(pem);
            if (key_ != nullptr && (*this)()) return;
        }
        throw std::runtime_error{"no key made this signature"};
    }

    bool operator()() {
        EVP_MD_CTX_reset(context_.get());
        return EVP_DigestVerifyInit(context_.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
               EVP_DigestVerify(context_.get(), octets(signature_), signature_.size(), octets(text_),
                                text_.size()) == 1;
    }

private:
    struct FreeContext {
        void operator()(EVP_MD_CTX* context) const noexcept { EVP_MD_CTX_free(context); }
    };

    static const unsigned char* octets(std::string_view text) {
        return reinterpret_cast<const unsigned char*>(text.data());
    }
    static crypto::KeyHandle key_in(const std::string& pem) {
        const auto reader = crypto::reader_of(pem);
        if (pem.contains("PUBLIC KEY"))
            return crypto::KeyHandle{PEM_read_bio_PUBKEY(reader.get(), nullptr, nullptr, nullptr)};
        const crypto::X509Handle certificate{PEM_read_bio_X509(reader.get(), nullptr, nullptr, nullptr)};
        return crypto::KeyHandle{certificate ? X509_get_pubkey(certificate.get()) : nullptr};
    }

    std::unique_ptr<EVP_MD_CTX, FreeContext> context_;
    crypto::KeyHandle key_;
    std::string text_;
    std::string signature_;
};

}  // namespace

Pair pair_by_rsa(const std::string& recipe) {
    auto engine = std::make_unique<Delivered>(recipe);
    auto bare = std::make_unique<BareVerify>(*engine);
    return {recipe, calls_in_one_go, [engine = std::move(engine)] { return (*engine)(); },
            [bare = std::move(bare)] { return (*bare)(); }};
}

}  // namespace sluice::bench
