"""Types the lines of the pages at terminals, as a newcomer does. Started by walk.sh."""

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PICTURES = os.path.join(ROOT, ".build", "walk")
FAMILY = "deploy/guide/family.md"
PROMPT = "walk> "
PASSCODE = "open sesame"
STYLES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07|\r")
WORDS = "before the shield "


class Differs(Exception):
    """What happens is not what a page says."""


def check(condition, text):
    if not condition:
        raise Differs(text)


class Terminal:
    """A shell at a terminal, in the source tree."""

    def __init__(self, environment):
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.chdir(ROOT)
            os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], {**environment, "PS1": PROMPT})
        self.text = ""
        self.until(re.escape(PROMPT) + "$", 10)
        self.type("stty cols 200 rows 60")

    def until(self, pattern, seconds):
        """What came until the pattern did."""
        end = time.monotonic() + seconds
        found = None
        while not (found := re.search(pattern, self.text)):
            left = end - time.monotonic()
            check(left > 0, f"“{pattern}” did not come within {seconds} s after:\n{self.text[-3000:]}")
            if select.select([self.file], [], [], min(left, 1))[0]:
                try:
                    self.text += STYLES.sub("", os.read(self.file, 65536).decode("utf-8", "replace"))
                except OSError as error:
                    raise Differs(f"the shell has ended: {self.text[-2000:]}") from error
        text, self.text = self.text[: found.end()], self.text[found.end() :]
        return text

    def send(self, text):
        os.write(self.file, text.encode())

    def type(self, line, seconds=60):
        """What the line prints, up to the next prompt."""
        self.send(line + "\n")
        return self.until(re.escape(PROMPT) + "$", seconds)[len(line) :]

    def done(self, line, seconds=60):
        """The same, and the line has to succeed."""
        text = self.type(line, seconds)
        code = re.search(r"code (\d+)", self.type("echo code $?"))
        check(code and code.group(1) == "0", f"`{line}` ended with {code and code.group(1)}:\n{text}")
        return text

    def close(self):
        os.kill(self.pid, signal.SIGHUP)
        os.close(self.file)
        os.waitpid(self.pid, 0)


class Desktop:
    """A screen without a monitor, with a window manager, a session bus, and an editor."""

    def __init__(self, home):
        self.home = home
        self.children = []
        runtime = os.path.join(home, "runtime")
        os.makedirs(runtime, 0o700)
        self.environment = {
            "HOME": home, "XDG_RUNTIME_DIR": runtime, "LANG": "C.UTF-8", "TERM": "xterm", "TMPDIR": os.environ["TMPDIR"],
            "PATH": os.environ["PATH"], "GDK_BACKEND": "x11", "GSETTINGS_BACKEND": "memory", "XDG_SESSION_TYPE": "x11",
            # What a walk writes down is nothing for the journal of this machine.
            "SCREENTIME_JOURNAL": "0",
        }
        reading, writing = os.pipe()
        self.start(
            # Without -noreset it begins anew when its last client leaves, and answers no other meanwhile.
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=[writing],
        )
        os.close(writing)
        number = ""
        # It writes the number and the end of the line one after the other.
        while not number.endswith("\n"):
            check(select.select([reading], [], [], 20)[0], "Xvfb did not start")
            number += os.read(reading, 16).decode()
        os.close(reading)
        self.environment["DISPLAY"] = ":" + number.strip()
        address = "unix:path=" + os.path.join(runtime, "bus")
        self.start(["dbus-daemon", "--session", "--nofork", "--address=" + address])
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = address
        self.start(["openbox"])
        self.reaches("the window manager", lambda: "window id" in self.run("xprop", "-root", "_NET_SUPPORTING_WM_CHECK"))
        self.note = os.path.join(home, "note.txt")
        open(self.note, "w").close()

    def start(self, words, **options):
        child = subprocess.Popen(
            words, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options
        )
        self.children.append(child)
        return child

    def run(self, *words):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=30, check=False).stdout

    def editor(self):
        self.start(["mousepad", self.note])
        self.reaches("a window of mousepad", self.activate)

    def activate(self):
        windows = self.run("xdotool", "search", "--onlyvisible", "--class", "mousepad").split()
        if windows:
            self.run("xdotool", "windowactivate", "--sync", windows[-1])
        return windows

    @staticmethod
    def reaches(what, look, seconds=20):
        end = time.monotonic() + seconds
        while not look():
            check(time.monotonic() < end, f"{what}: not within {seconds} s")
            time.sleep(0.1)

    def write(self, text):
        self.run("xdotool", "type", "--delay", "20", text)

    def picture(self, name):
        self.run("import", "-window", "root", os.path.join(PICTURES, name + ".png"))

    def close(self):
        for child in reversed(self.children):
            child.terminate()
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


