#!/usr/bin/env python3
# This source file is part of swift-effects. License: Apache-2.0.
"""Runs the real program in a real (pseudo-)terminal, types faster than it can search, and reads its screen.

    python3 Examples/02-live-search/Tests/typed-fast.py [PATH OF live-search]

Nothing here waits for a fixed time: each step waits for what must be seen next, and fails if that never appears.
Every picture that the program draws is checked, not only the last: all its results must belong to its query.
"""
import fcntl, os, pathlib, pty, re, resource, select, signal, struct, subprocess, sys, tempfile, termios, time

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else str(ROOT / ".build/debug/live-search")
WORDS = ["alpha", "bravo", "charlie", "delta", "echo"]
FILES, LINES_OF_A_WORD = 2000, 4
PATIENCE = 60  # seconds, paid only before a failure

BACKSPACE, ESC, ARROW_UP = "\x7f", "\x1b", "\x1b[A"
ARROW_DOWN, PAGE_DOWN, END, HOME = "\x1b[B", "\x1b[6~", "\x1b[F", "\x1b[H"
CTRL_C, CTRL_D, CTRL_U, CTRL_Z = "\x03", "\x04", "\x15", "\x1a"


def make_tree(directory, files):
    filler = "".join(f"filler {number} lorem ipsum\n" for number in range(400))
    for number in range(files):
        path = pathlib.Path(directory, f"{number % 20}", f"{number}.txt")
        path.parent.mkdir(exist_ok=True)
        lines = "".join(f"{word} in line {line}\n" for line in range(LINES_OF_A_WORD) for word in WORDS)
        path.write_text(filler + lines + filler)


class Picture:
    """One frame as drawn: the rows as the terminal shows them."""

    def __init__(self, text):
        self.marked = re.findall(r"\x1b\[([0-9;]*)m([^\x1b]*)\x1b\[0m", text)
        self.rows = re.findall(r"\x1b\[\d+;1H\x1b\[K([^\x1b]*)", re.sub(r"\x1b\[[0-9;]*m", "", text))
        self.query = self.rows[0].partition("> ")[2]
        self.status, _, self.effects = self.rows[-2].partition("  |  ")
        self.help = self.rows[-1]
        body = [row for row in self.rows[1:-2] if row]
        self.more = body.pop() if body and body[-1].startswith("…") else None
        self.results = body

    def check(self):
        assert "↑ ↓ scroll" in self.help, f"no help: {self}"
        matches = [text for _, text in self.marked if text != self.help]
        assert not matches or set(matches) == {self.query}, f"marked: {matches}"
        assert len(matches) >= len(self.results), f"not all are marked: {self}"
        for row in self.results:
            assert self.query and self.query in row, f"STALE: {row!r} stands beside the query {self.query!r}"
        if not self.query:
            assert not self.more and self.status.startswith("Type to search"), f"not cleared: {self}"
        if self.status.startswith("searching"):
            assert f'"{self.query}"' in self.status, f"STALE: {self}"
        if self.status.startswith("waiting"):
            assert self.query and not self.results, f"results before the search: {self}"

    def __str__(self):
        return "\n  " + "\n  ".join(self.rows)


