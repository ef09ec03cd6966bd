#include "ctl/verify/gate_view.hpp"

#include <expected>

#include "common/webhook/gate/admission.hpp"
#include "common/webhook/gate/head.hpp"

namespace sluice::ctl {
namespace {

bool is_left_out_by_hand(gate::Refusal refusal) {
    return refusal == gate::Refusal::missing_host || refusal == gate::Refusal::length_required;
}

std::expected<void, gate::Refusal> judge_head(const RequestFile& file, const webhook::Source& source,
                                              gate::Head& head) {
    if (const auto end = gate::find_head_end(file.head); !end) return std::unexpected{end.error()};
    if (const auto read = gate::read_head(file.head, head); !read) return read;
    return gate::admit(head, &source);
}

void remark_on_length(const RequestFile& file, const gate::Head& head, GateView& view) {
    if (head.framing.kind != gate::Framing::Kind::length || head.framing.length == file.request.body.size())
        return;
    view.remarks.push_back("Content-Length is " + std::to_string(head.framing.length) +
                           " bytes, but the file's body has " + std::to_string(file.request.body.size()));
}

void remark_on_path(const RequestFile& file, const webhook::Source& source, GateView& view) {
    const std::string_view target = file.request.target;
    if (target.substr(0, target.find('?')) == source.path) return;
    view.remarks.push_back("the ingress would not route it here: the source's path is " + source.path);
}

}  // namespace

GateView look_through_gate(const RequestFile& file, const webhook::Source& source) {
    GateView view;
    if (file.is_crlf) {
        gate::Head head;
        const auto judged = judge_head(file, source, head);
        if (!judged) {
            const auto& row = gate::row_of(judged.error());
            view.why = std::string{row.name};
            if (!is_left_out_by_hand(judged.error())) {
                view.refused_with = row.status;
                return view;
            }
            view.remarks.push_back("the gate would answer " + std::to_string(row.status) + ": " + view.why);
        }
        remark_on_length(file, head, view);
    } else {
        view.remarks.emplace_back("the gate would answer 400: lines of the head end with LF instead of CRLF");
    }
    remark_on_path(file, source, view);
    return view;
}

}  // namespace sluice::ctl