class Walk:
    """A newcomer's walk. `lines` says of each line of the pages what is done with it."""

    def __init__(self, home, all_lines):
        self.all_lines = all_lines
        self.typed = set()
        self.left = 0
        self.home = home
        self.desktop = self.terminal = None

    # What the pages say, and what has to be seen.

    def demo(self, line):
        first = Terminal(self.desktop.environment)
        first.send(line + "\n")
        started = first.until(r"export SCREENTIME_\S+.*\n", 900)
        exports = re.search(r"(export SCREENTIME_.*)\n", started).group(1)
        self.terminal = Terminal(self.desktop.environment)
        self.terminal.done(exports)
        # At night the people of the demo sleep.
        self.prose("scripts/screentime report", lambda line: self.shows(line, "DEMO", r"\d+ (h|min)|No usage was recorded"))
        self.prose("scripts/screentime console", lambda line: self.answers(line, "the page|The page"))
        first.send("\x03")
        first.until(re.escape(PROMPT) + "$", 60)
        left = self.desktop.run("pgrep", "--full", os.path.join(ROOT, ".build/.*debug/") + ".*(service|center|runner|notifier)")
        check(not left.split(), f"ctrl-C left processes: {left}")
        first.close()
        self.terminal.close()
        self.terminal = None

    def start(self, line):
        self.terminal = Terminal(self.desktop.environment)
        self.terminal.done(line, 900)

    def shows(self, line, *patterns, seconds=60):
        text = self.terminal.done(line, seconds)
        for pattern in patterns:
            check(re.search(pattern, text), f"`{line}` does not show “{pattern}”:\n{text}")
        return text

    def answers(self, line, pattern):
        """In words, also where what it needs is not on this computer."""
        text = self.terminal.type(line)
        check(re.search(pattern, text), f"`{line}` does not say “{pattern}”:\n{text}")

    def limit(self, line):
        """Twenty seconds of typing, and no less, bring the shield."""
        self.shows(line, "Added mousepad: 20 s of Mousepad a day")
        self.desktop.editor()
        began = time.monotonic()
        while time.monotonic() - began < 15:
            self.desktop.write(WORDS[:6])
        check(not self.is_shielded(), "the shield is there before 20 s")
        while not self.is_shielded():
            check(time.monotonic() - began < 60, "the shield has not come after a minute")
            self.desktop.write(".")
        time.sleep(2)
        self.desktop.picture("shield")

    def is_shielded(self):
        return re.search(r"Mousepad is shielded", self.terminal.type("scripts/screentime why mousepad")) is not None

    def lifted(self):
        """The shield falls, and one types on."""
        self.desktop.reaches("the shield falls", lambda: not self.is_shielded())
        time.sleep(1)
        self.desktop.activate()
        self.desktop.write(" typed on")
        self.desktop.run("xdotool", "key", "ctrl+s")
        self.desktop.reaches("what is typed arrives", lambda: "typed on" in open(self.desktop.note).read())
        check(open(self.desktop.note).read().startswith(WORDS[:6]), "what was typed before the shield is lost")

    def pause(self, line):
        self.shows(line, "mousepad is paused until")
        self.lifted()

    def setup(self, line):
        answers = [
            (r"1, 2 or 3 \[1\]:", "2"), ("guardian or teacher of [^\n:]*:", os.environ.get("USER") or "root"),
            ("guardian or teacher of [^\n:]*:", "parent"),
            ("New passcode for parent[^\n]*", PASSCODE), ("Repeat the passcode:", PASSCODE), (r"\[1h\]:", ""), (r"\[1h30m\]:", ""),
            (r"\[20:00-07:00\]:", "no"), ("at every login\\?[^\n]*", "no"),
        ]
        self.terminal.send(line + "\n")
        text = ""
        for pattern, answer in answers:
            text += self.terminal.until(pattern, 30)
            time.sleep(0.2)
            self.terminal.send(answer + "\n")
        text += self.terminal.until(re.escape(PROMPT) + "$", 60)
        check("counts its usage for" in text, f"setup does not see the session:\n{text}")
        check("sesame" not in text, "the passcode was shown")

    def guarded(self, line):
        self.terminal.send(line + "\n")
        self.terminal.until("Passcode of parent:", 30)
        time.sleep(0.2)
        self.terminal.send(PASSCODE + "\n")
        check("is paused until" in self.terminal.until(re.escape(PROMPT) + "$", 30), "the pause was refused")
        self.lifted()

    def long(self, line):
        if not self.all_lines or "walk.sh" in line:
            print("        (takes long: --all types it)")
            self.left += 1
            return
        own = Terminal({**self.desktop.environment, "HOME": os.environ["HOME"]})
        own.done(line, 6 * 3600)
        own.close()

    def others(self, line):
        """All services but the one that is debugged, until its terminal is closed."""
        if not self.all_lines:
            return self.long(line)
        self.terminal.send(line + "\n")
        self.terminal.until("ready", 60)

    def debugger(self, line):
        if not self.all_lines:
            return self.long(line)
        own = Terminal({**self.desktop.environment, "HOME": os.environ["HOME"]})
        own.send(line + "\n")
        own.until(r"\(gdb\)", 60)
        own.send("quit\n")
        own.until(re.escape(PROMPT) + "$", 30)
        own.close()

    # The walk itself.

    def prose(self, line, action):
        print(f"      {line}", flush=True)
        self.typed.add(line)
        action(line)

    def household(self, name):
        """Another account: a home of its own, and a desktop."""
        if self.desktop:
            self.desktop.close()
        home = os.path.join(self.home, name)
        os.makedirs(home)
        self.desktop = Desktop(home)

    def stop(self):
        self.prose("scripts/run-all.sh --stop", lambda line: self.terminal.done(line, 60))
        self.terminal.close()
        self.terminal = None

    def readme(self, blocks, past, child):
        package, first, protect, build = blocks
        # PackageRootTests and ProtectRootTests type them, on computers of their own.
        check([line.split()[0] for line in package] == ["scripts/package.sh", "sudo", "screentime", "screentime"], f"the page installs by {package}")
        check(protect == ["sudo screentime protect on --guardian mum --child ben", "sudo screentime protect check"],
              f"the page protects by {protect}")
        self.household("demo")
        self.follow(build, {"scripts/run-all.sh --demo": self.demo, "scripts/test.sh": self.long})
        self.household("own")
        self.prose("scripts/run-all.sh --detach", self.start)
        self.follow(in_tree(first), {
            "scripts/screentime doctor": lambda line: self.terminal.type(line) and self.shows("scripts/screentime status", "x11"),
            'scripts/screentime limit add mousepad 20s --then shield --say "You promised"': self.limit,
            "scripts/screentime why mousepad": lambda line: self.shows(line, "is shielded", "20 s counted"),
            "scripts/screentime rule pause mousepad --for 1h": self.pause,
        })
        self.follow(in_tree(package[3:]), {
            "scripts/screentime console": lambda line: self.answers(line, "the page|The page"),
        })
        self.follow(in_tree(past), {
            "scripts/screentime import activitywatch --dry-run": lambda line: self.answers(line, "ActivityWatch"),
        })
        self.stop()
        self.household("child")
        self.prose("scripts/run-all.sh --detach", self.start)
        self.follow(child, {
            "scripts/screentime setup": self.setup,
            "scripts/screentime limit add mousepad 20s --then shield": self.limit,
            "scripts/screentime member list": lambda line: self.shows(line, r"child\s", r"parent\s+guardian"),
            "scripts/screentime rule pause mousepad --for 1h": self.guarded,
            "scripts/screentime history": lambda line: self.shows(line, r"By parent\."),
        })
        self.stop()

    def contributing(self, blocks):
        build, debug = blocks
        self.follow(build, {line: self.long for line in build})
        self.terminal = Terminal({**self.desktop.environment, "HOME": os.environ["HOME"]})
        self.follow(debug, {
            line: self.debugger if line.startswith("gdb ") else self.others if "system up" in line
            else self.long if "swift" in line else self.terminal.done for line in debug
        })
        self.terminal.send("\x03")
        self.terminal.until(re.escape(PROMPT) + "$", 60)
        self.terminal.close()

    def follow(self, lines, actions):
        for line in lines:
            check(line in actions, f"the page says `{line}`, and the walk does not know what has to follow")
            self.prose(line, actions[line])
        check(set(actions) == set(lines), f"the page no longer says {set(actions) - set(lines)}")


