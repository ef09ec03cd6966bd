#pragma once

#include <boost/intrusive/list.hpp>

namespace sluice::connection {

/// A connection as its thread sees it: something to tell that no more requests are wanted.
class Drainable
    : public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
public:
    virtual ~Drainable() = default;
    virtual void drain() = 0;  ///< idle: end now; else after the request in progress
    virtual void cut() = 0;    ///< end at once
};

/// All of one thread. Each leaves it as it goes.
using Drainables = boost::intrusive::list<Drainable, boost::intrusive::constant_time_size<false>>;

}  // namespace sluice::connection
