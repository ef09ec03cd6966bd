// A program of its own, since it replaces the heap's release function to see what is given back.
#include <algorithm>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "common/secret.hpp"

namespace {

struct Watch {
    const void* block = nullptr;
    std::size_t size = 0;
    bool seen = false;
    bool was_clean = false;
};
Watch watch;

void release(void* block) noexcept {
    if (block != nullptr && block == watch.block) {
        const std::string_view bytes{static_cast<const char*>(block), watch.size};
        watch.seen = true;
        watch.was_clean = std::ranges::all_of(bytes, [](char c) { return c == '\0'; });
        watch.block = nullptr;
    }
    std::free(block);
}

void watch_bytes_of(const sluice::Secret& secret) {
    watch = {.block = secret.bytes().data(), .size = secret.bytes().size()};
}

}  // namespace

void* operator new(std::size_t size) {
    if (void* const block = std::malloc(std::max<std::size_t>(size, 1))) return block;
    throw std::bad_alloc{};
}
void operator delete(void* block) noexcept {
    release(block);
}
void operator delete(void* block, std::size_t) noexcept {
    release(block);
}

namespace sluice {
namespace {

TEST(SecretWipe, WatchSeesWhatAStringLeavesBehind) {
    {
        const std::string text(100, 'x');
        watch = {.block = text.data(), .size = text.size()};
    }
    EXPECT_TRUE(watch.seen);
    EXPECT_FALSE(watch.was_clean);
}

TEST(SecretWipe, DestructionOverwritesTheBytes) {
    {
        const Secret secret{"whsec_0123456789"};
        watch_bytes_of(secret);
    }
    EXPECT_TRUE(watch.seen);
    EXPECT_TRUE(watch.was_clean);
}

TEST(SecretWipe, ShortSecretsLieOnTheHeapToo) {
    {
        Secret secret{"x"};
        watch_bytes_of(secret);
        const Secret moved{std::move(secret)};
        EXPECT_EQ(static_cast<const void*>(moved.bytes().data()), watch.block);
    }
    EXPECT_TRUE(watch.seen);
    EXPECT_TRUE(watch.was_clean);
}

TEST(SecretWipe, AssignmentOverwritesWhatWasThere) {
    {
        Secret secret{"whsec_0123456789"};
        watch_bytes_of(secret);
        secret = Secret{"another"};
    }
    EXPECT_TRUE(watch.seen);
    EXPECT_TRUE(watch.was_clean);
}

}  // namespace
}  // namespace sluice
