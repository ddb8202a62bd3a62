// The pool of threads that does a real loop's file operations.
#ifndef CONFORM_REFERENCE_IMPL_PLATFORM_THREAD_POOL_H_
#define CONFORM_REFERENCE_IMPL_PLATFORM_THREAD_POOL_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace conform::reference {

// Takes requests in the order in which they were submitted, up to `threads` at once. All methods are for one owning
// thread.
class ThreadPool {
 public:
  struct Hooks {
    std::function<void()> work;            // one request; on a thread of the pool, several at once
    std::function<void(int whom)> notify;  // a request has ended; on any of the threads, one at a time
  };

  // Starts the threads at once, with every signal blocked: signals belong to the thread of the loop.
  // Throws std::system_error where the machine has none to give. REQUIRES: threads >= 1.
  ThreadPool(int threads, Hooks hooks);

  // Drops what no thread has taken yet, waits for what is being worked on, and joins.
  ~ThreadPool();

  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Queues request `id`, which takes at least `ms` on its thread; when it has ended, it is in TakeEnded, and then
  // notify(whom) is called.
  void Submit(int64_t id, int whom, int64_t ms = 0);

  // Ends a request that no thread has taken yet, without doing it, and notifies at once. False when it is too late.
  bool Cancel(int64_t id);

  // The requests that have ended since the last call, in the order in which they ended.
  std::vector<int64_t> TakeEnded();

  // After it returns, notify is never called with `whom` for a request submitted before.
  void Forget(int whom);

 private:
  struct Request {
    int64_t id;
    int whom;
    int64_t ms = 0;
  };
  static constexpr int kNobody = -1;

  void Work(size_t thread_index);
  void Stop();  // joins the threads that there are

  const Hooks hooks_;

  std::mutex mutex_;
  std::condition_variable changed_;

  // Protected by mutex_.
  std::deque<Request> queue_;
  std::vector<Request> taken_;  // by thread; whom is kNobody where there is nothing to say
  std::vector<int64_t> ended_;
  bool stopping_ = false;

  std::vector<std::thread> threads_;  // constant after construction
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_PLATFORM_THREAD_POOL_H_
