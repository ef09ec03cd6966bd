#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.hpp"

struct x509_st;
struct x509_store_st;

namespace sluice::crypto {

/// Certificates (RFC 5280) in the order in which a text has them. Immutable.
class Certificates {
public:
    static constexpr std::size_t most = 512;

    /// Nothing when the text holds none, one that cannot be read, or more than that. Text between them is
    /// skipped, since people keep notes there.
    [[nodiscard]] static std::optional<Certificates> from_pem(std::string_view text);

    [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
    /// Every common name in the subject of the first one, as UTF-8.
    [[nodiscard]] std::vector<std::string> common_names() const;
    /// From when and until when the first one is valid; nothing for a time that cannot be read.
    [[nodiscard]] std::optional<WallTime> not_before() const;
    [[nodiscard]] std::optional<WallTime> not_after() const;
    /// Whether one of them signed itself.
    [[nodiscard]] bool has_root() const;

    /// The same with number `leaf` in front, counted from 0; the others keep their order.
    [[nodiscard]] Certificates led_by(std::size_t leaf) const;
    /// The certificates in PEM and nothing between them; empty when out of memory.
    [[nodiscard]] std::string to_pem() const;

private:
    friend class TrustStore;
    struct Free {
        void operator()(x509_st*) const noexcept;
    };
    std::vector<std::unique_ptr<x509_st, Free>> all_;
};

/// A public key and the time in which the whole chain that leads to it is valid: from not_before, included,
/// to not_after, which OpenSSL counts as over.
struct TrustedKey {
    std::string spki;
    WallTime not_before;
    WallTime not_after;
};

/// Trusted roots, and the certificates that lead to them. Immutable; thread-safe.
class TrustStore {
public:
    /// Where SHA-1 is allowed, a chain may be signed with it: for stores whose certificates are, and which
    /// belong to one provider.
    enum class Sha1 { refused, allowed };

    TrustStore(const Certificates& trusted, Sha1 sha1);

    /// The key of the first certificate, when at `now` it leads through the others or the store's to a
    /// self-signed certificate of the store; else OpenSSL's words for why not, which live forever.
    [[nodiscard]] std::expected<TrustedKey, std::string_view> key_of(const Certificates& chain,
                                                                     WallTime now) const;

private:
    struct Free {
        void operator()(x509_store_st*) const noexcept;
    };
    std::unique_ptr<x509_store_st, Free> store_;
    Sha1 sha1_;
};

}  // namespace sluice::crypto
