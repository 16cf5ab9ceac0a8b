"""Chromium for tests of pages, without a network of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


@contextmanager
def chromium_in(profile: Path) -> Iterator[Any]:
    """Start a browser whose cookies and storage lie in `profile`, and end it."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for flag in (*_FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.binary_location = "/usr/bin/chromium"
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
    try:
        driver.set_script_timeout(300)
        # the client would give up after two minutes
        driver.command_executor.client_config.timeout = 330
        driver.execute_cdp_cmd("Network.enable", {})
        yield driver
    finally:
        driver.quit()


def set_width(driver: Any, width: int) -> None:
    """Show pages in a window of so many pixels, below 500 as a telephone does."""
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500},
    )


def set_colours(driver: Any, scheme: str) -> None:
    """Show pages `light` or `dark`."""
    driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
    )


def violations(driver: Any) -> list[tuple[str, str]]:
    """What axe-core finds on the page: the rule and the first element that breaks it."""
    axe = resources.files("axe_playwright_python") / "axe.min.js"
    driver.execute_script(axe.read_text())
    found = driver.execute_async_script(
        "const callback = arguments[0]; axe.run().then(found => callback(found.violations))"
    )
    return [(violation["id"], violation["nodes"][0]["html"]) for violation in found]
