"""How each browser is started: what it is called, and how it is kept from talking to anybody but this adapter."""

import json
import os
import re
import shutil
import subprocess

# Every name and address but loopback goes to a proxy, which is the adapter itself, and it refuses. So nothing leaves
# the machine whatever a browser wants to fetch for itself; the options below keep it from wanting to.

NOBODY = "http://127.0.0.1:9"


class Chromium:
    programs = ("chromium", "chromium-browser", "google-chrome")
    package = "chromium"
    title = "Chromium"

    @staticmethod
    def command(program, profile, proxy, url):
        quiet = [
            "background-networking", "background-timer-throttling", "backgrounding-occluded-windows", "breakpad",
            "client-side-phishing-detection", "component-update", "crash-reporter", "default-apps", "dev-shm-usage",
            "domain-reliability", "extensions", "gpu", "quic", "renderer-backgrounding", "sync",
        ]
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        return [
            program, "--headless", *sandbox, *(f"--disable-{name}" for name in quiet),
            "--disable-features=MediaRouter,NetworkTimeServiceQuerying,OptimizationHints,Translate",
            f"--gaia-url={NOBODY}", f"--component-updater=url-source={NOBODY}", "--check-for-update-interval=31536000",
            "--no-first-run", "--no-default-browser-check", "--no-pings", "--mute-audio", "--metrics-recording-only",
            "--use-mock-keychain", "--password-store=basic", f"--user-data-dir={profile}",
            f"--proxy-server=http://127.0.0.1:{proxy}", "--proxy-bypass-list=127.0.0.1", url,
        ]

    @staticmethod
    def prepare(profile, proxy):
        """Nothing: the command says it all."""


class Firefox:
    programs = ("firefox-esr", "firefox")
    package = "firefox-esr"
    title = "Firefox"

    @staticmethod
    def command(program, profile, proxy, url):
        return [program, "--headless", "--no-remote", "--profile", profile, url]

    @staticmethod
    def prepare(profile, proxy):
        with open(os.path.join(profile, "user.js"), "w", encoding="utf-8") as file:
            for name, value in {**QUIET_FIREFOX, **firefox_proxy(proxy)}.items():
                file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")


def firefox_proxy(port):
    prefs = {
        "network.proxy.type": 1,
        "network.proxy.no_proxies_on": "127.0.0.1",
        "network.proxy.failover_direct": False,
    }
    for kind in ("http", "ssl"):
        prefs[f"network.proxy.{kind}"] = "127.0.0.1"
        prefs[f"network.proxy.{kind}_port"] = port
    return prefs


QUIET_FIREFOX = {
    # Nothing that belongs to a user's browser is shown, requested or looked for.
    "app.normandy.enabled": False,
    "app.shield.optoutstudies.enabled": False,
    "app.update.auto": False,
    "app.update.disabledForTesting": True,
    "app.update.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.discovery.enabled": False,
    "browser.newtabpage.activity-stream.feeds.telemetry": False,
    "browser.newtabpage.enabled": False,
    "browser.ping-centre.telemetry": False,
    "browser.region.network.url": "",
    "browser.region.update.enabled": False,
    "browser.safebrowsing.blockedURIs.enabled": False,
    "browser.safebrowsing.downloads.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.passwords.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.safebrowsing.provider.google4.updateURL": "",
    "browser.safebrowsing.provider.mozilla.updateURL": "",
    "browser.search.update": False,
    "browser.sessionstore.resume_from_crash": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.topsites.contile.enabled": False,
    "browser.urlbar.quicksuggest.enabled": False,
    "captivedetect.canonicalURL": "",
    "datareporting.healthreport.uploadEnabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "datareporting.policy.firstRunURL": "",
    "dom.push.connection.enabled": False,
    "extensions.blocklist.enabled": False,
    "extensions.getAddons.cache.enabled": False,
    "extensions.systemAddon.update.enabled": False,
    "extensions.update.enabled": False,
    "identity.fxaccounts.enabled": False,
    "media.gmp-manager.updateEnabled": False,
    "media.gmp-provider.enabled": False,
    "messaging-system.rsexperimentloader.enabled": False,
    "nimbus.appId": "",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.dns.disablePrefetch": True,
    "network.http.speculative-parallel-limit": 0,
    "network.prefetch-next": False,
    "network.trr.mode": 5,
    "security.OCSP.enabled": 0,
    "security.remote_settings.crlite_filters.enabled": False,
    "security.remote_settings.intermediates.enabled": False,
    "services.settings.server": "data:,#remote-settings-dummy/v1",
    "signon.rememberSignons": False,
    "toolkit.coverage.endpoint.base": "",
    "telemetry.fog.test.localhost_port": -1,
    "toolkit.telemetry.enabled": False,
    "toolkit.telemetry.firstShutdownPing.enabled": False,
    "toolkit.telemetry.newProfilePing.enabled": False,
    "toolkit.telemetry.server": "data:,",
    "toolkit.telemetry.unified": False,
    # The page is treated as one that somebody looks at: not as a page in the background, and not as one that loads.
    "dom.ipc.processPriorityManager.enabled": False,
    "dom.min_background_timeout_value": 4,
    "dom.timeout.defer_during_load": False,
    "dom.timeout.enable_budget_timer_throttling": False,
    "dom.timeout.throttling_delay": -1,
    # Times of labels are for people, and there is nobody to hide them from.
    "privacy.reduceTimerPrecision": False,
}

# A server of settings is only changed where this variable says that the browser is being worked on.
VARIABLES = {"MOZ_CRASHREPORTER_DISABLE": "1", "MOZ_REMOTE_SETTINGS_DEVTOOLS": "1"}

BROWSERS = {"chromium": Chromium, "firefox": Firefox}


def find(browser):
    """The program, or None where none of its names is on PATH."""
    return next(filter(None, map(shutil.which, browser.programs)), None)


def version_of(program):
    """The first number with a dot in what the program says of itself: 156.0.8078.79, 153.2.0."""
    said = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60).stdout
    found = re.search(r"\d+(\.\d+)+", said)
    return found.group() if found else "0"
