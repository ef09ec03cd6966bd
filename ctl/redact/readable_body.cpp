#include "ctl/redact/readable_body.hpp"

#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/util/json_util.h>

#include "common/crypto/encoding.hpp"
#include "consumer/store/outbox/body_form.hpp"
#include "ctl/cli/json.hpp"
#include "proto/payment_event.pb.h"

namespace sluice::ctl {

std::string readable_body(std::string_view body) {
    const google::protobuf::LogSilencer no_lines_on_stderr;
    v1::PaymentEvent event;
    const bool is_one = !store::is_json(body) && event.ParseFromString(std::string{body});
    if (!is_one || event.event_id().empty()) return std::string{body};
    google::protobuf::util::JsonPrintOptions options;
    options.preserve_proto_field_names = true;
    std::string text;
    if (!google::protobuf::util::MessageToJsonString(event, &text, options).ok()) return std::string{body};
    auto json = parse_json(text);
    if (!json) return std::string{body};
    if (json->contains("content_digest")) (*json)["content_digest"] = crypto::to_hex(event.content_digest());
    if (json->contains("dedup_key")) (*json)["dedup_key"] = crypto::to_hex(event.dedup_key());
    if (event.has_body()) (*json)["body"] = parse_json(event.body()).value_or(Json(event.body()));
    return to_line(*json);
}

}  // namespace sluice::ctl
