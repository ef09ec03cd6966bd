#pragma once

#include "ingress/callbacks/callback_batch.hpp"
#include "ingress/callbacks/callback_sender.hpp"
#include "ingress/callbacks/sample.hpp"

namespace sluice::callbacks {

/// The longest body that is kept; of a longer one the size stays.
inline constexpr std::size_t most_kept_of_a_provider = std::size_t{256} << 10;
inline constexpr std::size_t most_kept_of_anybody = std::size_t{4} << 10;

/// The callbacks of one thread, gathered for a moment: no request waits for them. What is not given to the
/// sender when the process is killed is lost, a quarter of a second of them at most.
class CallbackLog {
public:
    static constexpr std::size_t full_batch = std::size_t{512} << 10;  // bytes
    static constexpr std::chrono::milliseconds gathered_for{250};

    /// `sender` outlives it.
    explicit CallbackLog(CallbackSender& sender) : sender_{sender} {}
    ~CallbackLog();  ///< gives what it has
    CallbackLog(const CallbackLog&) = delete;
    CallbackLog& operator=(const CallbackLog&) = delete;

    /// Whether a callback is recorded by itself. One that is not is counted here.
    [[nodiscard]] bool takes(Cause cause, std::string_view source, std::string_view verdict) {
        return sample_.takes(cause, source, verdict);
    }
    /// Whether so much of the request that was taken last is kept.
    [[nodiscard]] bool keeps(Cause cause, std::size_t bytes) { return sample_.keeps(cause, bytes); }
    void add(const Callback& callback);
    /// To be called often: gives what has been gathered for long enough.
    void tick(SteadyTime now, WallTime wall);

private:
    void add_left_out(const std::vector<LeftOut>& left_out, WallTime at);
    void give();

    CallbackSender& sender_;
    CallbackBatch batch_;
    Sample sample_;
    WallTime last_at_{};
    SteadyTime gives_at_{};
};

}  // namespace sluice::callbacks
