#include "tests/unit/command/http/scenarios.hpp"

#include <format>
#include <utility>

namespace sluice::command {
namespace {

using Kind = Answer::Kind;

const std::string path_of_key = charge_path + "/k1";

std::string charge(const RunningCommands& running) {
    return running.post(charge_path, "\"k1\"", charge_body);
}

Scenario answered(std::string name, int status, std::string problem, Kind kind) {
    return {std::move(name), "post", status, std::move(problem), [kind](RunningCommands& running) {
                running.executor->answer_with({.kind = kind, .response = {.body = "{}"}, .why = "because"});
                return charge(running);
            }};
}

Scenario found(std::string name, int status, std::string problem,
               std::expected<Standing, std::string> standing) {
    return {std::move(name), "get", status, std::move(problem), [standing](RunningCommands& running) {
                running.executor->find(standing);
                return running.get(path_of_key);
            }};
}

/// What a caller sent, changed on the way.
std::string changed(std::string bytes, const std::string& from, const std::string& to) {
    return bytes.replace(bytes.find(from), from.size(), to);
}

Scenario post(std::string name, int status, std::string problem,
              std::function<std::string(RunningCommands&)> request) {
    return {std::move(name), "post", status, std::move(problem), std::move(request)};
}

Scenario get(std::string name, int status, std::string problem,
             std::function<std::string(RunningCommands&)> request) {
    return {std::move(name), "get", status, std::move(problem), std::move(request)};
}

std::vector<Scenario> answers() {
    return {answered("executed", 200, "", Kind::executed),
            answered("replayed", 200, "", Kind::replayed),
            answered("accepted", 200, "", Kind::accepted),
            answered("goes on", 202, "", Kind::goes_on),
            answered("in progress", 409, "in_progress", Kind::in_progress),
            answered("another request's key", 422, "key_reused", Kind::mismatch),
            answered("refused", 400, "refused", Kind::refused),
            answered("failed", 500, "failed", Kind::failed),
            answered("unavailable", 503, "unavailable", Kind::unavailable),
            answered("a call that was not executed", 503, "not_executed", Kind::not_executed),
            answered("a call of which nobody knows", 502, "not_known", Kind::not_known),
            found("absent", 200, "", Standing{}),
            found("at work", 200, "", Standing{.state = Standing::State::in_progress}),
            found("done", 200, "", Standing{.state = Standing::State::done}),
            found("no MySQL", 503, "unavailable", std::unexpected{"MySQL does not answer."})};
}

std::vector<Scenario> keys() {
    return {post("no key", 400, "key_missing", [](auto& r) { return r.post(charge_path, "", charge_body); }),
            post("bare key", 400, "key_malformed",
                 [](auto& r) { return r.post(charge_path, "k1", charge_body); }),
            post("key and fields of the body", 400, "key_not_taken",
                 [](auto& r) { return r.post("/v1/commands/click", "\"k1\"", charge_body); }),
            post("key of the body", 200, "", [](auto& r) { return r.post("/v1/commands/click", "", "c1"); }),
            post("body without its key", 400, "refused",
                 [](auto& r) { return r.post("/v1/commands/click", "", ""); }),
            post("body without its fingerprint", 400, "refused",
                 [](auto& r) { return r.post(charge_path, "\"k1\"", "[]"); }),
            post("no such command", 404, "unknown_command",
                 [](auto& r) { return r.post("/v1/commands/refund", "\"k1\"", charge_body); }),
            post("path of a look-up", 405, "method_not_allowed",
                 [](auto& r) { return r.post(path_of_key, "\"k1\"", charge_body); }),
            get("path without a key", 405, "method_not_allowed",
                [](auto& r) { return r.get("/v1/commands/charge"); }),
            get("key of no such command", 404, "unknown_command",
                [](auto& r) { return r.get("/v1/commands/refund/k1"); }),
            post("two keys", 400, "key_malformed", [](auto& r) {
                return changed(r.post(charge_path, "", charge_body),
                               "Host:", "Idempotency-Key: \"a\"\r\nIdempotency-Key: \"b\"\r\nHost:");
            })};
}

std::vector<Scenario> limits() {
    const std::string path = "/v1/commands/rare";
    const auto rare = [path](auto& r, const std::string& key) { return r.post(path, key, charge_body); };
    return {post("account over its limit", 429, "limited",
                 [rare](auto& r) {
                     ingress::Client first = r.connect();
                     first.send(rare(r, "\"k1\""));
                     static_cast<void>(first.answer());
                     return rare(r, "\"k2\"");
                 }),
            post("account within its limit", 200, "", [rare](auto& r) { return rare(r, "\"k1\""); }),
            post("body without its account", 400, "refused",
                 [path](auto& r) { return r.post(path, "\"k1\"", ""); })};
}

std::vector<Scenario> callers() {
    return {post("unknown caller", 401, "not_authenticated",
                 [](auto& r) { return changed(charge(r), "ads", "shop"); }),
            post("another body", 401, "not_authenticated",
                 [](auto& r) { return changed(charge(r), ":5", ":6"); }),
            post("another key", 401, "not_authenticated",
                 [](auto& r) { return changed(charge(r), "\"k1\"", "\"k2\""); }),
            post("another command", 401, "not_authenticated",
                 [](auto& r) { return changed(charge(r), "charge", "click"); }),
            get("another look-up", 401, "not_authenticated",
                [](auto& r) { return changed(r.get(path_of_key), "/k1", "/k2"); }),
            post("unsigned, of no such command", 401, "not_authenticated", [](auto& r) {
                return changed(r.post("/v1/commands/refund", "\"k1\"", charge_body),
                               "webhook-id: ", "webhook-id: x");
            })};
}

std::vector<Scenario> heads() {
    return {
        post("query", 400, "query_not_taken",
             [](auto& r) { return r.post(charge_path + "?dry_run=1", "\"k1\"", charge_body); }),
        get("look-up with a body", 400, "body_not_taken",
            [](auto& r) { return changed(r.get(path_of_key), "Host:", "Content-Length: 1\r\nHost:"); }),
        post("form", 415, "unsupported_media_type",
             [](auto& r) {
                 return changed(charge(r), "application/json", "application/x-www-form-urlencoded");
             }),
        post("chunks", 411, "chunked_not_allowed",
             [](auto& r) { return changed(charge(r), "Content-Length: 12", "Transfer-Encoding: chunked"); }),
        post("no length", 411, "length_required",
             [](auto& r) { return changed(charge(r), "Content-Length: 12\r\n", ""); }),
        post("body too long", 413, "body_too_large",
             [](auto& r) { return changed(charge(r), "Content-Length: 12", "Content-Length: 65537"); }),
        post("bad head", 400, "missing_host",
             [](auto& r) { return changed(charge(r), "Host: test\r\n", ""); }),
        get("bad head", 400, "missing_host",
            [](auto& r) { return changed(r.get(path_of_key), "Host: test\r\n", ""); }),
        get("no such path", 404, "no_such_resource",
            [](auto& r) { return r.get("/v1/commands/charge/k1/more"); })};
}

std::vector<Scenario> slow_callers() {
    const auto half = [](const std::string& bytes) { return bytes.substr(0, bytes.size() - 4); };
    return {{"half a body", "post", 408, "body_timeout", [half](auto& r) { return half(charge(r)); },
             std::chrono::seconds{11}},
            {"half a head", "get", 408, "head_timeout", [half](auto& r) { return half(r.get(path_of_key)); },
             std::chrono::seconds{6}}};
}

/// What the head's reader refuses of any request.
std::vector<Scenario> hostile_heads() {
    std::vector<Scenario> all;
    for (const bool is_post : {true, false}) {
        const std::string target = is_post ? charge_path : path_of_key;
        const std::string line = (is_post ? "POST " : "GET ") + target;
        const auto add = [&](int status, const std::string& problem, const std::string& head) {
            all.push_back(
                {problem, is_post ? "post" : "get", status, problem, [head](auto&) { return head; }});
        };
        const std::string end = " HTTP/1.1\r\nHost: test\r\n";
        add(414, "target_too_long", line + std::string(5000, 'k') + end + "\r\n");
        add(417, "expectation", line + end + "Expect: more\r\n\r\n");
        add(431, "head_too_large", line + end + "X: " + std::string(20'000, 'x') + "\r\n\r\n");
        add(501, "transfer_encoding", line + end + "Transfer-Encoding: gzip\r\n\r\n");
        add(505, "version", line + " HTTP/2.0\r\nHost: test\r\n\r\n");
    }
    return all;
}

}  // namespace

const std::vector<Scenario>& scenarios() {
    static const std::vector<Scenario> all = [] {
        std::vector<Scenario> every;
        for (auto some : {answers(), keys(), limits(), callers(), heads(), slow_callers(), hostile_heads()})
            for (Scenario& one : some) every.push_back(std::move(one));
        return every;
    }();
    return all;
}

std::string answer_in(const Scenario& scenario, RunningCommands& running) {
    ingress::Client client = running.connect();
    client.send(scenario.request(running));
    if (scenario.late > Milliseconds{0}) {
        client.wait_for_receipt();
        running.pass(scenario.late);
    }
    return client.answer();
}

int status_of(const std::string& answer) {
    constexpr std::string_view version = "HTTP/1.1 ";
    return answer.starts_with(version) ? std::atoi(answer.c_str() + version.size()) : 0;
}

}  // namespace sluice::command
