#include "poller/reconcile/id_file.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "common/config/problems.hpp"

namespace sluice::poller {
namespace {

std::vector<std::string> ids_in(const std::string& text) {
    std::istringstream in{text};
    return read_ids(in);
}

TEST(IdFile, HasAnIdALine) {
    EXPECT_EQ(ids_in("evt_1\n\n  evt_2 \r\nevt_1\nevt_3"),
              (std::vector<std::string>{"evt_1", "evt_2", "evt_3"}));
}

TEST(IdFile, WithoutAnIdIsRefused) {
    EXPECT_THROW((void)ids_in("\n \n"), config::Refused);
}

TEST(IdFile, WithALineThatIsNoIdIsRefusedByItsNumber) {
    for (const std::string& line :
         {std::string{"evt_1,evt_2 x"}, std::string(256, 'x'), std::string{"evt\x1b"}}) {
        try {
            (void)ids_in("evt_1\n" + line);
            ADD_FAILURE() << line;
        } catch (const config::Refused& why) {
            EXPECT_TRUE(std::string{why.what()}.contains("line 2"));
        }
    }
}

}  // namespace
}  // namespace sluice::poller