class Session:
    """The program in a terminal of its own, 24 rows of 100 columns."""

    def __init__(self, *arguments, **environment):
        self.master, self.slave = pty.openpty()
        self.resize(24, 100)
        self.settings = termios.tcgetattr(self.slave)
        self.process = subprocess.Popen(
            [PROGRAM, *arguments], stdin=self.slave, stdout=self.slave, stderr=self.slave, start_new_session=True,
            env={**{name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}, **environment},
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.unread, self.pictures, self.last = "", 0, None
        self.wait(lambda picture: picture.query == "", "the first picture")
        assert termios.tcgetattr(self.slave) != self.settings, "the terminal was not taken over"

    def resize(self, rows, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, keys):
        os.write(self.master, keys.encode())

    def wait(self, condition, what):
        """Reads pictures, checking each, until one fulfils the condition."""
        deadline = time.monotonic() + PATIENCE
        while True:
            start, end = self.unread.find("\x1b[?25l"), self.unread.find("\x1b[?25h")
            if 0 <= start < end:
                self.last, self.unread = Picture(self.unread[start:end]), self.unread[end + 6:]
                self.pictures += 1
                self.last.check()
                if condition(self.last):
                    return self.last
            elif not self.read(deadline):
                raise AssertionError(f"never seen: {what}; instead: {self.last}")

    def read(self, deadline):
        if not select.select([self.master], [], [], max(0, deadline - time.monotonic()))[0]:
            return False
        self.unread += os.read(self.master, 65536).decode(errors="replace")
        return True

    def end(self, status):
        """Waits until the program has ended, then checks its exit status and the terminal that it leaves behind."""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < deadline, "the program does not end"
            self.read(min(deadline, time.monotonic() + 0.05))
        while self.read(time.monotonic()):
            pass
        assert self.process.returncode == status, f"exit status {self.process.returncode}, not {status}"
        assert termios.tcgetattr(self.slave) == self.settings, "the terminal was not restored"
        assert self.unread.endswith("\x1b[?1049l"), f"the screen was not given back: {self.unread[-80:]!r}"
        os.close(self.master)
        os.close(self.slave)


def done(query):
    count = FILES * LINES_OF_A_WORD
    status = f"done: {count} matches in {FILES} of {FILES} files"
    return lambda picture: (picture.query == query and picture.status == status
                            and len(picture.results) == 20 and picture.more == f"… {count - 20} more")


def typed_at_once(tree):
    session = Session(tree)
    for word in WORDS:
        session.type(word + BACKSPACE * len(word))
    session.type(WORDS[-1])
    picture = session.wait(done(WORDS[-1]), "all results of the last of five queries typed at once")
    # Each letter has replaced the search of the letter before, but a query of no letter has none to start.
    counts = {word: int(number) for number, word in re.findall(r"(\d+) (\w+)", picture.effects)}
    assert counts["started"] >= 1 and counts.get("replaced", 0) >= len(WORDS), picture.effects
    session.type(CTRL_C)
    session.end(0)
    return session.pictures


def typed_while_searching(tree):
    session = Session(tree)
    for word in WORDS * 3:
        session.type(BACKSPACE * 7 + word)
        session.wait(lambda picture: picture.query == word and picture.results and picture.status.startswith("searching"),
                     f"the first results of {word} while its search goes on")
    session.wait(done(WORDS[-1]), "all results of the last of fifteen queries, each typed into the search before it")
    session.type(CTRL_C)
    session.end(0)
    return session.pictures


def cleared_and_resized(tree):
    session = Session(tree)
    session.type("alpha")
    session.wait(lambda picture: picture.results, "results")
    session.type(ESC)
    session.wait(lambda picture: picture.query == "", "the cleared screen")
    session.type(ARROW_UP + "écho" + BACKSPACE * 4 + "bravo" + CTRL_Z + ESC + "delta" + CTRL_D)
    session.wait(done("delta"), "all results of the query after Esc")
    session.resize(10, 40)
    picture = session.wait(lambda picture: len(picture.rows) == 10, "the smaller screen")
    assert max(map(len, picture.rows)) <= 40, f"too wide: {picture}"
    session.type(CTRL_U)
    session.wait(lambda picture: picture.query == "", "the cleared screen")
    session.type(CTRL_D)
    session.end(0)
    return session.pictures


def scrolled(tree):
    """The list scrolls through the 200 lines that are kept, and begins again with another query."""
    session = Session(tree)
    session.type("alpha")
    session.wait(done("alpha"), "all results")
    session.type(ARROW_DOWN)
    session.wait(lambda picture: picture.help.startswith("1 above."), "one row further")
    session.type(PAGE_DOWN)
    session.wait(lambda picture: picture.help.startswith("20 above."), "a page further")
    session.type(END)
    picture = session.wait(lambda picture: picture.help.startswith("180 above."), "the last lines that are kept")
    assert picture.more == f"… {FILES * LINES_OF_A_WORD - 200} more" and len(picture.results) == 20, picture
    session.type(HOME)
    session.wait(lambda picture: picture.help.startswith("↑ "), "the first lines again")
    session.type(END + BACKSPACE)
    session.wait(lambda picture: picture.query == "alph" and picture.results and picture.help.startswith("↑ "),
                 "the first lines of another query")
    session.type(CTRL_C)
    session.end(0)
    return session.pictures


def coloured(tree):
    """Matches are coloured; with NO_COLOR no colour is sent, and they still stand out."""
    pictures = 0
    for environment, expected in (({}, "1;33"), ({"NO_COLOR": ""}, "1;33"), ({"NO_COLOR": "1"}, "1;4"), ({"TERM": "dumb"}, "1;4")):
        session = Session(tree, **environment)
        session.type("alpha")
        picture = session.wait(done("alpha"), "all results")
        styles = {style for style, text in picture.marked if text == "alpha"}
        assert styles == {expected}, (environment, styles)
        colours = [style for style, _ in picture.marked if re.search(r"(^|;)(3|4|9|10)\d", style)]
        assert bool(colours) == (expected == "1;33"), (environment, colours)
        session.type(CTRL_C)
        session.end(0)
        pictures += session.pictures
    return pictures


def recorded(tree):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "session")
        session = Session("--record", file, tree)
        for word in WORDS[:2]:
            session.type(ESC + word)
            session.wait(lambda picture: picture.query == word and picture.results, f"the first results of {word}")
        session.type(ESC + WORDS[2])
        session.wait(done(WORDS[2]), "all results of the last query")
        session.type(CTRL_C)
        session.end(0)
        status, output, text, _ = piped("--test", file, text="")
        # The last search, whose actions stand behind its "started": each file has matched once.
        actions = [line for line in output.splitlines() if " action " in line]
        begin = max(number for number, line in enumerate(actions) if '{"started":{}}' in line)
        found = sum(int(count) for line in actions[begin:] for count in re.findall(r'"matched":(\d+)', line))
        assert status == 0 and '{"finished":{}}' in actions[-1] and found == FILES, (status, found, text)
        # After a program was killed, its file has all lines but the one that it was writing.
        os.truncate(file, os.path.getsize(file) - 3)
        status, output, text, _ = piped("--test", file, text="")
        assert status == 1 and re.fullmatch(
            r"live-search: the recording is damaged: line \d+ is cut off; the lines before it can be read\n", text), text
        assert "store.replay(recording" in output, "what came before the damage is in the test"
        return session.pictures


