#include "tests/unit/ingress/gate/corpus.hpp"

namespace sluice::gate {
namespace {

using enum Refusal;
using namespace std::string_literals;

const std::string host_line = "Host: sluice.test";
const std::string chunked_hello = "5\r\nhello\r\n0\r\n\r\n";

/// Right but for the framing.
std::string framed(std::vector<std::string> fields, const std::string& body = "hello") {
    fields.insert(fields.begin(), host_line);
    return request(fields, body);
}

/// Right but for one more line.
std::string with(const std::string& line) {
    return request({host_line, "Content-Length: 5", line});
}

std::string asking(const std::string& request_line) {
    return request({host_line, "Content-Length: 5"}, "hello", request_line);
}

std::string many_fields(int count) {
    std::vector<std::string> fields{host_line, "Content-Length: 5"};
    for (int i = 2; i < count; ++i) fields.push_back("X-" + std::to_string(i) + ": 1");
    return request(fields);
}

}  // namespace

std::string request(const std::vector<std::string>& fields, const std::string& body,
                    const std::string& request_line) {
    std::string text = request_line + "\r\n";
    for (const std::string& field : fields) text += field + "\r\n";
    return text + "\r\n" + body;
}

std::vector<Case> framing_cases() {
    return {
        {"GzipAlone", framed({"Transfer-Encoding: gzip"}), transfer_encoding},
        {"GzipThenLength", framed({"Transfer-Encoding: gzip", "Content-Length: 5"}), length_and_coding},
        {"LengthThenGzip", framed({"Content-Length: 5", "Transfer-Encoding: gzip"}), length_and_coding},
        {"IdentityThenLength", framed({"Transfer-Encoding: identity", "Content-Length: 5"}),
         length_and_coding},
        {"XchunkedThenLength", framed({"Transfer-Encoding: xchunked", "Content-Length: 5"}),
         length_and_coding},
        {"ChunkedIdentityThenLength", framed({"Transfer-Encoding: chunked, identity", "Content-Length: 5"}),
         length_and_coding},
        {"ChunkedThenLength", framed({"Transfer-Encoding: chunked", "Content-Length: 5"}, chunked_hello),
         length_and_coding},
        {"LengthThenChunked", framed({"Content-Length: 5", "Transfer-Encoding: chunked"}, chunked_hello),
         length_and_coding},
        {"ChunkedTwiceInOneLine", framed({"Transfer-Encoding: chunked, chunked"}, chunked_hello),
         transfer_encoding},
        {"ChunkedThenGzip", framed({"Transfer-Encoding: chunked, gzip"}, chunked_hello), transfer_encoding},
        {"GzipThenChunked", framed({"Transfer-Encoding: gzip, chunked"}, chunked_hello), transfer_encoding},
        {"ChunkedThenGzipInTwoLines",
         framed({"Transfer-Encoding: chunked", "Transfer-Encoding: gzip"}, chunked_hello), transfer_encoding},
        {"GzipThenChunkedInTwoLines",
         framed({"Transfer-Encoding: gzip", "Transfer-Encoding: chunked"}, chunked_hello), transfer_encoding},
        {"TwoCodingsAndALength",
         framed({"Transfer-Encoding: gzip", "Transfer-Encoding: chunked", "Content-Length: 5"},
                chunked_hello),
         length_and_coding},
        {"ObsTextBeforeChunked",
         framed({"Transfer-Encoding: \xa0"
                 "chunked"},
                chunked_hello),
         field_value},
        {"ObsTextBehindLength", framed({"Content-Length: 5\xa0"}), content_length},
        {"ChunkedInTwoLines",
         framed({"Transfer-Encoding: chunked", "Transfer-Encoding: chunked"}, chunked_hello),
         repeated_transfer_encoding},
        {"Identity", framed({"Transfer-Encoding: identity"}), transfer_encoding},
        {"Xchunked", framed({"Transfer-Encoding: xchunked"}, chunked_hello), transfer_encoding},
        {"EmptyElementBeforeChunked", framed({"Transfer-Encoding: ,chunked"}, chunked_hello),
         transfer_encoding},
        {"ChunkedWithParameter", framed({"Transfer-Encoding: chunked;q=1"}, chunked_hello),
         transfer_encoding},
        {"FoldedCoding", framed({"Transfer-Encoding:\r\n chunked"}, chunked_hello), folded_field},
        {"EmptyCoding", framed({"Transfer-Encoding:"}), transfer_encoding},
        {"ChunkedInHttp10",
         request({host_line, "Transfer-Encoding: chunked"}, chunked_hello,
                 "POST " + known_path + " HTTP/1.0"),
         transfer_encoding_in_1_0},
        {"GzipInHttp10",
         request({host_line, "Transfer-Encoding: gzip"}, chunked_hello, "POST " + known_path + " HTTP/1.0"),
         transfer_encoding_in_1_0},
        {"ChunkedAndLengthInHttp10",
         request({host_line, "Content-Length: 5", "Transfer-Encoding: chunked"}, chunked_hello,
                 "POST " + known_path + " HTTP/1.0"),
         length_and_coding},
        {"NoLengthInHttp10", request({host_line}, "", "POST " + known_path + " HTTP/1.0"), length_required},
        {"ChunkedNotAllowed", framed({"Transfer-Encoding: chunked"}, chunked_hello), chunked_not_allowed},
        {"UnderscoredCoding", framed({"Content-Length: 5", "Transfer_Encoding: chunked"}), underscored_name},
        {"UnderscoredLength", framed({"Content_Length: 5"}), underscored_name},
        {"UnderscoredTwin", framed({"Content-Length: 5", "X-Mark: 1", "X_Mark: 2"}), underscored_name},
        {"UnderscoredSignature", framed({"Content-Length: 5", "Stripe_Signature: t=1"}), underscored_name},
        {"NoLength", framed({}, ""), length_required},
        {"LengthTwiceEqual", framed({"Content-Length: 5", "Content-Length: 5"}), repeated_content_length},
        {"LengthTwiceDifferent", framed({"Content-Length: 5", "Content-Length: 6"}), repeated_content_length},
        {"LengthList", framed({"Content-Length: 5, 5"}), content_length},
        {"LengthLeadingZero", framed({"Content-Length: 05"}), content_length},
        {"LengthPlus", framed({"Content-Length: +5"}), content_length},
        {"LengthMinus", framed({"Content-Length: -5"}), content_length},
        {"LengthHex", framed({"Content-Length: 0x5"}), content_length},
        {"LengthEmpty", framed({"Content-Length:"}), content_length},
        {"LengthNineDigits", framed({"Content-Length: 123456789"}), content_length},
        {"LengthTwoToThe63", framed({"Content-Length: 9223372036854775808"}), content_length},
        {"LengthTwoToThe64", framed({"Content-Length: 18446744073709551616"}), content_length},
        {"LengthWithSpaceInside", framed({"Content-Length: 1 0"}), content_length},
        {"BodyTooLarge", framed({"Content-Length: 99999999"}), body_too_large},
    };
}

std::vector<Case> head_cases() {
    return {
        {"NoHost", request({"Content-Length: 5"}), missing_host},
        {"TwoHosts", request({host_line, host_line, "Content-Length: 5"}), repeated_host},
        {"EmptyHost", request({"Host:", "Content-Length: 5"}), Refusal::host},
        {"HostWithPath", request({"Host: a/b", "Content-Length: 5"}), Refusal::host},
        {"HostList", request({"Host: a,b", "Content-Length: 5"}), Refusal::host},
        {"HostWithUser", request({"Host: u@a", "Content-Length: 5"}), Refusal::host},
        {"FoldedWithSpace", with("X-Long: a\r\n b"), folded_field},
        {"FoldedWithTab", with("X-Long: a\r\n\tb"), folded_field},
        {"SpaceBeforeFirstName", request({" " + host_line, "Content-Length: 5"}), folded_field},
        {"SpaceBeforeColon", with("X-Name : a"), field_name},
        {"NoColon", with("X-Name"), field_name},
        {"EmptyName", with(": a"), field_name},
        {"BracketInName", with("X(Name): a"), field_name},
        {"EightBitName", with("X-N\xc3\xa4me: a"), field_name},
        {"NulInValue", with("X-Name: a\0b"s), field_value},
        {"ControlInValue",
         with("X-Name: a\x01"s
              "b"),
         field_value},
        {"EscapeInValue", with("X-Name: \x1b[31m"), field_value},
        {"DelInValue",
         with("X-Name: a\x7f"s
              "b"),
         field_value},
        {"EightBitSignature", with("Stripe-Signature: t=1,v1=\xe9"), field_value},
        {"EightBitSignatureInCapitals", with("STRIPE-SIGNATURE: S\xc3\xa3o"), field_value},
        {"EightBitType", with("Content-Type: application/json; a=\xe9"), field_value},
        {"EightBitOption", with("Connection: clos\xe9"), connection_option},
        {"EightBitOptionForProxies", with("Proxy-Connection: \xe9"), connection_option},
        {"EightBitAddress", with("X-Forwarded-For: 192.0.2.1\xa0"), field_value},
        {"EightBitTrace", with("traceparent: \xe9"), field_value},
        {"EightBitHost", request({"Host: \xe9", "Content-Length: 5"}), Refusal::host},
        {"EightBitAndControl", with("X-Name: \xe9\x01"), field_value},
        {"EightBitAndDel", with("X-Name: \xe9\x7f"), field_value},
        {"NoHostInHttp10", request({"Content-Length: 5"}, "hello", "POST " + known_path + " HTTP/1.0"),
         missing_host},
        {"BareReturnInValue", with("X-Name: a\rb"), bare_carriage_return},
        {"BareFeeds", "POST " + known_path + " HTTP/1.1\nHost: x\nContent-Length: 5\n\nhello",
         bare_line_feed},
        {"OneBareFeed", "POST " + known_path + " HTTP/1.1\r\nHost: x\nContent-Length: 5\r\n\r\nhello",
         bare_line_feed},
        {"LeadingLineEnd", "\r\n" + with("A: b"), request_line},
        {"LeadingFeed", "\n" + with("A: b"), bare_line_feed},
        {"LeadingSpace", " " + with("A: b"), request_line},
        {"TlsHello", "\x16\x03\x01"s + std::string(64, '\xfe'), request_line},
        {"SixtyFiveFields", many_fields(65), too_many_fields},
        {"SeventeenKibibytes", with("X-Long: " + std::string(17 * 1024, 'a')), head_too_large},
        {"EndlessHead", "POST " + known_path + " HTTP/1.1\r\nX: " + std::string(20 * 1024, 'a'),
         head_too_large},
        {"OtherExpectation", with("Expect: 200-ok"), expectation},
        {"TwoExpectations", with("Expect: 100-continue\r\nExpect: 100-continue"), expectation},
        {"Upgrade", with("Upgrade: websocket"), upgrade},
        {"UpgradeAndItsOption", with("Connection: upgrade\r\nUpgrade: h2c"), upgrade},
        {"ConnectionOptionOfTwoWords", with("Connection: close now"), connection_option},
        {"ConnectionOptionWithParameter", with("Connection: close;q=1"), connection_option},
        {"QuotedConnectionOption", with("Connection: \"close\""), connection_option},
    };
}

std::vector<Case> target_cases() {
    const std::string end = " HTTP/1.1";
    const std::string post = "POST ";
    return {
        {"Http09", asking(post + known_path + " HTTP/0.9"), version},
        {"Http12", asking(post + known_path + " HTTP/1.2"), version},
        {"Http20", asking(post + known_path + " HTTP/2.0"), version},
        {"Http2Preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", version},
        {"TwoDigitMajor", asking(post + known_path + " HTTP/01.0"), request_line},
        {"SmallHttp", asking(post + known_path + " http/1.1"), request_line},
        {"TwoDigitMinor", asking(post + known_path + " HTTP/1.10"), request_line},
        {"NoVersion", "POST " + known_path + "\r\n\r\n", request_line},
        {"SpaceAfterVersion", asking(post + known_path + end + " "), request_line},
        {"TwoSpaces", asking("POST  " + known_path + end), request_line},
        {"TabForSpace", asking("POST\t" + known_path + end), request_line},
        {"LongMethod", asking(std::string(1000, 'M') + " " + known_path + end), method},
        {"EmptyMethod", asking(" " + known_path + end), request_line},
        {"Get", asking("GET " + known_path + end), method_not_allowed},
        {"SmallPost", asking("post " + known_path + end), method_not_allowed},
        {"Options", asking("OPTIONS " + known_path + end), method_not_allowed},
        {"Asterisk", asking(post + "*" + end), target_form},
        {"AbsoluteForm", asking(post + "http://sluice.test" + known_path + end), target_form},
        {"AuthorityForm", asking("CONNECT sluice.test:443" + end), target_form},
        {"Fragment", asking(post + known_path + "#part" + end), target_form},
        {"EightBitTarget", asking(post + known_path + "\x80" + end), target_bytes},
        {"NulInTarget", asking(post + known_path + "\0"s + end), target_bytes},
        {"QuoteInTarget", asking(post + known_path + "\"" + end), target_bytes},
        {"LongTarget", asking(post + "/" + std::string(5000, 'a') + end), target_too_long},
        {"OtherPath", asking(post + "/nowhere" + end), unknown_path},
        {"TrailingSlash", asking(post + known_path + "/" + end), unknown_path},
        {"DoubledSlash", asking(post + "/" + known_path + end), unknown_path},
        {"DotSegment", asking(post + "/v1/./webhooks/stripe-eu" + end), unknown_path},
        {"DotDotSegment", asking(post + "/v1/../v1/webhooks/stripe-eu" + end), unknown_path},
        {"EncodedLetter", asking(post + "/v1/webhooks/%73tripe-eu" + end), unknown_path},
        {"PathParameter", asking(post + known_path + ";a=b" + end), unknown_path},
        {"OtherCase", asking(post + "/V1/webhooks/stripe-eu" + end), unknown_path},
    };
}

std::vector<Case> all_cases() {
    std::vector<Case> all = framing_cases();
    for (auto&& part : {head_cases(), target_cases()}) all.insert(all.end(), part.begin(), part.end());
    return all;
}

std::vector<Case> chunk_cases() {
    return {
        {"Extension", "5;a=b\r\nhello\r\n0\r\n\r\n", chunk_extension},
        {"QuotedExtensionWithFeed", "5;a=\"\n\"\r\nhello\r\n0\r\n\r\n", chunk_extension},
        {"SpaceAfterSize", "5 \r\nhello\r\n0\r\n\r\n", chunk_extension},
        {"SignatureAsTrailer", "5\r\nhello\r\n0\r\nStripe-Signature: t=1\r\n\r\n", trailer},
        {"HostAsTrailer", "0\r\nHost: x\r\n\r\n", trailer},
        {"SixtyFourZeros", std::string(64, '0') + "5\r\nhello\r\n0\r\n\r\n", chunk_size},
        {"OneLeadingZero", "05\r\nhello\r\n0\r\n\r\n", chunk_size},
        {"LastChunkOfTwoZeros", "5\r\nhello\r\n00\r\n\r\n", chunk_size},
        {"Sign", "+5\r\nhello\r\n0\r\n\r\n", chunk_size},
        {"Minus", "-1\r\nhello\r\n0\r\n\r\n", chunk_size},
        {"HexPrefix", "0x5\r\nhello\r\n0\r\n\r\n", chunk_size},
        {"NoSize", "\r\nhello\r\n0\r\n\r\n", chunk_size},
        {"BareFeeds", "5\nhello\n0\n\n", chunk_size},
        {"ReturnWithoutFeed", "5\rhello\r\n0\r\n\r\n", chunk_size},
        {"WrongBytesAfterContent", "5\r\nhelloXX0\r\n\r\n", chunk_end},
        {"FeedAfterContent", "5\r\nhello\n0\r\n\r\n", chunk_end},
        {"BareFeedAtTheEnd", "5\r\nhello\r\n0\r\n\n", trailer},
        {"SixteenDigits", "ffffffffffffffff\r\nhello", chunk_size},
        {"NineDigits", "100000000\r\nhello", chunk_size},
        {"LargerThanAllowed", "ffffffff\r\nhello", body_too_large},
    };
}

}  // namespace sluice::gate
