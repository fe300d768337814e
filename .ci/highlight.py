"""Colours for the listings of the site's first page, by the classes of landing.css. DocC colours those of the other pages itself."""

import html
import re

SWIFT = re.compile(r"""
    (?P<comment>//.*)
  | (?P<string>"(?:\\.|[^"\\])*")
  | (?P<keyword>[@#]\w+|\b(?:import|struct|enum|class|func|let|var|case|switch|return|in|if|else|guard|for|try|await|async|throws
      |catch|init|self|Self|inout|extension|protocol|static|some|any|nil|true|false|private|public)\b(?!:))
  | (?P<type>\b[A-Z]\w*)
  | (?P<number>\b\d[\d_.]*\b)""", re.X)
# Lines of a comparison, and remarks of a shell.
OTHERS = {"diff": re.compile(r"^(?:(?P<deletion>-.*)|(?P<addition>\+.*))$", re.M), "sh": re.compile(r"(?P<comment>(?:^|(?<= ))#.*)", re.M)}


def highlighted(code, language):
    """A listing as HTML."""
    tokens = SWIFT if language == "swift" else OTHERS.get(language)
    parts, end = [], 0
    for token in tokens.finditer(code) if tokens else []:
        # A name behind a dot is a case or a member, not a keyword; one before a colon is a label.
        if token.lastgroup == "keyword" and code[token.start() - 1:token.start()] == ".":
            continue
        parts += [html.escape(code[end:token.start()]), f'<span class="{token.lastgroup}">{html.escape(token[0])}</span>']
        end = token.end()
    return "".join(parts) + html.escape(code[end:])
