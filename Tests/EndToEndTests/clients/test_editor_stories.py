"""A user installs each plugin from its page in a clean home, and fills in the sign-up wizard in a real terminal. On the
way the daemon is killed, and the user comes back to the draft."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Callable, Iterator

import pytest

import harness
from harness import Daemon, neovims
from test_editors_page import install_by_hand, install_for_emacs

TMUX = shutil.which("tmux")
"""The terminal of these tests."""

pytestmark = pytest.mark.skipif(TMUX is None, reason="tmux is not installed (Debian: tmux)")

ESCAPE, ENTER, TAB = "\x1b", "\r", "\t"
CONTROL_C, CONTROL_U, CONTROL_X, META_X = "\x03", "\x15", "\x18", "\x1bx"
PASSWORD = "correct horse 1"
ENDED = "The program has ended."


class Terminal:
    """A terminal of 100 columns, with programs of a user whose home is `home`."""

    def __init__(self, home: Path, socket: Path) -> None:
        self._server = [str(TMUX), "-S", str(home / "tmux"), "-f", "/dev/null", "-u"]
        self._is_running = False
        self._environment = {
            "HOME": str(home), "PATH": os.environ["PATH"], "LANG": "en_US.UTF-8", "FORMD_SOCKET": str(socket),
        }  # fmt: skip

    def _tmux(self, *arguments: str) -> str:
        done = subprocess.run(
            [*self._server, *arguments], env={**self._environment, "LC_ALL": "C.UTF-8"}, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{arguments}: {done.stderr}"
        return done.stdout

    def run(self, *command: str) -> None:
        """Runs a program in the place of the program before, which has ended."""
        # The shell keeps the terminal when the program ends.
        words = ["env", "-i", *(f"{name}={value}" for name, value in self._environment.items()), "TERM=screen-256color"]
        script = f'"$@"; echo "{ENDED}"; exec sleep infinity'
        window = ["respawn-pane", "-k"] if self._is_running else ["new-session", "-d", "-x", "100", "-y", "40"]
        self._is_running = True
        self._tmux(*window, *words, "bash", "-c", script, "bash", *command)

    def press(self, *keys: str) -> None:
        for key in keys:
            self._tmux("send-keys", "-l", "--", key)

    def screen(self) -> list[str]:
        return [line.rstrip() for line in self._tmux("capture-pane", "-p").splitlines()]

    def see(self, *texts: str) -> None:
        """Waits for a line that has these texts, in this order."""
        pattern = re.compile(".*".join(map(re.escape, texts)))
        self._wait(lambda: any(map(pattern.search, self.screen())), f"a line with {texts}")

    def see_no(self, text: str) -> None:
        self._wait(lambda: text not in "\n".join(self.screen()), f"the end of {text!r}")

    def at(self, label: str) -> None:
        """Waits until the cursor is in a line with this label."""

        def row() -> int:
            return int(self._tmux("display-message", "-p", "#{cursor_y}"))

        self._wait(lambda: label in self.screen()[row()], f"the cursor at {label!r}")

    def _wait(self, condition: Callable[[], bool], what: str) -> None:
        try:
            harness.eventually(condition, what)
        except AssertionError as fault:
            raise AssertionError("\n".join([str(fault), *self.screen()])) from None

    def end(self) -> None:
        subprocess.run([*self._server, "kill-server"], capture_output=True, timeout=60, check=False)


class Story:
    """A user in a clean home, and a daemon with a store that another program has started."""

    def __init__(self, home: Path, start: Callable[[], Daemon]) -> None:
        self._start = start
        self._daemon = start()
        self.home = home
        # The example backend keeps the addresses of all tests.
        self.email = f"{home.parent.name}@example.com"
        self.terminal = Terminal(home, self._daemon.path)

    def kill_the_daemon(self, name: str, value: str) -> None:
        """Kills it when it has stored this value of the draft: it answers what it has committed."""
        (draft,) = (self.home / ".local/state/formd/drafts").glob("*.json")
        with self._daemon.connect() as connection:
            harness.eventually(
                lambda: connection.call("session/attach", {"key": draft.stem})["values"].get(name) == value,
                f"{value!r} in the store",
            )
        self._daemon.process.kill()
        self._daemon.wait()

    def start_the_daemon_again(self) -> None:
        self._daemon = self._start()


@pytest.fixture
def story(start: Callable[..., Daemon], folder: Path) -> Iterator[Story]:
    home = folder / "home"
    home.mkdir()
    story = Story(home, lambda: start(arguments=("--store", str(folder / "store.db"))))
    yield story
    story.terminal.end()


def leave_insertion(terminal: Terminal) -> None:
    """Vim may take an Escape that other keys follow at once for the begin of a key."""
    terminal.press(ESCAPE)
    terminal.see_no("-- INSERT --")


def go_on_with_the_draft(terminal: Terminal, program: str, choice: str) -> None:
    """In Vim or Neovim: the draft of page 2 is back and is filled in. `choice` picks the country from its list."""
    terminal.run(program)
    terminal.press(":FormAttach", ENTER)
    terminal.see("Name *", "Kim")
    terminal.press(TAB)
    terminal.at("Country *")
    terminal.press(ENTER)
    terminal.see("South Korea")
    terminal.press(choice, ENTER)
    terminal.see("Country *", "South Korea")
    terminal.press(TAB)
    terminal.at("Street *")
    terminal.press("i", "Sejong-daero 1", TAB, "Seoul", TAB, "03000", TAB)
    leave_insertion(terminal)
    terminal.at("[ Next ]")
    terminal.press(ENTER)
    terminal.at("Send me the newsletter")
    terminal.press(TAB)


@pytest.mark.parametrize("nvim", neovims().values(), ids=neovims())
def test_the_story_of_neovim(nvim: str, story: Story) -> None:
    install_by_hand("neovim", story.home)
    configuration = story.home / ".config" / "nvim"
    configuration.mkdir(parents=True)
    (configuration / "init.lua").write_text("require('formd').setup()\n", encoding="utf-8")
    terminal = story.terminal

    terminal.run(nvim)
    terminal.press(":Form signup keep=1h", ENTER)
    terminal.at("Email *")
    terminal.press("i", story.email, TAB, PASSWORD, TAB)
    terminal.see("Password *", "•••")
    leave_insertion(terminal)
    terminal.at("[ Next ]")
    terminal.press(ENTER)
    terminal.at("Name *")
    terminal.press("i", "Kim")
    leave_insertion(terminal)
    story.kill_the_daemon("name", "Kim")
    terminal.see("not connected")
    terminal.press(":qa!", ENTER)
    terminal.see(ENDED)

    story.start_the_daemon_again()
    go_on_with_the_draft(terminal, nvim, "1")
    terminal.at("[ Sign up ]")
    terminal.press(ENTER)
    # No store has secrets.
    terminal.at("Password *")
    terminal.see("Password: This is required.")
    terminal.press("i", PASSWORD)
    leave_insertion(terminal)
    terminal.press(TAB, TAB)
    terminal.at("[ Sign up ]")
    terminal.press(ENTER)
    terminal.see("[ Sign up ]", "Welcome.")


@pytest.mark.skipif(shutil.which("vim") is None, reason="Vim is not installed (Debian: vim-nox)")
def test_the_story_of_vim(story: Story) -> None:
    install_by_hand("vim", story.home)
    (story.home / ".vimrc").write_text("filetype plugin on\nset encoding=utf-8\n", encoding="utf-8")
    terminal = story.terminal

    terminal.run("vim")
    terminal.press(":Form signup keep=1h", ENTER)
    terminal.at("Email *")
    terminal.press("i", story.email, TAB)
    terminal.at("Password *")
    terminal.press(PASSWORD, ENTER)
    terminal.see("Password *", "•••")
    terminal.press(TAB)
    terminal.at("[ Next ]")
    terminal.press(ENTER)
    terminal.at("Name *")
    terminal.press("i", "Kim")
    leave_insertion(terminal)
    story.kill_the_daemon("name", "Kim")
    terminal.see("trying again")
    terminal.press(":qa!", ENTER)
    terminal.see(ENDED)

    story.start_the_daemon_again()
    go_on_with_the_draft(terminal, "vim", "/south")
    terminal.at("( Sign up )")
    terminal.press(ENTER)
    # No store has secrets.
    terminal.at("Password *")
    terminal.see("Password: This is required.")
    terminal.press("i", PASSWORD, ENTER)
    terminal.see("Password *", "•••")
    terminal.press(TAB, TAB)
    terminal.at("[ Sign up ]")
    terminal.press(ENTER)
    terminal.see("Sign up: Welcome.")


@pytest.mark.skipif(shutil.which("emacs") is None, reason="Emacs is not installed (Debian: emacs-nox)")
def test_the_story_of_emacs(story: Story) -> None:
    install_for_emacs(story.home)
    terminal = story.terminal

    terminal.run("emacs", "-nw")
    terminal.see("For information about GNU Emacs")
    terminal.press(CONTROL_U, META_X, "formd", ENTER)
    terminal.at("Form")
    terminal.press("signup", ENTER)
    terminal.at("Keep as a draft")
    terminal.press("1h", ENTER)
    terminal.at("Language")
    terminal.press(ENTER)
    terminal.at("Email *")
    terminal.press(story.email, TAB, ENTER)
    terminal.at("Password:")
    terminal.press(PASSWORD, ENTER)
    terminal.see("Password *", "***")
    terminal.press(TAB)
    terminal.at("[ Next ]")
    terminal.press(ENTER)
    terminal.at("Name *")
    terminal.press("Kim")
    terminal.see("Name *", "Kim")
    story.kill_the_daemon("name", "Kim")
    terminal.see("No daemon")
    terminal.press(CONTROL_X, CONTROL_C)
    terminal.see(ENDED)

    story.start_the_daemon_again()
    terminal.run("emacs", "-nw")
    terminal.see("For information about GNU Emacs")
    terminal.press(META_X, "formd-attach", ENTER)
    terminal.at("Draft")
    terminal.press(ENTER)
    terminal.see("Name *", "Kim")
    terminal.press(TAB)
    terminal.at("Country *")
    terminal.press(ENTER)
    terminal.at("Country")
    terminal.press("South Korea", ENTER)
    terminal.see("Country *", "South Korea")
    terminal.press(TAB)
    terminal.at("Street *")
    terminal.press("Sejong-daero 1", TAB, "Seoul", TAB, "03000", TAB)
    terminal.at("[ Next ]")
    terminal.press(ENTER)
    terminal.at("Send me the newsletter")
    terminal.press(TAB)
    terminal.at("[ Sign up ]")
    terminal.press(ENTER)
    # No store has secrets.
    terminal.at("Password *")
    terminal.see("Password: This is required.")
    terminal.press(ENTER)
    terminal.at("Password:")
    terminal.press(PASSWORD, ENTER)
    terminal.see("Password *", "***")
    terminal.press(TAB, TAB)
    terminal.at("[ Sign up ]")
    terminal.press(ENTER)
    terminal.see("Sign up: Welcome.")