def ended_by_signal(tree):
    session = Session(tree)
    session.type("alpha")
    session.wait(lambda picture: picture.results, "results")
    session.process.send_signal(signal.SIGTERM)
    session.end(128 + signal.SIGTERM)
    return session.pictures


def abandoned(tree):
    session = Session(tree)
    session.type("alpha")
    session.wait(lambda picture: picture.results, "results")
    os.close(session.slave)
    os.close(session.master)
    session.process.wait(PATIENCE)
    return session.pictures


def piped(*directory, text, **options):
    """Runs the program without a terminal; gives its status, output, complaints and greatest memory in KiB."""
    # The input is a file: a pipe could break, because a program that has a complaint does not wait for its input.
    with tempfile.TemporaryFile("w+") as queries:
        queries.write(text)
        queries.seek(0)
        process = subprocess.Popen([PROGRAM, *directory], stdin=queries, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, **options)
    output, complaints = process.stdout.read(), process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, output, complaints, usage.ru_maxrss // (1024 if sys.platform == "darwin" else 1)


def lines_of(word, tree, files):
    return sorted(f"{tree}/{number % 20}/{number}.txt:{401 + line * 5 + WORDS.index(word)}: {word} in line {line}"
                  for number in range(files) for line in range(LINES_OF_A_WORD))


