// The adapter of Qt's event loop; README.md says what each step means.
#include <QAbstractEventDispatcher>
#include <QCoreApplication>
#include <QEvent>
#include <QMetaObject>
#include <QObject>
#include <QPointer>
#include <QRunnable>
#include <QSocketNotifier>
#include <QThreadPool>
#include <QTimer>

#include "loop.h"

namespace loop_adapter {
namespace {

// QCoreApplication keeps references to the arguments of its program.
int argument_count = 1;
char program_name[] = "adapter";
char* arguments[] = {program_name, nullptr};

class QtLoop : public Loop {
 public:
  explicit QtLoop(const Outlook& outlook) : Loop(outlook), application_(argument_count, arguments) {}
  // What a thread of the pool has queued is for an object of this run.
  ~QtLoop() override { QThreadPool::globalInstance()->waitForDone(); }

  // exec never returns by itself; NothingComes ends it.
  RunEnd Run(RunMode mode) override {
    if (mode == RunMode::kDefault && !outlook().NothingComes()) {
      is_executing_ = true;
      QCoreApplication::exec();
      is_executing_ = false;
    } else {
      const bool may_wait = mode == RunMode::kOnce && !outlook().NothingComes();
      QCoreApplication::processEvents(may_wait ? QEventLoop::WaitForMoreEvents : QEventLoop::AllEvents);
    }
    return outlook().End();
  }
  void Stop() override {
    if (is_executing_) QCoreApplication::exit();
  }
  void NothingComes() override { Stop(); }

 private:
  QCoreApplication application_;
  bool is_executing_ = false;
};

// One object for each thing: what is posted to it goes when it does.
class Object : public Thing {
 public:
  bool Stop() override {
    QCoreApplication::removePostedEvents(object_);
    return true;
  }
  ~Object() override { delete object_.data(); }
  // deleteLater, and the signal that the object is gone.
  void Close(const std::function<void()>& closed) override {
    Stop();
    QObject::connect(object_, &QObject::destroyed, closed);
    object_->deleteLater();
  }

 protected:
  explicit Object(QObject* object) : object_(object) {}
  template <typename T = QObject>
  T* get() const {
    return static_cast<T*>(object_.data());
  }
  void Replace(QObject* object) {
    delete object_.data();
    object_ = object;
  }

 private:
  QPointer<QObject> object_;
};

class QueuedCall : public Object {
 public:
  QueuedCall() : Object(new QObject) {}
  void Start(double) override {
    QMetaObject::invokeMethod(
        get(), [this] { Called(); }, Qt::QueuedConnection);
  }
};

class SingleShot : public Object {
 public:
  SingleShot() : Object(new QObject) {}
  void Start(double ms) override {
    QTimer::singleShot(static_cast<int>(ms), Qt::PreciseTimer, get(), [this] { Called(); });
  }
  // It has no handle, but it knows the object that it is for.
  bool Stop() override {
    Replace(new QObject);
    return true;
  }
};

// An event with a priority.
class PostedEvent : public Object {
 public:
  explicit PostedEvent(int priority) : Object(new Receiver([this] { Called(); })), priority_(priority) {}
  void Start(double) override { QCoreApplication::postEvent(get(), new QEvent(QEvent::User), priority_); }

 private:
  class Receiver : public QObject {
   public:
    explicit Receiver(std::function<void()> call) : call_(std::move(call)) {}
    bool event(QEvent* event) override {
      if (event->type() != QEvent::User) return QObject::event(event);
      call_();
      return true;
    }

   private:
    const std::function<void()> call_;
  };

  const int priority_;
};

// `idle` is a timer of no time.
class Timer : public Object {
 public:
  explicit Timer(bool is_single_shot) : Object(new QTimer) {
    auto* timer = get<QTimer>();
    timer->setSingleShot(is_single_shot);
    timer->setTimerType(Qt::PreciseTimer);
    QObject::connect(timer, &QTimer::timeout, [this] { Called(); });
  }
  void Start(double ms) override { get<QTimer>()->start(static_cast<int>(ms)); }
  bool Stop() override {
    get<QTimer>()->stop();
    return true;
  }
};

class Reader : public Object {
 public:
  explicit Reader(int descriptor)
      : Object(new QSocketNotifier(descriptor, QSocketNotifier::Read)), descriptor_(descriptor) {
    Stop();
    QObject::connect(get<QSocketNotifier>(), &QSocketNotifier::activated, [this] {
      Stop();
      ReadAndClose(descriptor_);
      Called();
    });
  }
  ~Reader() override {
    if (get() != nullptr) Stop();
    CloseIfOpen(descriptor_);
  }
  void Start(double) override { get<QSocketNotifier>()->setEnabled(true); }
  bool Stop() override {
    get<QSocketNotifier>()->setEnabled(false);
    return true;
  }

