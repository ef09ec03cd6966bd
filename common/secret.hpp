#pragma once

#include <ostream>
#include <string>
#include <string_view>

namespace sluice {

/// Key material. Owns its bytes, overwrites them when it goes (OPENSSL_cleanse), prints as ***.
/// Moving leaves the source empty. Copies are deliberate (`clone`).
class Secret {
public:
    Secret() = default;
    explicit Secret(std::string_view bytes);
    Secret(Secret&& other) noexcept;
    Secret& operator=(Secret&& other) noexcept;
    Secret(const Secret&) = delete;
    Secret& operator=(const Secret&) = delete;
    ~Secret();

    [[nodiscard]] Secret clone() const;
    [[nodiscard]] std::string_view bytes() const noexcept;  ///< for the one call that needs them
    [[nodiscard]] bool empty() const noexcept;

private:
    void wipe() noexcept;
    std::string bytes_;  // reserved above the small-string size, so that a move leaves no copy behind
};

std::ostream& operator<<(std::ostream& out, const Secret&);  ///< always ***

}  // namespace sluice
