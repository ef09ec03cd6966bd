// Certificates in place of keys: whom to believe, for how long, and what a configuration must say. The
// certificates are those of the vectors; what each kind of wrong one is refused for, the vectors say.
#include <gtest/gtest.h>

#include "common/webhook/recipe/certificate_folder.hpp"
#include "tests/unit/common/webhook/vector_files.hpp"

namespace sluice::webhook::test {
namespace {

const Json& paypal() {
    static const Json file = read_vectors("paypal");
    return file;
}

std::string said(const Source& source, const Json& vector, std::int64_t now, Scratch& scratch) {
    Delivery delivery{{}, vector["body"]};
    for (const Json& header : vector["headers"]) delivery.headers.emplace_back(header[0], header[1]);
    const auto fields = delivery.fields();
    const auto verdict = verify(source, {"POST", "/", fields, delivery.body}, at_unix(now), scratch);
    return verdict ? std::string{} : std::string{name_of(verdict.error().check)};
}

// A chain that was good is looked at again once one of its certificates has ended, whoever remembers it.
TEST(Certificates, AreBelievedWhileTheyAreValid) {
    Files files;
    const auto configured = configured_for(paypal()["source"], "paypal", files);
    ASSERT_EQ(configured.problems.report(), "");
    const Json& vector = paypal()["vectors"][0];
    Scratch scratch;
    EXPECT_EQ(said(configured.only(), vector, 1'795'258'000, scratch), "");
    EXPECT_EQ(said(configured.only(), vector, 1'795'258'001, scratch), "");
    // The last second of 2044, and the one after, whether the chain is known or new.
    EXPECT_EQ(said(configured.only(), vector, 2'366'841'599, scratch), "");
    EXPECT_EQ(said(configured.only(), vector, 2'366'841'600, scratch), "certificate");
    Scratch fresh;
    EXPECT_EQ(said(configured.only(), vector, 2'366'841'600, fresh), "certificate");
    EXPECT_EQ(said(configured.only(), vector, 1'700'000'000, scratch), "certificate") << "2023";
    EXPECT_EQ(said(configured.only(), vector, 1'795'258'002, scratch), "");
}

TEST(Certificates, OfManyAddressesAreRememberedWithinBounds) {
    Files files;
    const auto configured = configured_for(paypal()["source"], "paypal", files);
    Scratch scratch;
    for (int round = 0; round < 3; ++round) {
        for (const Json& vector : paypal()["vectors"]) {
            if (!vector["accepted"] || vector.contains("source") || !vector.contains("body")) continue;
            EXPECT_EQ(said(configured.only(), vector, vector["now"], scratch), "") << vector["name"];
        }
    }
}

TEST(Certificates, LieAtExactlyOneKindOfAddress) {
    const std::vector<std::string> hosts{"api.paypal.com"};
    EXPECT_TRUE(is_address_at("https://api.paypal.com/v1/certs/CERT-360_a.b", hosts));
    for (const std::string_view address :
         {"", "https://", "https://api.paypal.com", "http://api.paypal.com/a", "HTTPS://api.paypal.com/a",
          "https://API.paypal.com/a", "https://api.paypal.com:443/a", "https://api.paypal.com.evil.net/a",
          "https://evil.net/api.paypal.com/a", "https://api.paypal.com@evil.net/a",
          "https://evil.net\\@api.paypal.com/a", "https://api.paypal.com/a?b", "https://api.paypal.com/a#b",
          "https://api.paypal.com/%61", "https://api.paypal.com\\/a", " https://api.paypal.com/a",
          "https:///a", "//api.paypal.com/a"})
        EXPECT_FALSE(is_address_at(address, hosts)) << address;
    EXPECT_FALSE(is_address_at("https:///a", {}));
}

/// The source of the vectors with one setting in another way.
Configured with(const std::string& setting, const Json& value, Files& files, bool with_keys = true) {
    Json source = paypal()["source"];
    refer_to_files(source, files);
    source["with"][setting] = value;
    source["recipe"] = source["name"] = source["principal"] = "paypal";
    return Configured("sources: [" + source.dump() + "]\n", with_keys);
}

TEST(Certificates, AreAskedForAtStartUp) {
    Files files;
    EXPECT_TRUE(with("trust", {{"file", "/nowhere.pem"}}, files).refuses("/nowhere.pem cannot be read"));
    EXPECT_TRUE(with("trust", {{"file", files.write("x.pem", "no PEM")}}, files)
                    .refuses("does not contain certificates in PEM"));
    EXPECT_TRUE(with("trust", "/as/text.pem", files).refuses("must be a mapping"));
    EXPECT_TRUE(with("cert_cache", "/nowhere", files).refuses("the folder /nowhere cannot be read"));
    EXPECT_TRUE(with("cert_hosts", Json::array(), files).refuses("a list of 1 to 16"));
    EXPECT_TRUE(with("subject_suffix", "", files).refuses("subject_suffix"));
    const std::string name = std::string(64, 'a') + ".pem";
    const auto folder = files.folder_of("broken", {{name, "half a file"}, {"README", "not looked at"}});
    const auto broken = with("cert_cache", folder, files);
    EXPECT_EQ(broken.problems.report(), "");
    EXPECT_TRUE(broken.warns(name));
    EXPECT_FALSE(broken.warns("README"));
}

// The consumer decodes and never verifies: it has no such files.
TEST(Certificates, AreNotNeededToDecode) {
    Files files;
    EXPECT_EQ(with("trust", {{"file", "/nowhere.pem"}}, files, false).problems.report(), "");
    EXPECT_EQ(with("cert_cache", "/nowhere", files, false).problems.report(), "");
}

TEST(Certificates, LeaveNoRoomForKeys) {
    Files files;
    Json source = paypal()["source"];
    source["keys"] = Json::array({{{"id", "a"}, {"value", "secret"}}});
    EXPECT_TRUE(
        configured_for(source, "paypal", files).refuses("takes the key from a certificate: remove keys"));
}

const std::string recipe = R"(
recipes:
  - name: mine
    algorithm: rsa-sha256
    keys: {form: certificate}
    CERTIFICATE
    signature: {header: X-Sig, container: raw, encoding: base64}
    timestamp: none
    signed: [body]
    with: {trust: {kind: certificates}, hosts: {kind: list}, cache: {kind: folder}, name: {}, lax: {optional: true}}
    body: json
    extract: {id: /id, type: /type, order_by: [], livemode: true}
    day: none
    digest: none
sources: []
)";

bool refuses(const std::string& certificate, std::string_view sentence) {
    std::string yaml = recipe;
    yaml.replace(yaml.find("CERTIFICATE"), 11, certificate.empty() ? "" : "certificate: " + certificate);
    return Configured(yaml).refuses(sentence);
}

TEST(CertificateRecipe, ThatIsNotSafeIsRefused) {
    const std::string from = "{inside: {header: X-Cert}, ";
    const std::string address =
        "{address: {header: X-Cert}, cache: cache, trust: trust, name: {ends: name}, ";
    EXPECT_FALSE(refuses(from + "trust: trust, name: {ends: name}}", "certificate"));
    EXPECT_FALSE(refuses(address + "hosts: hosts}", "certificate"));
    EXPECT_TRUE(refuses("", "need a certificate section"));
    EXPECT_TRUE(refuses(from + "name: {ends: name}}", "trust must be given"));
    EXPECT_TRUE(refuses(from + "trust: trust}", "name"));
    EXPECT_TRUE(refuses(from + "trust: hosts, name: {ends: name}}", "trust must name a required setting"));
    EXPECT_TRUE(refuses(from + "trust: trust, name: {ends: lax}}", "name must name a required setting"));
    EXPECT_TRUE(refuses(address + "hosts: name}", "hosts must name a required setting"));
    EXPECT_TRUE(refuses("{trust: trust, name: {ends: name}}", "give either address or inside"));
}

}  // namespace
}  // namespace sluice::webhook::test