 private:
  int descriptor_;
};

// What the dispatcher says about itself: that it is about to wait, or that it has waited.
class Told : public Object {
 public:
  explicit Told(void (QAbstractEventDispatcher::*signal)()) : Object(new QObject), signal_(signal) {}
  void Start(double) override {
    Stop();
    connection_ = QObject::connect(QAbstractEventDispatcher::instance(), signal_, get(), [this] { Called(); });
  }
  bool Stop() override {
    QObject::disconnect(connection_);
    return true;
  }

 private:
  void (QAbstractEventDispatcher::*const signal_)();
  QMetaObject::Connection connection_;
};

// A trip through the threads of QThreadPool, and a queued call back.
class Work : public Object {
 public:
  Work() : Object(new QObject) {}
  ~Work() override { QThreadPool::globalInstance()->waitForDone(); }
  void Start(double ms) override {
    QThreadPool::globalInstance()->start(QRunnable::create([this, ms, object = get()] {
      QThread::msleep(static_cast<unsigned long>(ms));
      QMetaObject::invokeMethod(
          object, [this] { Called(); }, Qt::QueuedConnection);
    }));
  }
  bool Stop() override { return false; }
  void Close(const std::function<void()>& closed) override {
    QThreadPool::globalInstance()->waitForDone();
    Object::Close(closed);
  }
};

template <typename T, typename... Arguments>
std::function<std::unique_ptr<Thing>(Loop&, int)> New(Arguments... arguments) {
  return [=](Loop&, int) { return std::make_unique<T>(arguments...); };
}

std::vector<Op> Ops() {
  return {{"soon", Fires::kOnce, New<QueuedCall>()},
          {"soon as high", Fires::kOnce, New<PostedEvent>(Qt::HighEventPriority)},
          {"soon as event", Fires::kOnce, New<PostedEvent>(Qt::NormalEventPriority)},
          {"soon as low", Fires::kOnce, New<PostedEvent>(Qt::LowEventPriority)},
          {"timeout", Fires::kOnce, New<Timer>(true)},
          {"timeout as singleShot", Fires::kOnce, New<SingleShot>()},
          {"interval", Fires::kRepeats, New<Timer>(false)},
          {"idle", Fires::kRepeats, New<Timer>(false)},
          {"prepare", Fires::kAlong, New<Told>(&QAbstractEventDispatcher::aboutToBlock)},
          {"check", Fires::kAlong, New<Told>(&QAbstractEventDispatcher::awake)},
          {"read", Fires::kOnce, [](Loop&, int descriptor) { return std::make_unique<Reader>(descriptor); }},
          {"work", Fires::kOnce, New<Work>()}};
}

// Which of the two that Qt has on Linux: that of Unix, or that on GLib's main loop.
std::string Dispatcher() {
  const QCoreApplication application(argument_count, arguments);
  return QAbstractEventDispatcher::instance()->metaObject()->className();
}

}  // namespace
}  // namespace loop_adapter

// With the argument `unix` Qt takes its own dispatcher where it would take that on GLib.
int main(int count, char** words) {
  using namespace loop_adapter;
  const bool is_unix = count > 1 && std::string(words[1]) == "unix";
  if (is_unix) qputenv("QT_NO_GLIB", "1");
  return RunSession({std::string("qt") + qVersion()[0] + (is_unix ? "-unix" : ""),
                     qVersion(),
                     {{"dispatcher", Dispatcher()}},
                     "qVersion",
                     Ops(),
                     {"clear", "close", "refresh", "start", "run", "stop"},
                     [](const Outlook& outlook) { return std::make_unique<QtLoop>(outlook); },
                     "qt"});
}
