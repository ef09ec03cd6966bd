// Against a real broker: SLUICE_TEST_KAFKA=host:port has the topic "originals.test" with "body 0" to
// "body 299" under the hex of their SHA-256, written a second apart from SLUICE_TEST_KAFKA_FROM (unix) on.
#include "consumer/command/execute/kafka_originals.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace sluice::consumer {
namespace {

using std::chrono::seconds;

std::string environment(const char* name) {
    const char* const value = std::getenv(name);
    if (value == nullptr) throw std::runtime_error{std::string{name} + " is not set"};
    return value;
}

class KafkaOriginalsTest : public testing::Test {
protected:
    /// Looked for as received so many seconds after the first was written.
    std::optional<std::string> find(const std::string& body, int received_at) {
        return originals_->find(crypto::sha256(body), from_ + seconds{received_at});
    }
    void look_elsewhere(const std::string& broker, const std::string& topic) {
        settings_.brokers = {broker};
        settings_.originals_topic = topic;
        originals_ = kafka_originals(settings_, clock_, log_);
    }
    /// Of what it looks for in vain.
    seconds time_without(const std::string& body) {
        const SteadyTime begin = clock_.steady();
        EXPECT_EQ(find(body, 7), std::nullopt);
        return std::chrono::ceil<seconds>(clock_.steady() - begin);
    }

    const std::string broker_ = environment("SLUICE_TEST_KAFKA");

private:
    void SetUp() override { look_elsewhere(broker_, "originals.test"); }

    const WallTime from_{seconds{std::stoll(environment("SLUICE_TEST_KAFKA_FROM"))}};
    SystemClock clock_;
    Log log_{{.program = "test", .descriptor = ::open("/dev/null", O_WRONLY)}};
    config::KafkaSettings settings_;
    std::unique_ptr<Originals> originals_;
};

TEST_F(KafkaOriginalsTest, FindsABodyAboutItsTime) {
    for (const int number : {0, 7, 150, 299})
        EXPECT_EQ(find("body " + std::to_string(number), number), "body " + std::to_string(number));
    EXPECT_EQ(find("body 150", 155), "body 150") << "its clock is behind";
    EXPECT_EQ(find("body 150", 95), "body 150") << "it took long to be written";
    EXPECT_EQ(find("body 150", 85), "body 150") << "a journal had it, and newer ones came before";
}

TEST_F(KafkaOriginalsTest, LooksNoEarlier) {
    EXPECT_EQ(find("body 150", 165), std::nullopt);
    EXPECT_EQ(find("body 299", 100'000), std::nullopt) << "after everything";
}

TEST_F(KafkaOriginalsTest, MissesWhatIsNotThereAtOnce) {
    EXPECT_LE(time_without("body 300"), seconds{4});
}

TEST_F(KafkaOriginalsTest, GivesUpInTimeWhereNobodyAnswers) {
    look_elsewhere(broker_, "originals.nowhere");
    EXPECT_LE(time_without("body 7"), seconds{6});
    look_elsewhere("127.0.0.1:1", "originals.test");
    EXPECT_LE(time_without("body 7"), seconds{6});
}

}  // namespace
}  // namespace sluice::consumer
