#include "common/redact/payload.hpp"

#include <format>
#include <random>

#include <gtest/gtest.h>

#include "common/redact/card_numbers.hpp"
#include "common/redact/personal_names.hpp"
#include "common/redact/personal_text.hpp"
#include "common/redact/secret_names.hpp"

namespace sluice::redact {
namespace {

constexpr std::string_view visa = "4111111111111111";
constexpr std::string_view visa_shown = "411111******1111";

TEST(Reasons, AreShownWithoutWhatAKeyHides) {
    EXPECT_EQ(masked_text(R"(:p (/card/cvc): "12a" is no whole number)"),
              R"(:p (/card/cvc): "***" is no whole number)");
    EXPECT_EQ(masked_text(R"(:p (/payer/full_name): "Ann \"A\" B" is in no line of map)"),
              R"(:p (/payer/full_name): "***" is in no line of map)");
    EXPECT_EQ(masked_text(R"(:p (header authorization): "Bearer x" is no even number)"),
              R"(:p (header authorization): "***" is no even number)");
    for (const std::string_view harmless :
         {R"(:p (/total_amount): "8,88" is no number)", R"(:p (/card/token): the pointer leads nowhere)"})
        EXPECT_EQ(masked_text(harmless), harmless);
}

TEST(CardNumbers, KeepTheirFirstSixAndLastFour) {
    EXPECT_EQ(without_card_numbers(visa), visa_shown);
    EXPECT_EQ(without_card_numbers("378282246310005"), "378282*****0005");
    EXPECT_EQ(without_card_numbers("4222222222222"), "422222***2222");              // 13
    EXPECT_EQ(without_card_numbers("6304000000000000000"), "630400*********0000");  // 19
    EXPECT_EQ(without_card_numbers("x4111111111111111y"), "x411111******1111y");
}

TEST(CardNumbers, AreSeenInGroups) {
    EXPECT_EQ(without_card_numbers("4111 1111 1111 1111"), "4111 11** **** 1111");
    EXPECT_EQ(without_card_numbers("4111-1111-1111-1111"), "4111-11**-****-1111");
    EXPECT_EQ(without_card_numbers("3782 822463 10005"), "3782 82**** *0005");
    EXPECT_EQ(without_card_numbers("on 12 4111111111111111"), "on 12 411111******1111");
    EXPECT_EQ(without_card_numbers("4111111111111111 12"), "411111******1111 12");
    EXPECT_EQ(without_card_numbers("7 4111 1111 1111 1111 9"), "7 4111 11** **** 1111 9");
}

TEST(CardNumbers, AreSeenWithAnySeparator) {
    for (const std::string separator :
         {"+", "_", "/", ",", "|", "\\", "\t", "%20", "%2D", "%C2%A0", "\xc2\xa0", "\xe2\x80\x89", "\xff",
          "  ", " - ", "\xe2\x80\x93", "\xc2\xa0\xe2\x80\x93\xc2\xa0"}) {
        const auto in_groups = [&](std::string_view second, std::string_view third) {
            return std::format("4111{0}{1}{0}{2}{0}1111", separator, second, third);
        };
        EXPECT_EQ(without_card_numbers(in_groups("1111", "1111")), in_groups("11**", "****"));
    }
}

TEST(CardNumbers, AreSeenThroughPercentEncoding) {
    EXPECT_EQ(without_card_numbers("411111%31111111111"), "411111********1111");
    EXPECT_EQ(without_card_numbers("n=4242+4242+4242+4242&x=%34242"), "n=4242+42**+****+4242&x=%34242");
}

TEST(CardNumbers, DoNotReachOverFieldsOrTimes) {
    for (const std::string_view text :
         {"a=41111111&1111=1111", "[4111,1111]:[11111111]", "4111:1111:1111:1111",
          "4111    1111    1111    1111", "4111x1111x1111x1111"}) {
        EXPECT_EQ(without_card_numbers(text), text);
    }
}

TEST(CardNumbers, AreNotSeenWhereThereAreNone) {
    for (const std::string_view text :
         {"", "4111111111111112", "411111111111", "1795287802", "evt_1ABC", "41111111111111110000000000"}) {
        EXPECT_EQ(without_card_numbers(text), text);
    }
}

TEST(CardNumbers, OfAnyTextNoOtherCharacterChanges) {
    std::mt19937 dice{6};
    constexpr std::string_view letters = "0123456789012345678901234567890123456789 -.,\"\xff";
    for (int i = 0; i < 20'000; ++i) {
        std::string text;
        for (auto left = dice() % 60; left > 0; --left) text += letters[dice() % letters.size()];
        const auto masked = without_card_numbers(text);
        ASSERT_EQ(masked.size(), text.size());
        for (std::size_t at = 0; at < text.size(); ++at) {
            const bool is_hidden =
                masked[at] == '*' && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
            ASSERT_TRUE(is_hidden || masked[at] == text[at]) << text << "\n" << masked;
        }
    }
}

TEST(SecretNames, AreSeenInAnyWriting) {
    for (const auto* key :
         {"client_secret", "Token", "newPassword", "Stripe-Signature", "AUTHORIZATION", "cvc", "card_number",
          "cardNumber", "card[number]", "card%5Bnumber%5D", "x.api-key"}) {
        EXPECT_TRUE(names_a_secret(key)) << key;
    }
    for (const auto* key : {"", "id", "amount", "card", "number", "shipping", "%", "%5"}) {
        EXPECT_FALSE(names_a_secret(key)) << key;
    }
}

TEST(SecretNames, HideTheirValuesInWhatIsNoJson) {
    EXPECT_EQ(without_named_secrets("a=1&client_secret=pi_x&b=2"), "a=1&client_secret=***&b=2");
    EXPECT_EQ(without_named_secrets("card%5Bcvc%5D=123&x"), "card%5Bcvc%5D=***&x");
    EXPECT_EQ(without_named_secrets("Authorization: Bearer abc\r\nHost: a"), "Authorization: ***\r\nHost: a");
    EXPECT_EQ(without_named_secrets("<a><secret k='1'>x y</secret>\n<b>1</b></a>"),
              "<a><secret k='1'>***</secret>\n<b>1</b></a>");
    EXPECT_EQ(without_named_secrets("<token><![CDATA[x<y]]></token>"), "<token><![CDATA[***]]></token>");
    EXPECT_EQ(without_named_secrets(R"({"token": "a\"b", "id": "c")"), R"({"token": "***", "id": "c")");
    EXPECT_EQ(without_named_secrets(R"({"secret":["a)"), R"({"secret":["***)");
    EXPECT_EQ(without_named_secrets("no secret here"), "no secret here");
    for (const auto* text : {"secret=", "secret:", "<secret", "secret=\"", "\\", "secret:\\"}) {
        EXPECT_EQ(without_named_secrets(text), text);
    }
}

TEST(PersonalNames, AreSeenInAnyWriting) {
    for (const auto* key : {"email",
                            "payer_email",
                            "shopperEmail",
                            "buyer_logon_id",
                            "name",
                            "firstName",
                            "first_name",
                            "holderName",
                            "HOLDER_NAME",
                            "account_holder",
                            "customer[name]",
                            "billing_details%5Bname%5D",
                            "iban",
                            "account_number",
                            "accountNumber",
                            "accNo",
                            "sort_code",
                            "security_code",
                            "pin",
                            "phone",
                            "date_of_birth",
                            "address",
                            "line1",
                            "postal_code"}) {
        EXPECT_TRUE(names_personal_data(key)) << key;
    }
    for (const auto* key : {"", "id", "amount", "shipping", "pinned", "company", "filename", "event_name",
                            "hostName", "account", "account_id", "payer_id", "buyer_id", "number",
                            "email_verified", "phone_id", "rename", "namespace"}) {
        EXPECT_FALSE(names_personal_data(key)) << key;
    }
}

TEST(EmailAddresses, KeepTheirFirstCharacterAndDomain) {
    EXPECT_EQ(without_email_addresses("to jane.doe+x@example.com."), "to j*********@example.com.");
    EXPECT_EQ(without_email_addresses("mail=jane%40example.com&a@b.c"), "mail=j***%40example.com&a@b.c");
    EXPECT_EQ(without_email_addresses("<jane@a.b>,\"bob@c.d\""), "<j***@a.b>,\"b**@c.d\"");
    for (const std::string_view text : {"", "@", "a@", "@b.c", "a @ b", "50%", "user"}) {
        EXPECT_EQ(without_email_addresses(text), text);
    }
}

TEST(Ibans, KeepTheirCountryAndLastFour) {
    EXPECT_EQ(without_ibans("GB82WEST12345698765432"), "GB****************5432");
    EXPECT_EQ(without_ibans("to DE89 3704 0044 0532 0130 00, please"),
              "to DE** **** **** **** **30 00, please");
    EXPECT_EQ(without_ibans("iban=nl91+abna+0417+1643+00&x"), "iban=nl**+****+****+**43+00&x");
    EXPECT_EQ(without_ibans("NO9386011117947"), "NO*********7947");
    for (const std::string_view text :
         {"", "GB82WEST12345698765433", "GB82", "GBWEST12345698765432", "xGB82WEST12345698765432",
          "GB82WEST123456987654320000000000000000"}) {
        EXPECT_EQ(without_ibans(text), text);
    }
}

TEST(MaskedBody, HidesPersonalDataInJson) {
    const Json masked = Json::parse(masked_body(
        R"({"name":{"given_name":"Jane","n":7},"email":"jane@example.com","account_number":"000123456789","pin":1234,)"
        R"("description":"from jane@example.com","note":"to DE89370400440532013000","bank":{"name":"x","iban":"DE89370400440532013000"},"mobile":true,)"
        R"("address":["1 High Street",null],"payer_id":"P1","event_name":"paid"})"));
    EXPECT_EQ(masked["name"], (Json{{"given_name", "***"}, {"n", "***"}}));
    EXPECT_EQ(masked["email"], "j***@example.com");
    EXPECT_EQ(masked["account_number"], "***6789");
    EXPECT_EQ(masked["pin"], "***");
    EXPECT_EQ(masked["description"], "from j***@example.com");
    EXPECT_EQ(masked["note"], "to DE****************3000");
    EXPECT_EQ(masked["bank"]["iban"], "***");
    EXPECT_EQ(masked["mobile"], true);
    EXPECT_EQ(masked["address"], (Json{"***", nullptr}));
    EXPECT_EQ(masked["payer_id"], "P1");
    EXPECT_EQ(masked["event_name"], "paid");
}

TEST(MaskedBody, HidesCardAndPersonInAForm) {
    EXPECT_EQ(masked_body("card=4242+4242+4242+4242&first_name=Jane&payer_email=jane%40example.com&note=bob%"
                          "40a.b&amount=12"),
              "card=4242+42**+****+4242&first_name=***&payer_email=***&note=b**%40a.b&amount=12");
}

TEST(MaskedBody, HidesInJsonWhateverItsType) {
    const Json masked = Json::parse(masked_body(
        R"({"id":"evt_1","token":{"a":[1]},"n":4111111111111111,"f":4111111111111111.0,"s":"4111 1111 1111 1111",)"
        R"("list":[{"cvc":123,"password":null}],"4111111111111111":true})"));
    EXPECT_EQ(masked["id"], "evt_1");
    EXPECT_EQ(masked["token"], "***");
    EXPECT_EQ(masked["n"], visa_shown);
    EXPECT_EQ(masked["f"], visa_shown);
    EXPECT_EQ(masked["s"], "4111 11** **** 1111");
    EXPECT_EQ(masked["list"][0]["cvc"], "***");
    EXPECT_TRUE(masked["list"][0]["password"].is_null());
    EXPECT_TRUE(masked.contains(visa_shown));
}

TEST(MaskedBody, SeesThroughEscapesAndJsonInJson) {
    EXPECT_FALSE(masked_body(R"({"n":"\u0034111111111111111"})").contains("1111111"));
    EXPECT_FALSE(masked_body(R"({"\u0073ecret":"hush"})").contains("hush"));
    EXPECT_FALSE(masked_body(R"({"inner":"{\"secret\":\"hush\"}"})").contains("hush"));
    EXPECT_FALSE(masked_body(R"({"secret":"hush","secret":"hush"})").contains("hush"));
}

TEST(MaskedBody, StandsAnyBytesAndDrawsNothing) {
    EXPECT_EQ(masked_body(""), "");
    EXPECT_EQ(masked_body("\x1b[2J\xff\x7f\n"), "\\x1b[2J\\xff\\x7f\n");
    EXPECT_EQ(masked_body("\xc2\x9b"
                          "31m \xe2\x9c\x93"),
              "\\xc2\\x9b31m \xe2\x9c\x93");
    EXPECT_FALSE(masked_body("{\"a\":\"\xc2\x9b\"}").contains('\x9b'));
    EXPECT_TRUE(masked_body(std::string(1 << 20, '[')).contains("not shown"));
    EXPECT_TRUE(masked_body("{\"secret\":\"hush\"" + std::string(200, '{')).contains("not shown"));
    std::mt19937 dice{6};
    constexpr std::string_view letters = "{}[]\",:\\secrt=<>/!CDATA[]]&4111111111111111 \xff\xc2\n";
    for (int i = 0; i < 20'000; ++i) {
        std::string body;
        for (auto left = dice() % 80; left > 0; --left) body += letters[dice() % letters.size()];
        for (const char c : masked_body(body)) {
            ASSERT_TRUE(c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= 0x20);
        }
    }
}

TEST(MaskedHeaders, HideSignaturesByName) {
    const auto masked = masked_headers(
        {{"http-stripe-signature", "t=1,v1=ab"}, {"ce_id", "evt_1"}, {"x", std::string{visa}}});
    EXPECT_EQ(masked[0].second, "***");
    EXPECT_EQ(masked[1].second, "evt_1");
    EXPECT_EQ(masked[2].second, visa_shown);
}

// It has the request's headers in it, and its names are not where a name is looked for.
TEST(MaskedHeaders, ShowNothingOfAPackedHeaderThatCannotBeRead) {
    const auto masked = masked_headers({{"sluice", "\x7a\x18\x0a\x10x-callback-token\x12\x04s3cr"}});
    EXPECT_EQ(masked[0].second, "(26 bytes, which cannot be read)");
}

}  // namespace
}  // namespace sluice::redact
