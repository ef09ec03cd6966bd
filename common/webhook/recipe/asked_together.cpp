#include "common/webhook/recipe/asked_together.hpp"

#include <optional>
#include <vector>

namespace sluice::webhook {

namespace {

class Collector {
public:
    std::vector<Pointer*> found;

    void add(Pointer& pointer) { found.push_back(&pointer); }
    void add(Fact& fact) { add(fact.pointer); }
    void add(TimeField& field) { add(field.at); }
    void add(AmountField& field) { add(field.at); }
    void add(BodyTest& test) { add(test.at); }
    void add(ObjectField& field) {
        add(field.value);
        add(field.expanded_id);
    }
    void add(PaymentCase& one) {
        add(one.when);
        for (Facts* const facts : text_facts(one.fields)) add(*facts);
        add(one.fields.amount);
        add(one.fields.refunded_total);
        add(one.fields.paid_at);
    }
    template <class T>
    void add(std::vector<T>& all) {
        for (T& one : all) add(one);
    }
};

}  // namespace

void ask_together(Extraction& extraction) {
    Collector pointers;
    pointers.add(extraction.id);
    pointers.add(extraction.type);
    pointers.add(extraction.order_by);
    pointers.add(extraction.time);
    pointers.add(extraction.day);
    if (extraction.livemode) pointers.add(*extraction.livemode);
    pointers.add(extraction.digest);
    ask_together(pointers.found);
}

void ask_together(PaymentRule& rule) {
    Collector pointers;
    pointers.add(rule.cases);
    ask_together(pointers.found);
}

}  // namespace sluice::webhook
