#include "reports/html/page.h"

#include <nlohmann/json.hpp>

#include "reports/html/assets.h"
#include "reports/html/sha256.h"

namespace conform::reports {
namespace {

// What the page may load and run. Nothing else: no network, no frame, no form, no evaluated text.
std::string Policy(bool inline_assets) {
  const std::string script = inline_assets ? "'" + PolicyHash(HtmlScript()) + "'" : "'self'";
  const std::string style = inline_assets ? "'" + PolicyHash(HtmlStyle()) + "'" : "'self'";
  return "default-src 'none'; script-src " + script + "; style-src " + style +
         "; img-src data:; base-uri 'none'; form-action 'none'";
}

}  // namespace

std::string ScriptJson(const nlohmann::ordered_json& data) {
  const std::string json = data.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
  std::string out;
  out.reserve(json.size() + json.size() / 16);
  // In JSON these occur only in strings, where an escape means the same.
  for (const char c : json) {
    switch (c) {
      case '<':
        out += "\\u003c";
        break;
      case '>':
        out += "\\u003e";
        break;
      case '&':
        out += "\\u0026";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string HtmlText(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string TitleElement(std::string_view title) { return "<title>" + HtmlText(title) + "</title>"; }

std::string PageText(const HtmlPage& page) {
  std::string out = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += "<meta http-equiv=\"Content-Security-Policy\" content=\"" + Policy(page.inline_assets) + "\">\n";
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  out += "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n";
  out += TitleElement(page.title) + "\n<link rel=\"icon\" href=\"data:,\">\n";
  if (page.inline_assets) {
    out += "<style>" + HtmlStyle() + "</style>\n";
  } else {
    out += "<link rel=\"stylesheet\" href=\"" + page.root + "report.css\">\n";
  }
  out += "</head>\n<body data-root=\"" + page.root + "\">\n";
  out += "<noscript><p>This report is drawn by its own script, and scripts are disabled.</p></noscript>\n";
  for (const auto& [id, data] : page.data) {
    out += "<script type=\"application/json\" id=\"" + id + "\">" + ScriptJson(data) + "</script>\n";
  }
  if (page.inline_assets) {
    out += "<script>" + HtmlScript() + "</script>\n";
  } else {
    out += "<script src=\"" + page.root + "report.js\"></script>\n";
  }
  return out + "</body>\n</html>\n";
}

const std::string& HtmlScript() {
  // One scope for all files, and none of their names on the page.
  static const std::string script =
      std::string("(() => {\n'use strict';\n") + std::string(kHtmlScriptSource) + "})();\n";
  return script;
}

const std::string& HtmlStyle() {
  static const std::string style(kHtmlStyleSource);
  return style;
}

}  // namespace conform::reports
