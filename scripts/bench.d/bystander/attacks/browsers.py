"""Browsers that are hostile or careless, before formd-web. The bystander is a browser, too."""

from __future__ import annotations

import socket

from ..attack import Browser, Target, attack, request

FORM = request(0, "session/open", form="login")


@attack("web-flood", "32 browsers send changes as fast as formd-web allows.", attackers=2, has_door=True)
def flood(target: Target) -> None:
    browsers = [target.browse() for _ in range(16)]
    for browser in browsers:
        browser.pump(FORM)
    for _ in range(target.share(8)):
        for browser in browsers:
            browser.pump(*(request(n, "field/change", field="email", value=f"kim{n}@example.com") for n in range(50)))


@attack("web-texts", "32 browsers send texts of 60 KB as fast as formd-web allows.", attackers=2, has_door=True)
def texts(target: Target) -> None:
    browsers = [target.browse() for _ in range(16)]
    for browser in browsers:
        browser.pump(FORM)
    for number in range(target.share(400)):
        for browser in browsers:
            browser.pump(request(number, "field/change", field="email", value=str(number) * 15_000))


@attack("web-deaf", "32 browsers send changes as fast as formd-web allows, and read nothing.", attackers=2, has_door=True)
def deaf(target: Target) -> None:
    browsers = [target.browse() for _ in range(16)]
    for browser in browsers:
        browser.pump(FORM)
    for number in range(target.share(400)):
        for browser in browsers:
            browser.send(request(number, "field/change", field="email", value=f"kim{number}@example.com"))


@attack("web-upgrades", "WebSockets are opened and closed by the thousand.", attackers=2, has_door=True)
def upgrades(target: Target) -> None:
    for browser in [target.browse() for _ in range(target.share(100))]:
        browser.close()


@attack("web-slow", "400 connections send their request to formd-web a byte at a time.", attackers=2, has_door=True)
def slow(target: Target) -> None:
    assert target.door is not None
    connections = [socket.create_connection(("127.0.0.1", target.door)) for _ in range(target.share(200))]
    text = Browser.upgrade(target.index)[:-2]
    for byte in range(len(text)):
        for connection in connections:
            connection.send(text[byte : byte + 1])
    target.hold(connections)
