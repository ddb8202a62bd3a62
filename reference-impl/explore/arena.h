// Memory that can be copied as a whole and put back as it was: the state of a run.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_ARENA_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_ARENA_H_

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

namespace conform::reference {

// Sanitizers watch every allocation by itself, and must continue doing so: there, nothing is allocated from an arena.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CONFORM_HAS_ARENAS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define CONFORM_HAS_ARENAS 0
#endif
#endif
#ifndef CONFORM_HAS_ARENAS
#define CONFORM_HAS_ARENAS 1
#endif
inline constexpr bool kHasArenas = CONFORM_HAS_ARENAS != 0;

struct ArenaFull : std::bad_alloc {};

// What `new` gives this thread while an Inside lives. Nothing in it is moved, so that pointers into it stay right when
// its bytes are put back. Objects in it need not be destroyed.
class Arena {
 public:
  using Image = std::vector<char>;

  // That of this thread. It is made at the first call.
  static Arena& OfThread();

  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Forgets everything in it.
  void Clear();
  size_t used() const;
  // REQUIRES: `image` was made by CopyTo of this arena, after the last Clear.
  void Restore(const Image& image);
  void CopyTo(Image* image) const;

  // An image is large, so that one that is not needed any more is used again: a spare one, of any content, and back.
  Image TakeSpare();
  void GiveBack(Image image);

  // While it lives, this thread allocates from the arena.
  class Inside {
   public:
    explicit Inside(Arena& arena);
    ~Inside();
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
  };

  // While it lives, this thread allocates as usual.
  class Outside {
   public:
    Outside();
    ~Outside();
    Outside(const Outside&) = delete;
    Outside& operator=(const Outside&) = delete;

   private:
    Arena* const before_;
  };

  void* Allocate(size_t bytes);
  void Free(void* address);
  bool Owns(const void* address) const { return address >= bytes_ && address < bytes_ + kCapacity; }

 private:
  static constexpr size_t kCapacity = size_t{64} << 20;
  static constexpr size_t kMostSpare = 64;
  static constexpr size_t kMostSpareBytes = 64 << 10;
  static constexpr size_t kImageGrain = 4 << 10;  // a spare one then mostly has room for a larger state
  struct Head;

  Arena();
  Head& head() const;

  char* const bytes_;
  std::vector<Image> spare_;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_ARENA_H_
