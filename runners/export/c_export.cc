#include "runners/export/c_steps.h"
#include "runners/export/export.h"

namespace conform {
namespace {

constexpr std::string_view kCLog = R"(
static void log_label(const char *label) {
  static int count = 0;
  printf("%s%s", count++ == 0 ? "" : " ", label);
  fflush(stdout);
})";

constexpr std::string_view kLogOutcome = R"(
// `LABEL`, or `LABEL=ECANCELED` where something went wrong.
static void log_outcome(const char *label, int status) {
  char text[200];
  snprintf(text, sizeof text, "%s%s%s", label, status == 0 ? "" : "=", status == 0 ? "" : uv_err_name(status));
  log_label(text);
})";

constexpr std::string_view kLogValue = R"(
static void log_value(const char *label, int value) {
  char text[200];
  snprintf(text, sizeof text, "%s=%d", label, value != 0);
  log_label(text);
})";

constexpr std::string_view kCBusy = R"(
// Spins until more than `ms` have passed; the loop's own time stays as it is. The margin covers coarse clocks.
static void busy(uint64_t ms) {
  uint64_t start = uv_hrtime();
  while (uv_hrtime() - start < (ms + 2) * 1000000) {
  }
})";

constexpr std::string_view kNextRun = R"(
// The number of the present run of a callback, counted in its handle.
static intptr_t next_run(uv_handle_t *handle) {
  intptr_t run = (intptr_t) handle->data + 1;
  handle->data = (void *) run;
  return run;
})";

constexpr std::string_view kRaiseIfCaught = R"(
// A signal that nothing catches would end the process.
static void raise_if_caught(int signal_number) {
  struct sigaction now;
  sigaction(signal_number, NULL, &now);
  if (now.sa_handler != SIG_DFL) raise(signal_number);
})";

constexpr std::string_view kCRead = R"(
// The reading end of a pipe in which one byte waits already. The other end stays open, so that there is no end to read.
static int descriptor_with_data(void) {
  int ends[2];
  if (pipe(ends) != 0 || write(ends[1], "x", 1) != 1) abort();
  return ends[0];
})";

constexpr std::string_view kProvideBuffer = R"(
static void provide_buffer(uv_handle_t *handle, size_t suggested_size, uv_buf_t *buffer) {
  static char bytes[16];
  (void) handle;
  (void) suggested_size;
  *buffer = uv_buf_init(bytes, sizeof bytes);
})";

constexpr std::string_view kProvideByte = R"(
static void provide_byte(uv_handle_t *handle, size_t suggested_size, uv_buf_t *buffer) {
  static char byte;
  (void) handle;
  (void) suggested_size;
  *buffer = uv_buf_init(&byte, 1);
})";

constexpr std::string_view kDatagrams = R"(
static void bind_to_loopback(uv_udp_t *socket) {
  struct sockaddr_in address;
  uv_ip4_addr("127.0.0.1", 0, &address);
  uv_udp_bind(socket, (const struct sockaddr *) &address, 0);
}

static void send_to_itself(uv_udp_send_t *request, uv_udp_t *socket, const uv_buf_t *buffers, unsigned int count,
                           uv_udp_send_cb callback) {
  struct sockaddr_in address;
  int size = sizeof address;
  uv_udp_getsockname(socket, (struct sockaddr *) &address, &size);
  uv_udp_send(request, socket, buffers, count, (const struct sockaddr *) &address, callback);
})";

constexpr std::string_view kDoNothing = R"(
static void do_nothing(uv_work_t *request) { (void) request; })";

constexpr std::string_view kNewConnect = R"(
static uv_connect_t *new_connect(void) { return calloc(1, sizeof(uv_connect_t)); })";

constexpr std::string_view kClosedPort = R"(
// Nothing listens on port 1.
static void connect_to_closed_port(uv_tcp_t *socket, uv_connect_cb callback) {
  struct sockaddr_in address;
  uv_ip4_addr("127.0.0.1", 1, &address);
  uv_tcp_connect(new_connect(), socket, (const struct sockaddr *) &address, callback);
})";

