#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/webhook/recipe/certificate_rule.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/paypal/holding.hpp"

namespace sluice::ctl {

/// One address of a certificate, what the folder has of it, and what becomes of it. The functions are pure.
struct AddressLine {
    enum class State {
        wanted,         ///< not in the folder, or no longer to be believed: to be fetched
        there,          ///< in the folder and believed: nothing to do
        unchanged,      ///< fetched again, and the same
        to_be_written,  ///< fetched and believed
        written,
        refused,      ///< never fetched, or not believed
        unreachable,  ///< no answer
    };
    std::string address;
    Holding holding;  ///< `why` also says why it is refused, or what there is cannot be used
    State state = State::wanted;
    bool replaces = false;  ///< a file of that name is there
    std::string text{};     ///< what belongs into the file: PEM, the leaf first
};

/// Without a fetch: refused when it is not at one of the source's hosts, there when the folder's is believed
/// at `now`, else wanted.
[[nodiscard]] AddressLine look_up(const webhook::CertificateTrust& trust, const std::string& address,
                                  WallTime now);

/// What a server answered: to be written only when the ingress would believe the file as it will be. The leaf
/// is the first certificate of the provider's name, wherever it stands.
void judge_answer(AddressLine& line, const webhook::CertificateTrust& trust, std::string_view answer,
                  WallTime now);

/// More files than are read would make the folder useless: what no longer fits is refused. `files` are there.
void refuse_beyond_room(std::vector<AddressLine>& lines, std::size_t files);

[[nodiscard]] Exit exit_of(const std::vector<AddressLine>& lines);
[[nodiscard]] Json to_json(const std::vector<AddressLine>& lines, WallTime now);
[[nodiscard]] std::string to_people(const std::vector<AddressLine>& lines, WallTime now);

}  // namespace sluice::ctl