def queries_in_a_pipe(tree):
    status, output, counts, _ = piped(tree, text="delta\n\nalpha\nxyz\n")
    lines = output.splitlines()
    half = len(lines) // 2
    count = FILES * LINES_OF_A_WORD
    assert status == 0 and counts.splitlines() == [
        f'live-search: {count} lines contain "delta"', f'live-search: {count} lines contain "alpha"',
        'live-search: no line contains "xyz"'], (status, counts)
    assert sorted(lines[:half]) == lines_of("delta", tree, FILES), "the first query's lines come first, all of them"
    assert sorted(lines[half:]) == lines_of("alpha", tree, FILES), "then the second query's"

    # A single query needs no count, but there is a message if it has found nothing.
    status, output, counts, _ = piped(tree, text="alpha in line 0\n")
    assert (status, output.count("\n"), counts) == (0, FILES, ""), (status, counts)
    status, output, counts, _ = piped(tree, text="xyz\n")
    assert (status, output, counts) == (0, "", 'live-search: no line contains "xyz"\n'), (status, output, counts)


def memory_in_a_pipe(tree):
    with tempfile.TemporaryDirectory() as small:
        make_tree(small, 20)
        status, _, _, few = piped(small, text="filler\n")
        assert status == 0
    status, output, _, many = piped(tree, text="filler\n" * 2)
    assert status == 0 and output.count("\n") == 2 * FILES * 800
    assert many < few + 8 * 1024, f"{len(output)} bytes of output took {many} KiB of memory, a hundredth {few} KiB"


def reader_that_stops(tree):
    command = f"printf 'filler\\nfiller\\n' | '{PROGRAM}' '{tree}' | head -n 1"
    ended = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, timeout=PATIENCE)
    assert ended.returncode == 0 and ended.stdout.count("\n") == 1 and ended.stderr == "", ended


def complaints(tree):
    status, output, text, _ = piped("/no/such/directory", text="alpha\n")
    assert (status, output, text) == (1, "", "live-search: /no/such/directory: No such file or directory\n"), text
    status, output, text, _ = piped("a", "b", text="")
    assert status == 64 and output == "" and text.startswith("live-search: one directory at most"), text

    status, output, text, _ = piped("--test", "/no/such/file", text="")
    assert (status, output) == (1, "") and text == (
        "live-search: The recording /no/such/file cannot be read: No such file or directory.\n"), text
    status, output, text, _ = piped("--record", "/no/such/file", "/", text="")
    assert (status, output) == (1, "") and text == (
        "live-search: The recording /no/such/file cannot be written: No such file or directory.\n"), text

    # Permissions do not stop root; too few file descriptors for a deep tree stop every user.
    with tempfile.TemporaryDirectory() as deep:
        pathlib.Path(deep, "top.txt").write_text("alpha\n")
        pathlib.Path(deep, *["d"] * 100).mkdir(parents=True)
        few = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
        status, output, text, _ = piped(deep, text="alpha\n", preexec_fn=few)
        assert (status, output) == (0, f"{deep}/top.txt:1: alpha\n"), (status, output, text)
        assert re.fullmatch(f"live-search: {deep}(/d)+: Too many open files\n", text), text


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tree:
        make_tree(tree, FILES)
        for scenario in [typed_at_once, typed_while_searching, cleared_and_resized, scrolled, coloured, recorded, ended_by_signal, abandoned,
                         queries_in_a_pipe, memory_in_a_pipe, reader_that_stops, complaints]:
            start = time.monotonic()
            try:
                pictures = scenario(tree)
            except AssertionError as failure:
                sys.exit(f"typed-fast: {scenario.__name__}: {failure}")
            seen = f", {pictures} pictures checked" if pictures else ""
            print(f"typed-fast: {scenario.__name__}: ok ({time.monotonic() - start:.1f} s{seen})")
