#include "ingress/connection/request_buffer.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

namespace sluice::connection {
namespace {

void put(RequestBuffer& buffer, std::string_view text) {
    std::ranges::copy(text, buffer.room().begin());
    buffer.filled(text.size());
}

TEST(RequestBuffer, KeepsWhatBelongsToTheNextRequest) {
    RequestBuffer buffer;
    put(buffer, "first|second");
    buffer.drop(6);
    EXPECT_EQ(buffer.bytes(), "second");
    put(buffer, "|third");
    EXPECT_EQ(buffer.bytes(), "second|third");
}

TEST(RequestBuffer, GapIsClosed) {
    RequestBuffer buffer;
    put(buffer, "head<wire>rest");
    buffer.drop_between(4, 10);
    EXPECT_EQ(buffer.bytes(), "headrest");
}

TEST(RequestBuffer, IsBounded) {
    RequestBuffer buffer;
    put(buffer, std::string(RequestBuffer::capacity, 'x'));
    EXPECT_TRUE(buffer.room().empty());
}

TEST(RequestBuffer, LeavesRoomForTheParsersPadding) {
    EXPECT_TRUE(RequestBuffer::fits(100, RequestBuffer::capacity - 100 - json_padding));
    EXPECT_FALSE(RequestBuffer::fits(100, RequestBuffer::capacity - 100 - json_padding + 1));
}

TEST(RequestBuffer, GoesBackToTheMachine) {
    auto buffer = std::make_unique<RequestBuffer>();
    put(*buffer, "first");
    void* const pages = buffer.get();
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    ASSERT_EQ(::msync(pages, page, MS_ASYNC), 0);
    buffer.reset();
    EXPECT_EQ(::msync(pages, page, MS_ASYNC), -1);
    EXPECT_EQ(errno, ENOMEM) << "something is there";
}

TEST(BufferPool, GivesTheSameBufferEmptyAgain) {
    BufferPool pool;
    auto lease = pool.take();
    const RequestBuffer* first = lease.get();
    put(*lease, "secret");
    lease->body = std::string(1'000'000, 'x');
    lease.reset();
    lease = pool.take();
    EXPECT_EQ(lease.get(), first);
    EXPECT_EQ(lease->bytes(), "");
    EXPECT_LT(lease->body.capacity(), 100'000U) << "a large body's memory stays with an idle buffer";
}

}  // namespace
}  // namespace sluice::connection
