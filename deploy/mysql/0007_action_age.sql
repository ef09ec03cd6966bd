-- What operators did goes by its age (consumer/store/retention/closed_letters.hpp).
ALTER TABLE operator_action ADD KEY operator_action_age (carried_out_at);
