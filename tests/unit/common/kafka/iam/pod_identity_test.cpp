#include "common/kafka/iam/pod_identity.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <gtest/gtest.h>

#include "common/time_text.hpp"

namespace sluice::kafka::iam {
namespace {

class IamPodIdentity : public testing::Test {
protected:
    void TearDown() override {
        for (const char* name : names) unsetenv(name);
        std::filesystem::remove(token_);
    }
    static void set(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }
    // A name of this process: tests run beside each other.
    std::string file_with(const std::string& text) {
        std::ofstream{token_} << text;
        return token_;
    }

private:
    std::string token_ = testing::TempDir() + "sluice_iam_token_" + std::to_string(::getpid());
    static constexpr std::array names{"AWS_CONTAINER_CREDENTIALS_FULL_URI",
                                      "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", "AWS_WEB_IDENTITY_TOKEN_FILE",
                                      "AWS_ROLE_ARN", "AWS_ENDPOINT_URL_STS"};
};

std::string refusal(const std::string& agent) {
    const auto request = request_for_keys({.agent = agent, .token_file = {}, .role = {}, .sts = {}});
    return request ? "" : request.error();
}

TEST_F(IamPodIdentity, OfEksIsAskedWithThePodsToken) {
    set("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://169.254.170.23/v1/credentials");
    set("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", file_with("eyJ.token\n"));
    const auto request = request_for_keys(*pod_identity("eu-west-1"));
    ASSERT_TRUE(request) << request.error();
    EXPECT_EQ(request->url, "http://169.254.170.23/v1/credentials");
    EXPECT_EQ(request->authorization.bytes(), "eyJ.token");
    EXPECT_TRUE(request->form.empty());
}

TEST_F(IamPodIdentity, OfAServiceAccountsRoleIsAskedOfStsInTheRegion) {
    set("AWS_WEB_IDENTITY_TOKEN_FILE", file_with("eyJ.a+b"));
    set("AWS_ROLE_ARN", "arn:aws:iam::123456789012:role/sluice");
    const auto request = request_for_keys(*pod_identity("eu-west-1"));
    ASSERT_TRUE(request) << request.error();
    EXPECT_EQ(request->url, "https://sts.eu-west-1.amazonaws.com/");
    EXPECT_TRUE(request->authorization.empty());
    EXPECT_EQ(request->form.bytes(),
              "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleSessionName=sluice"
              "&RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fsluice&WebIdentityToken=eyJ.a%2Bb");
}

TEST_F(IamPodIdentity, InChinaIsAskedOfStsThere) {
    set("AWS_WEB_IDENTITY_TOKEN_FILE", file_with("eyJ"));
    set("AWS_ROLE_ARN", "arn:aws-cn:iam::123456789012:role/sluice");
    EXPECT_EQ(request_for_keys(*pod_identity("cn-north-1"))->url, "https://sts.cn-north-1.amazonaws.com.cn/");
    set("AWS_ENDPOINT_URL_STS", "https://vpce-1.sts.example.com");
    EXPECT_EQ(request_for_keys(*pod_identity("cn-north-1"))->url, "https://vpce-1.sts.example.com");
}

TEST_F(IamPodIdentity, IsMissingInASentence) {
    EXPECT_TRUE(pod_identity("eu-west-1").error().contains("AWS_CONTAINER_CREDENTIALS_FULL_URI"));
    set("AWS_WEB_IDENTITY_TOKEN_FILE", "/nowhere/token");
    EXPECT_FALSE(pod_identity("eu-west-1")) << "there is no role";
    set("AWS_ROLE_ARN", "arn:aws:iam::123456789012:role/sluice");
    EXPECT_EQ(request_for_keys(*pod_identity("eu-west-1")).error(), "/nowhere/token cannot be read");
}

TEST_F(IamPodIdentity, IsToldToNobodyElse) {
    for (const char* const safe :
         {"https://agent.example.com/", "http://127.0.0.1:8080/keys", "http://localhost/",
          "http://169.254.170.23/v1/credentials", "http://[fd00:ec2::23]/v1/credentials"})
        EXPECT_EQ(refusal(safe), "") << safe;
    for (const char* const unsafe :
         {"http://agent.example.com/", "http://169.254.170.230/", "http://127.0.0.1.example.com/",
          "http://localhost:80@example.com/", "ftp://127.0.0.1/", ""})
        EXPECT_TRUE(refusal(unsafe).contains("must be https")) << unsafe;
}

TEST_F(IamPodIdentity, KeysComeAsJsonOrAsXml) {
    const auto json = keys_from(
        R"({"AccessKeyId": "ASIA1", "SecretAccessKey": "s/+", "Token": "t==", "Expiration": "2026-11-26T19:45:07Z"})");
    ASSERT_TRUE(json);
    EXPECT_EQ((std::vector<std::string>{json->id, std::string{json->secret.bytes()}, json->session}),
              (std::vector<std::string>{"ASIA1", "s/+", "t=="}));
    EXPECT_EQ(json->ends, from_rfc3339("2026-11-26T19:45:07Z"));
    const auto xml = keys_from(
        "<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>ASIA2<"
        "/AccessKeyId>"
        "<SecretAccessKey>s2</SecretAccessKey><SessionToken>t2</SessionToken></Credentials>"
        "</AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>");
    ASSERT_TRUE(xml);
    EXPECT_EQ((std::vector<std::string>{xml->id, std::string{xml->secret.bytes()}, xml->session}),
              (std::vector<std::string>{"ASIA2", "s2", "t2"}));
}

TEST_F(IamPodIdentity, AnAnswerWithoutKeysGivesNone) {
    for (const char* const answer :
         {"", "{}", "[]", R"({"AccessKeyId": 7, "SecretAccessKey": "s"})", R"({"AccessKeyId": "a")",
          "<AccessKeyId>a</AccessKeyId>", "<AccessKeyId>a<SecretAccessKey>s</SecretAccessKey>"})
        EXPECT_FALSE(keys_from(answer)) << answer;
}

}  // namespace
}  // namespace sluice::kafka::iam
