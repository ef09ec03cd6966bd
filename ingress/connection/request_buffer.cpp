#include "ingress/connection/request_buffer.hpp"

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace sluice::connection {
namespace {

constexpr std::size_t largest_body_kept = 64 * 1024;

}  // namespace

void* RequestBuffer::operator new(std::size_t size) {
    void* const pages = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc{};
    return pages;
}

void RequestBuffer::operator delete(void* pages, std::size_t size) noexcept {
    ::munmap(pages, size);
}

void RequestBuffer::drop(std::size_t count) noexcept {
    drop_between(0, count);
    body.clear();
}

void RequestBuffer::drop_between(std::size_t first, std::size_t last) noexcept {
    std::memmove(memory_.data() + first, memory_.data() + last, filled_ - last);
    filled_ -= last - first;
}

void RequestBuffer::clear() noexcept {
    filled_ = 0;
    body.clear();
    if (body.capacity() > largest_body_kept) body.shrink_to_fit();
}

BufferPool::Lease BufferPool::take() {
    if (free_.empty()) {
        // Not value-initialised: a page that no request needs is never touched.
        return Lease{new RequestBuffer, GiveBack{this}};
    }
    Lease lease{free_.back().release(), GiveBack{this}};
    free_.pop_back();
    return lease;
}

void BufferPool::GiveBack::operator()(RequestBuffer* buffer) const noexcept {
    std::unique_ptr<RequestBuffer> owned{buffer};
    if (pool->free_.size() >= most_kept) return;
    owned->clear();
    if (pool->free_.capacity() == 0) pool->free_.reserve(most_kept);
    pool->free_.push_back(std::move(owned));
}

}  // namespace sluice::connection