def in_tree(lines):
    """The lines as they are typed in the source tree, where the package's command is a script."""
    return [re.sub("^screentime ", "scripts/screentime ", line) for line in lines]


def blocks(page, heading=""):
    """The lines to type of each block from a heading on, without their comments."""
    text = open(os.path.join(ROOT, page)).read()
    text = text[text.index(heading):]
    return [
        [re.sub(r"\s{2,}#.*", "", line).strip() for line in block.splitlines() if line.strip()]
        for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    ]


def prose(page):
    """The lines to type between the blocks."""
    text = re.sub(r"```.*?```", "", open(os.path.join(ROOT, page)).read(), flags=re.DOTALL)
    return {re.sub(r"\s+", " ", line) for line in re.findall(r"`(scripts/(?:screentime|run-all\.sh) [^`]+)`", text)}


def main():
    shutil.rmtree(PICTURES, ignore_errors=True)
    os.makedirs(PICTURES)
    home = tempfile.mkdtemp(prefix="st-walk-", dir="/tmp")
    walk = Walk(home, "--all" in sys.argv[1:])
    try:
        print(f"README.md and {FAMILY}", flush=True)
        walk.readme(blocks("README.md"), blocks(FAMILY, "## Import ")[0], blocks(FAMILY, "## For a child")[0])
        for page in ("README.md", FAMILY):
            missed = prose(page) - walk.typed
            check(not missed, f"{page} also says {missed}, which the walk does not type")
        print("CONTRIBUTING.md", flush=True)
        walk.contributing(blocks("CONTRIBUTING.md"))
        print(f"every line that was typed does what its page says; {walk.left} were left out")
    except Differs as difference:
        if walk.desktop:
            walk.desktop.picture("difference")
        print(f"DIFFERS: {difference}", file=sys.stderr)
        sys.exit(1)
    finally:
        for name in ("demo", "own", "child"):
            stop = {**os.environ, "HOME": os.path.join(home, name), "XDG_RUNTIME_DIR": os.path.join(home, name, "runtime")}
            subprocess.run(
                [os.path.join(ROOT, "scripts/run-all.sh"), "--stop"], env=stop, capture_output=True, timeout=60, check=False
            )
        if walk.desktop:
            walk.desktop.close()
        shutil.rmtree(home, ignore_errors=True)


main()
