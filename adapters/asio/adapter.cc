// The adapter of asio; README.md says what each step means.
#include <asio.hpp>
#include <chrono>
#include <cmath>
#include <optional>
#include <thread>
#include <utility>

#include "loop.h"

namespace loop_adapter {
namespace {

using Socket = asio::local::stream_protocol::socket;

class Asio : public Loop {
 public:
  explicit Asio(const Outlook& outlook) : Loop(outlook) {}
  ~Asio() override {
    if (pool_) pool_->join();
  }

  RunEnd Run(RunMode mode) override {
    context_.restart();
    if (mode == RunMode::kDefault) context_.run();
    if (mode == RunMode::kOnce) context_.run_one();
    if (mode == RunMode::kNowait) context_.poll();
    return outlook().End();
  }
  void Stop() override { context_.stop(); }
  asio::io_context& context() { return context_; }
  std::chrono::steady_clock::time_point start() const { return start_; }
  asio::thread_pool& pool() {
    if (!pool_) pool_.emplace(4);
    return *pool_;
  }

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  asio::io_context context_;
  std::optional<asio::thread_pool> pool_;
};

Asio& AsioOf(Loop& loop) { return static_cast<Asio&>(loop); }

enum class Way { kPost, kDefer, kDispatch };

// What was handed over cannot be taken back.
class Soon : public Thing {
 public:
  Soon(Loop& loop, Way way) : context_(AsioOf(loop).context()), way_(way) {}
  void Start(double) override {
    const auto call = [this] { Called(); };
    switch (way_) {
      case Way::kPost:
        return asio::post(context_, call);
      case Way::kDefer:
        return asio::defer(context_, call);
      case Way::kDispatch:
        return asio::dispatch(context_, call);
    }
  }
  bool Stop() override { return false; }

 private:
  asio::io_context& context_;
  const Way way_;
};

// Each start has a number, because the handler of a wait that was cancelled comes all the same. `is_absolute`: the
// delay counts from the start of the program.
class Timer : public Thing {
 public:
  Timer(Loop& loop, bool is_absolute) : asio_(AsioOf(loop)), timer_(asio_.context()), is_absolute_(is_absolute) {}
  void Start(double ms) override {
    const std::chrono::microseconds delay(std::llround(ms * 1000));
    if (is_absolute_) {
      timer_.expires_at(asio_.start() + delay);
    } else {
      timer_.expires_after(delay);
    }
    timer_.async_wait([this, start = ++starts_](const asio::error_code& error) {
      const bool is_told = is_told_ && start == starts_;
      if (!error) Called();
      if (error && is_told) Called("ECANCELED");
    });
    is_told_ = false;
  }
  bool Stop() override {
    timer_.cancel();
    return true;
  }
  void Cancel() override {
    is_told_ = true;
    timer_.cancel();
  }

 private:
  Asio& asio_;
  asio::steady_timer timer_;
  const bool is_absolute_;
  int64_t starts_ = 0;
  bool is_told_ = false;  // that it was cancelled
};

// `waits`: it asks for the socket to become readable, and not for what can be read.
class Reader : public Thing {
 public:
  Reader(Loop& loop, int descriptor, bool waits)
      : socket_(AsioOf(loop).context(), asio::local::stream_protocol(), descriptor), waits_(waits) {}
  void Start(double) override {
    if (waits_) {
      socket_.async_wait(Socket::wait_read, [this](const asio::error_code& error) { OnReady(error); });
    } else {
      socket_.async_read_some(asio::buffer(&byte_, 1),
                              [this](const asio::error_code& error, size_t) { OnReady(error); });
    }
  }
  bool Stop() override {
    socket_.cancel();
    return true;
  }

 private:
  void OnReady(const asio::error_code& error) {
    if (error) return;
    asio::error_code ignored;
    socket_.close(ignored);
    Called();
  }

  Socket socket_;
  const bool waits_;
  char byte_ = 0;
};

// A trip through a pool of asio and back.
class Work : public Thing {
 public:
  explicit Work(Loop& loop) : asio_(AsioOf(loop)) {}
  void Start(double ms) override {
    // Work that the context counts: it has to wait for the thread.
    asio::post(asio_.pool(), [this, ms, guard = asio::make_work_guard(asio_.context())] {
      std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(ms));
      asio::post(guard.get_executor(), [this] { Called(); });
    });
  }
  bool Stop() override { return false; }

 private:
  Asio& asio_;
};

template <typename T, typename... Arguments>
std::function<std::unique_ptr<Thing>(Loop&, int)> New(Arguments... arguments) {
  return [=](Loop& loop, int) { return std::make_unique<T>(loop, arguments...); };
}

std::vector<Op> Ops() {
  const auto reader = [](bool waits) {
    return [waits](Loop& loop, int descriptor) { return std::make_unique<Reader>(loop, descriptor, waits); };
  };
  return {{"soon", Fires::kOnce, New<Soon>(Way::kPost)},
          {"soon as defer", Fires::kOnce, New<Soon>(Way::kDefer)},
          {"soon as dispatch", Fires::kOnce, New<Soon>(Way::kDispatch)},
          {"timeout", Fires::kOnce, New<Timer>(false)},
          {"timeout as at", Fires::kOnce, New<Timer>(true)},
          {"read", Fires::kOnce, reader(false)},
          {"read as wait", Fires::kOnce, reader(true)},
          {"work", Fires::kOnce, New<Work>()}};
}

std::string Version() {
  return std::to_string(ASIO_VERSION / 100000) + "." + std::to_string(ASIO_VERSION / 100 % 1000) + "." +
         std::to_string(ASIO_VERSION % 100);
}

}  // namespace
}  // namespace loop_adapter

int main() {
  using namespace loop_adapter;
  return RunSession({"asio",
                     Version(),
                     {},
                     nullptr,
                     Ops(),
                     {"clear", "clear as cancel", "refresh", "start", "run", "stop"},
                     [](const Outlook& outlook) { return std::make_unique<Asio>(outlook); }});
}
