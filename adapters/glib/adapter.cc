// The adapter of GLib's main loop; README.md says what each step means.
#include <gio/gio.h>
#include <glib-unix.h>

#include <utility>

#include "loop.h"

namespace loop_adapter {
namespace {

class Glib : public Loop {
 public:
  explicit Glib(const Outlook& outlook) : Loop(outlook), context_(g_main_context_new()) {
    g_main_context_push_thread_default(context_);
  }
  ~Glib() override {
    g_main_context_pop_thread_default(context_);
    g_main_context_unref(context_);
  }

  // As g_main_loop_run does, which never returns by itself.
  RunEnd Run(RunMode mode) override {
    is_running_ = true;
    do {
      const bool may_wait = mode != RunMode::kNowait && !outlook().NothingComes();
      g_main_context_iteration(context_, may_wait ? TRUE : FALSE);
    } while (mode == RunMode::kDefault && is_running_ && !outlook().NothingComes());
    return outlook().End();
  }
  void Stop() override { is_running_ = false; }
  GMainContext* context() const { return context_; }

 private:
  GMainContext* context_;
  bool is_running_ = false;
};

// A source is destroyed when it has run once, so that each start makes another.
class Source : public Thing {
 public:
  Source(Loop& loop, int priority) : context_(static_cast<Glib&>(loop).context()), priority_(priority) {}
  ~Source() override { Source::Stop(); }

  void Start(double ms) override {
    Stop();
    source_ = NewSource(ms);
    g_source_set_priority(source_, priority_);
    g_source_attach(source_, context_);
  }
  bool Stop() override {
    if (source_ == nullptr) return true;
    GSource* source = std::exchange(source_, nullptr);
    g_source_destroy(source);
    g_source_unref(source);
    return true;
  }
  // The notification that the source is gone; one that has run already is gone, and another represents it.
  void Close(const std::function<void()>& closed) override {
    closed_ = closed;
    if (source_ == nullptr) source_ = g_idle_source_new();
    g_source_set_callback(source_, &Source::OnSource, this,
                          [](gpointer self) { static_cast<Source*>(self)->closed_(); });
    Stop();
  }

 protected:
  virtual GSource* NewSource(double ms) = 0;
  virtual void OnCalled() { Called(); }
  GSource* Prepared(GSource* source) {
    g_source_set_callback(source, &Source::OnSource, this, nullptr);
    return source;
  }

  static gboolean OnSource(gpointer self) {
    auto& thing = *static_cast<Source*>(self);
    if (!thing.repeats()) g_source_unref(std::exchange(thing.source_, nullptr));
    thing.OnCalled();
    return thing.repeats() ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
  }

  GMainContext* context_;

 private:
  const int priority_;
  GSource* source_ = nullptr;
  std::function<void()> closed_;
};

class Idle : public Source {
 public:
  using Source::Source;

 protected:
  GSource* NewSource(double) override { return Prepared(g_idle_source_new()); }
};

class Timer : public Source {
 public:
  using Source::Source;

 protected:
  GSource* NewSource(double ms) override { return Prepared(g_timeout_source_new(static_cast<guint>(ms))); }
};

class Reader : public Source {
 public:
  Reader(Loop& loop, int descriptor, int priority) : Source(loop, priority), descriptor_(descriptor) {}
  ~Reader() override {
    Stop();
    CloseIfOpen(descriptor_);
  }

 protected:
  GSource* NewSource(double) override {
    GSource* source = g_unix_fd_source_new(descriptor_, G_IO_IN);
    const GUnixFDSourceFunc on_ready = [](gint, GIOCondition, gpointer self) { return OnSource(self); };
    g_source_set_callback(source, G_SOURCE_FUNC(on_ready), this, nullptr);
    return source;
  }
  void OnCalled() override {
    ReadAndClose(descriptor_);
    Called();
  }

 private:
  int descriptor_;
};

// A custom source that is ready when any thread says so.
class Wake : public Thing {
 public:
  Wake(Loop& loop, int priority) : source_(g_source_new(&functions_, sizeof(GSource))) {
    g_source_set_priority(source_, priority);
    g_source_set_callback(
        source_,
        [](gpointer self) -> gboolean {
          static_cast<Wake*>(self)->Called();
          return G_SOURCE_CONTINUE;
        },
        this, nullptr);
    g_source_attach(source_, static_cast<Glib&>(loop).context());
  }
  ~Wake() override {
    Stop();
    g_source_unref(source_);
  }
  void Start(double) override { g_source_set_ready_time(source_, 0); }
  bool Stop() override {
    g_source_destroy(source_);
    return true;
  }

