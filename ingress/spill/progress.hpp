#pragma once

#include <cstddef>

#include <boost/icl/interval_set.hpp>

namespace sluice::spill {

/// How far one segment is drained. Bytes are done in any order, as keys wait for each other. One thread.
class Progress {
public:
    /// [begin, end), a frame or what is damaged.
    void done(std::size_t begin, std::size_t end) { done_.add(Range::right_open(begin, end)); }
    [[nodiscard]] bool is_done(std::size_t at) const { return boost::icl::contains(done_, at); }
    /// Everything before it is done.
    [[nodiscard]] std::size_t until() const {
        return done_.empty() || done_.begin()->lower() > 0 ? 0 : done_.begin()->upper();
    }

private:
    using Range = boost::icl::interval<std::size_t>;
    boost::icl::interval_set<std::size_t> done_;
};

}  // namespace sluice::spill
