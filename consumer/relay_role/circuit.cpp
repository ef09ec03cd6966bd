#include "consumer/relay_role/circuit.hpp"

#include <algorithm>

namespace sluice::consumer {
namespace {

constexpr Backoff between_probes{Milliseconds{200}, Milliseconds{10'000}};

}  // namespace

bool Circuit::is_open_after(std::span<const Sent> answers) {
    bool is_reached = false;
    bool is_out_of_reach = false;
    for (const Sent& answer : answers) {
        is_reached = is_reached || answer.is_settled();
        is_out_of_reach = is_out_of_reach || answer.how == Sent::How::failed;
        if (answer.how == Sent::How::later) ++late_in_row_;
        if (!answer.why.empty()) why_ = answer.why;
    }
    if (is_reached) late_in_row_ = failures_ = 0;
    if (!is_reached && (is_out_of_reach || late_in_row_ >= most_late)) ++failures_;
    return is_open();
}

Milliseconds Circuit::rest(Random& random) const {
    return between_probes.after(std::max(failures_, 1), random);
}

}  // namespace sluice::consumer
