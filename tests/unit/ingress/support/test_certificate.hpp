#pragma once

#include <string>

namespace sluice::ingress {

/// A self-signed certificate for localhost and its key, in files that go with it.
class TestCertificate {
public:
    TestCertificate();
    ~TestCertificate();
    TestCertificate(const TestCertificate&) = delete;
    TestCertificate& operator=(const TestCertificate&) = delete;

    [[nodiscard]] const std::string& certificate() const noexcept { return certificate_; }
    [[nodiscard]] const std::string& key() const noexcept { return key_; }

private:
    std::string folder_;
    std::string certificate_;
    std::string key_;
};

}  // namespace sluice::ingress
