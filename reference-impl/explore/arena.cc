#include "reference-impl/explore/arena.h"

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "runners/base/check.h"

namespace conform::reference {

namespace {

// A block is a word with its class, and then the memory that was requested. Blocks begin in the middle of 16 bytes, so
// that the memory is aligned to 16.
constexpr size_t kWord = 8;
constexpr size_t kGrain = 16;
constexpr size_t kSmallClasses = 128;  // in steps of kGrain; beyond, four to each doubling
constexpr size_t kSmallWidth = 11;     // of the largest of them, in bits
constexpr size_t kClasses = kSmallClasses + 64;

size_t ClassOf(size_t block) {
  if (block <= kSmallClasses * kGrain) return block / kGrain - 1;
  const auto width = static_cast<size_t>(std::bit_width(block - 1)) - 1;
  return kSmallClasses + (width - kSmallWidth) * 4 + ((block - 1) >> (width - 2)) % 4;
}

size_t BlockOf(size_t size_class) {
  if (size_class < kSmallClasses) return (size_class + 1) * kGrain;
  const size_t large = size_class - kSmallClasses;
  return (large % 4 + 5) << (large / 4 + kSmallWidth - 2);
}

// Of this thread: its arena, if it has one, and that which it allocates from now.
thread_local std::unique_ptr<Arena> t_arena;  // NOLINT(*-avoid-non-const-global-variables)
thread_local const Arena* t_known = nullptr;  // NOLINT(*-avoid-non-const-global-variables)
thread_local Arena* t_inside = nullptr;       // NOLINT(*-avoid-non-const-global-variables)

}  // namespace

// Places are counted from the start of the arena, which is small enough for half of a pointer: it is copied with all
// else.
struct Arena::Head {
  size_t top;
  uint32_t free[kClasses];  // places of memory; each begins with the place of the next. 0: none
};

Arena& Arena::OfThread() {
  if (t_arena == nullptr) {
    t_arena.reset(new Arena);
    t_known = t_arena.get();
  }
  return *t_arena;
}

Arena::Arena() : bytes_(static_cast<char*>(std::malloc(kCapacity))) {
  if (bytes_ == nullptr) throw std::bad_alloc();
  Clear();
}

Arena::~Arena() {
  if (t_known == this) t_known = nullptr;
  std::free(bytes_);
}

Arena::Head& Arena::head() const { return *reinterpret_cast<Head*>(bytes_); }

void Arena::Clear() {
  std::memset(bytes_, 0, sizeof(Head));
  head().top = (sizeof(Head) + kGrain - 1) / kGrain * kGrain + kWord;
}

size_t Arena::used() const { return head().top; }

Arena::Image Arena::TakeSpare() {
  if (spare_.empty()) return {};
  Image image = std::move(spare_.back());
  spare_.pop_back();
  return image;
}

void Arena::GiveBack(Image image) {
  if (spare_.size() < kMostSpare && image.capacity() <= kMostSpareBytes) spare_.push_back(std::move(image));
}

void Arena::CopyTo(Image* image) const {
  const size_t size = head().top;
  if (image->capacity() < size) {
    image->clear();
    image->reserve((size / kImageGrain + 1) * kImageGrain);
  }
  image->assign(bytes_, bytes_ + size);
}

void Arena::Restore(const Image& image) { std::memcpy(bytes_, image.data(), image.size()); }

void* Arena::Allocate(size_t bytes) {
  if (bytes > kCapacity) throw ArenaFull();
  const size_t size_class = ClassOf((bytes + kWord + kGrain - 1) / kGrain * kGrain);
  Head& state = head();
  if (const uint32_t place = state.free[size_class]) {
    std::memcpy(&state.free[size_class], bytes_ + place, sizeof place);
    return bytes_ + place;
  }
  const size_t block = BlockOf(size_class);
  if (kCapacity - state.top < block) throw ArenaFull();
  char* const begin = bytes_ + state.top;
  state.top += block;
  const uint64_t mark = size_class;
  std::memcpy(begin, &mark, kWord);
  return begin + kWord;
}

void Arena::Free(void* address) {
  uint64_t size_class;
  std::memcpy(&size_class, static_cast<char*>(address) - kWord, kWord);
  uint32_t& first = head().free[size_class];
  std::memcpy(address, &first, sizeof first);
  first = static_cast<uint32_t>(static_cast<char*>(address) - bytes_);
}

Arena::Inside::Inside(Arena& arena) {
  CONFORM_CHECK(t_inside == nullptr);
  t_inside = &arena;
}
Arena::Inside::~Inside() { t_inside = nullptr; }

Arena::Outside::Outside() : before_(t_inside) { t_inside = nullptr; }
Arena::Outside::~Outside() { t_inside = before_; }

}  // namespace conform::reference

#if CONFORM_HAS_ARENAS
namespace conform::reference {
namespace {

void* AllocateAnywhere(size_t bytes) {
  if (t_inside != nullptr) return t_inside->Allocate(bytes);
  if (void* const address = std::malloc(bytes == 0 ? 1 : bytes)) return address;
  throw std::bad_alloc();
}

void FreeAnywhere(void* address) {
  if (t_known == nullptr || !t_known->Owns(address)) {
    std::free(address);
  } else if (t_inside != nullptr) {
    t_inside->Free(address);
  }
}

}  // namespace
}  // namespace conform::reference

// The run allocates through what it is made of: strings, vectors, shared pointers.
void* operator new(size_t bytes) { return conform::reference::AllocateAnywhere(bytes); }
void operator delete(void* address) noexcept { conform::reference::FreeAnywhere(address); }
void operator delete(void* address, size_t) noexcept { conform::reference::FreeAnywhere(address); }
#endif
