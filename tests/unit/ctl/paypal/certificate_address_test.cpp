#include "ctl/paypal/certificate_address.hpp"

#include <gtest/gtest.h>

#include "ctl/cli/exit.hpp"

namespace sluice::ctl {
namespace {

const webhook::Input place{.names = {"PAYPAL-CERT-URL"}};

std::string read_address(const std::string& headers) {
    return address_in_request("POST / HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n{}", "f.http", place);
}

TEST(CertificateAddress, StandsInOneHeader) {
    EXPECT_EQ(read_address("Paypal-Cert-Url: https://api.paypal.com/a\r\n"), "https://api.paypal.com/a");
    EXPECT_THROW((void)read_address(""), Stopped);
    EXPECT_THROW((void)read_address("PAYPAL-CERT-URL: a\r\npaypal-cert-url: b\r\n"), Stopped);
    EXPECT_THROW((void)address_in_request("no request", "f.http", place), Stopped);
    webhook::Input field = place;
    field.from = webhook::Input::From::form;
    EXPECT_THROW((void)address_in_request("POST / HTTP/1.1\r\n\r\n", "f.http", field), Stopped);
}

}  // namespace
}  // namespace sluice::ctl
