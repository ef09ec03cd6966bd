#include "ctl/send/traffic/sample_story.hpp"

#include "ctl/send/traffic/stripe_story.hpp"

namespace sluice::ctl {
namespace {

constexpr std::size_t most_objects = 200;

}  // namespace

SampleStory::SampleStory(Settings settings) : settings_{std::move(settings)}, dice_{settings_.seed} {}

SampleStory::Object& SampleStory::any_object() {
    const bool is_new = objects_.empty() || (objects_.size() < most_objects && dice_.below(2) == 0);
    if (!is_new) return objects_[dice_.below(objects_.size())];
    return objects_.emplace_back(Object{.id = dice_.id("obj", 16),
                                        .customer = customer_id(dice_.below(settings_.customers)),
                                        .amount = 500 + static_cast<std::int64_t>(dice_.below(49'500))});
}

SampleEvent SampleStory::next() {
    SampleEvent event;
    event.type = settings_.types[dice_.below(settings_.types.size())];
    event.id = dice_.id("evt", 20);
    event.created = settings_.created;
    Object& object = any_object();
    event.object = object.id;
    event.customer = object.customer;
    event.amount = object.amount;
    event.step = ++object.step;
    return event;
}

}  // namespace sluice::ctl
