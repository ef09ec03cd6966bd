#include "common/kafka/iam/https.hpp"

#include <memory>
#include <string_view>

#include <curl/curl.h>
#include <openssl/crypto.h>

namespace sluice::kafka::iam {
namespace {

constexpr long within_ms = 3000;  // before doctor gives Kafka up, so that its reason is heard
constexpr std::size_t longest_answer = 64 * 1024;
constexpr long status_ok = 200;

struct ReleaseEasy {
    void operator()(CURL* handle) const noexcept { curl_easy_cleanup(handle); }
};
struct ReleaseList {
    void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
};
using Easy = std::unique_ptr<CURL, ReleaseEasy>;
using Headers = std::unique_ptr<curl_slist, ReleaseList>;

/// Reserved whole, so that no copy stays behind where it grows.
struct Answer {
    Answer() { text.reserve(longest_answer); }
    Answer(const Answer&) = delete;
    Answer& operator=(const Answer&) = delete;
    ~Answer() { OPENSSL_cleanse(text.data(), text.size()); }
    std::string text;
};

std::size_t take(char* bytes, std::size_t size, std::size_t count, void* answer) {
    std::string& text = static_cast<Answer*>(answer)->text;
    if (size * count > longest_answer - text.size()) return 0;  // ends the transfer
    text.append(bytes, size * count);
    return size * count;
}

int has_to_end(void* stop, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<const std::stop_token*>(stop)->stop_requested() ? 1 : 0;
}

Headers headers_for(const Request& request) {
    std::string line = "Authorization: ";
    line.reserve(line.size() + request.authorization.bytes().size());
    line += request.authorization.bytes();
    Headers headers{request.authorization.empty() ? nullptr : curl_slist_append(nullptr, line.c_str())};
    OPENSSL_cleanse(line.data(), line.size());
    return headers;
}

void say(CURL* easy, const Request& request, curl_slist* headers) {
    curl_easy_setopt(easy, CURLOPT_URL, request.url.c_str());
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "sluice");
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, within_ms);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);    // no SIGALRM for slow names: other threads run here
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);  // nor wait for a name lookup that is no longer needed
    if (request.form.empty()) return;
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, static_cast<long>(request.form.bytes().size()));
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.form.bytes().data());
}

}  // namespace

std::expected<Secret, std::string> ask(const Request& request, const std::stop_token& stop) {
    const Easy easy{curl_easy_init()};
    if (!easy) return std::unexpected("libcurl cannot be initialized");
    const Headers headers = headers_for(request);
    Answer answer;
    std::stop_token ending = stop;
    say(easy.get(), request, headers.get());
    curl_easy_setopt(easy.get(), CURLOPT_WRITEFUNCTION, &take);
    curl_easy_setopt(easy.get(), CURLOPT_WRITEDATA, &answer);
    curl_easy_setopt(easy.get(), CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(easy.get(), CURLOPT_XFERINFOFUNCTION, &has_to_end);
    curl_easy_setopt(easy.get(), CURLOPT_XFERINFODATA, &ending);
    if (const CURLcode end = curl_easy_perform(easy.get()); end != CURLE_OK)
        return std::unexpected(curl_easy_strerror(end));
    long status = 0;
    curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &status);
    if (status != status_ok) return std::unexpected("it answered with status " + std::to_string(status));
    return Secret{answer.text};
}

}  // namespace sluice::kafka::iam