 private:
  static gboolean Dispatch(GSource* source, GSourceFunc callback, gpointer data) {
    g_source_set_ready_time(source, -1);
    return callback(data);
  }
  static inline GSourceFuncs functions_{nullptr, nullptr, Dispatch, nullptr, nullptr, nullptr};
  GSource* source_;
};

// A trip through the threads of GTask.
class Work : public Thing {
 public:
  explicit Work(Loop& loop) : context_(static_cast<Glib&>(loop).context()) {}
  ~Work() override {
    while (is_under_way_) g_main_context_iteration(context_, TRUE);
  }
  void Start(double ms) override {
    is_under_way_ = true;
    GTask* task = g_task_new(
        nullptr, nullptr,
        [](GObject*, GAsyncResult*, gpointer self) {
          auto& work = *static_cast<Work*>(self);
          work.is_under_way_ = false;
          work.Called();
          if (work.closed_) std::exchange(work.closed_, nullptr)();
        },
        this);
    g_task_set_task_data(task, GINT_TO_POINTER(static_cast<int>(ms)), nullptr);
    g_task_run_in_thread(task, [](GTask* done, gpointer, gpointer taken_ms, GCancellable*) {
      g_usleep(static_cast<gulong>(GPOINTER_TO_INT(taken_ms)) * 1000);
      g_task_return_boolean(done, TRUE);
    });
    g_object_unref(task);
  }
  bool Stop() override { return !is_under_way_; }
  void Close(const std::function<void()>& closed) override {
    if (!is_under_way_) return closed();
    closed_ = closed;
  }

 private:
  GMainContext* context_;
  bool is_under_way_ = false;
  std::function<void()> closed_;
};

template <typename T>
std::function<std::unique_ptr<Thing>(Loop&, int)> At(int priority) {
  return [priority](Loop& loop, int) { return std::make_unique<T>(loop, priority); };
}

std::vector<Op> Ops() {
  struct Kind {
    const char* as;
    int priority;
  };
  std::vector<Op> ops{{"soon", Fires::kOnce, At<Idle>(G_PRIORITY_DEFAULT_IDLE)},
                      {"soon as default", Fires::kOnce, At<Idle>(G_PRIORITY_DEFAULT)},
                      {"idle", Fires::kRepeats, At<Idle>(G_PRIORITY_DEFAULT_IDLE)},
                      {"wake", Fires::kOnce, At<Wake>(G_PRIORITY_DEFAULT)},
                      {"work", Fires::kOnce, [](Loop& loop, int) { return std::make_unique<Work>(loop); }}};
  for (const Kind kind : {Kind{"", G_PRIORITY_DEFAULT}, {" as high", G_PRIORITY_HIGH}, {" as low", G_PRIORITY_LOW}}) {
    const std::string as = kind.as;
    const int priority = kind.priority;
    ops.push_back({"timeout" + as, Fires::kOnce, At<Timer>(priority)});
    ops.push_back({"interval" + as, Fires::kRepeats, At<Timer>(priority)});
    ops.push_back({"read" + as, Fires::kOnce, [priority](Loop& loop, int descriptor) {
                     return std::make_unique<Reader>(loop, descriptor, priority);
                   }});
    if (!as.empty()) ops.push_back({"soon" + as, Fires::kOnce, At<Idle>(priority)});
  }
  return ops;
}

std::string Version() {
  return std::to_string(glib_major_version) + "." + std::to_string(glib_minor_version) + "." +
         std::to_string(glib_micro_version);
}

}  // namespace
}  // namespace loop_adapter

int main() {
  using namespace loop_adapter;
  return RunSession({"glib",
                     Version(),
                     {},
                     "g_main_context_iteration",
                     Ops(),
                     {"clear", "close", "send", "run", "stop"},
                     [](const Outlook& outlook) { return std::make_unique<Glib>(outlook); }});
}
