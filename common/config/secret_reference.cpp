#include "common/config/secret_reference.hpp"

#include <cerrno>
#include <cstdlib>
#include <expected>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <openssl/crypto.h>
#include <unistd.h>

namespace sluice::config {
namespace {

/// A buffer for a secret on its way from the system into a Secret; wiped when it is destroyed.
class Buffer {
public:
    explicit Buffer(std::size_t size) : bytes_(size) {}
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }

    [[nodiscard]] char* free_space() { return bytes_.data() + used_; }
    [[nodiscard]] std::size_t free_size() const { return bytes_.size() - used_; }
    void add(std::size_t count) { used_ += count; }
    [[nodiscard]] std::string_view text() const { return {bytes_.data(), used_}; }

private:
    std::vector<char> bytes_;
    std::size_t used_ = 0;
};

// Not a stream: its buffer would keep a copy of the secret in freed memory.
std::error_code read_file(const std::string& path, Buffer& buffer) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return {errno, std::generic_category()};
    std::error_code failed;
    while (buffer.free_size() > 0) {
        const auto count = ::read(descriptor, buffer.free_space(), buffer.free_size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) failed = {errno, std::generic_category()};
        if (count <= 0) break;
        buffer.add(static_cast<std::size_t>(count));
    }
    ::close(descriptor);
    return failed;
}

std::string_view without_line_end(std::string_view text) {
    if (text.ends_with('\n')) text.remove_suffix(1);
    if (text.ends_with('\r')) text.remove_suffix(1);
    return text;
}

/// The secret, or the end of the sentence "the secret in … ".
std::expected<Secret, std::string> accepted(std::string_view text) {
    if (text.size() > most_secret_bytes) return std::unexpected{std::string{"is larger than 64 KiB"}};
    const auto bytes = without_line_end(text);
    if (bytes.empty()) return std::unexpected{std::string{"is empty"}};
    return Secret{bytes};
}

std::expected<Secret, std::string> read(const SecretReference& reference) {
    if (reference.kind == SecretReference::Kind::env) {
        const char* const text = std::getenv(reference.name.c_str());
        if (text == nullptr) return std::unexpected{std::string{"is not set"}};
        return accepted(text);
    }
    Buffer buffer{most_secret_bytes + 1};
    if (const auto failed = read_file(reference.name, buffer)) {
        return std::unexpected{"cannot be read: " + failed.message()};
    }
    return accepted(buffer.text());
}

}  // namespace

std::string SecretReference::text() const {
    return (kind == Kind::file ? "file " : "environment variable ") + name;
}

Secret resolve(const SecretReference& reference, Problems& problems) {
    auto secret = read(reference);
    if (secret) return std::move(*secret);
    problems.add(reference.place, "the secret in " + reference.text() + " " + secret.error());
    return {};
}

crypto::Digest digest_of_content(const std::string& path, std::size_t most) {
    Buffer buffer{most};
    const bool is_read = !read_file(path, buffer);
    return crypto::sha256(is_read ? buffer.text() : std::string_view{});
}

}  // namespace sluice::config