constexpr std::string_view kNewPath = R"(
static void new_path(char *path, size_t size) {
  static int count = 0;
  snprintf(path, size, "/tmp/order-%ld-%d.sock", (long) getpid(), ++count);
})";

constexpr std::string_view kOneByte = R"(
static uv_buf_t one_byte = {.base = "x", .len = 1};)";

constexpr std::string_view kFiveBytes = R"(
static uv_buf_t five_bytes[] = {{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}, {"e", 1}};)";

constexpr std::string_view kSpawn = R"(
static void spawn_child(uv_process_t *process, uv_exit_cb callback) {
  char *arguments[] = {"true", NULL};
  uv_process_options_t options = {0};
  options.file = "true";
  options.args = arguments;
  options.exit_cb = callback;
  uv_spawn(loop, process, &options);
})";

}  // namespace

std::string CFileName(const Case& c) { return FileStem(c) + ".c"; }

Result<std::string> CStepsText(const Case& c) {
  if (const auto native = RefuseNative(c)) return *native;
  const ProgramFacts facts(c.program);
  const Result<CSteps::Parts> parts = CSteps(c, facts).Write();
  if (!parts) return parts.error();
  return parts->functions.ToString() + parts->main.ToString();
}

Result<std::string> ExportC(const Case& c) {
  if (const auto native = RefuseNative(c)) return *native;
  const ProgramFacts facts(c.program);
  Result<CSteps::Parts> parts = CSteps(c, facts).Write();
  if (!parts) return parts.error();

  Code out;
  WriteHeader(c, "//", "cc " + CFileName(c) + " -luv -o " + FileStem(c) + " && ./" + FileStem(c), out);
  const std::string text = parts->functions.ToString() + parts->main.ToString();
  const auto uses = [&](const std::string& word) { return HasWord(text, word); };
  if (facts.Uses(Op::kSignal) || facts.Uses(Op::kWrite)) out.Line("#include <signal.h>");
  for (const char* header : {"stdint.h", "stdio.h", "stdlib.h"}) out.Line("#include <" + std::string(header) + ">");
  if (uses("descriptor_with_data(") || uses("new_path(")) out.Line("#include <unistd.h>");
  out.Line("#include <uv.h>");
  out.Line();
  out.Line("static uv_loop_t *loop;");
  out.Line();
  out.Text(kCLog, 1);
  WriteHelpers({{"log_outcome(", kLogOutcome},
                {"log_value(", kLogValue},
                {"busy(", kCBusy},
                {"next_run(", kNextRun},
                {"raise_if_caught(", kRaiseIfCaught},
                {"descriptor_with_data(", kCRead},
                {"provide_buffer", kProvideBuffer},
                {"provide_byte", kProvideByte},
                {"do_nothing", kDoNothing},
                {"new_connect(", kNewConnect},
                {"connect_to_closed_port(", kClosedPort},
                {"new_path(", kNewPath},
                {"one_byte", kOneByte},
                {"five_bytes", kFiveBytes},
                {"bind_to_loopback(", kDatagrams},
                {"spawn_child(", kSpawn}},
               text, 1, out);
  if (!parts->works.empty()) {
    out.Append(parts->works);
    out.Line();
  }
  if (!parts->variables.empty()) {
    out.Append(parts->variables);
    out.Line();
  }
  out.Append(parts->functions);

  out.Open("static void at_end(void) {");
  out.Line("putchar('\\n');");
  out.Append(parts->end);
  out.Close("}");
  out.Line();
  out.Open("int main(void) {");
  // The pool reads this when it is first used.
  if (c.pool_given) out.Line("setenv(\"UV_THREADPOOL_SIZE\", \"" + std::to_string(c.pool) + "\", 1);");
  // A write to a peer that has closed is to fail, and not to end the process.
  if (facts.Uses(Op::kWrite)) out.Line("signal(SIGPIPE, SIG_IGN);");
  out.Line("loop = uv_default_loop();");
  out.Line("atexit(at_end);");
  out.Line();
  out.Append(parts->main);
  if (!facts.Uses(Op::kRun)) out.Line("uv_run(loop, UV_RUN_DEFAULT);");
  out.Line("return 0;");
  out.Close("}");
  return out.ToString();
}

}  // namespace conform
