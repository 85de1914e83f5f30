"""The Smart Game Format: text ↔ trees of nodes with properties. Knows no game.

A collection is a sequence of game trees, `(;…)(;…)`; a node is `;` and properties, a property is a name and values in
brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

PROPERTY = re.compile(r"([A-Za-z0-9]+)\s*(?=\[)")
VALUE = re.compile(r"\s*\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)


class RecordError(ValueError):
    """A game record that cannot be used; the message says what is wrong and where."""


@dataclass
class Node:
    """A step of a game: its properties, and the nodes that may follow, the main one first."""

    properties: dict[str, list[str]] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)
    line: int = 0

    def mainline(self) -> Iterator[Node]:
        """This node and the main one after each."""
        node = self
        yield node
        while node.children:
            node = node.children[0]
            yield node

    def num_variations(self) -> int:
        """How many branches leave the main ones, anywhere below."""
        count, waiting = 0, [self]
        while waiting:
            node = waiting.pop()
            count += max(0, len(node.children) - 1)
            waiting += node.children
        return count


def parse(text: str, source: str = "text") -> list[Node]:
    """The root nodes of a collection. Raises `RecordError` that names `source`, line and column."""
    return _Parser(text, source).parse()


class _Parser:
    """Reads a collection from left to right; `opened` holds, for each open parenthesis, the node before it."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text, source
        self.roots: list[Node] = []
        self.opened: list[Node | None] = []
        self.node: Node | None = None
        self.is_empty = True  # no node since the last "("

    def parse(self) -> list[Node]:
        position = 0
        while position < len(self.text):
            char = self.text[position]
            if char == "(":
                self.open(position)
            elif char == ")":
                self.close(position)
            elif char == ";":
                self.add_node(position)
            elif not char.isspace():
                position = self.read_property(position)
                continue
            position += 1
        if self.opened:
            raise self.error(position, f"the text ends inside a game: {len(self.opened)} × ')' missing")
        return self.roots

    def open(self, position: int) -> None:
        if self.opened and self.is_empty:
            raise self.error(position, "expected ';' after '('")
        self.opened.append(self.node)
        self.is_empty = True

    def close(self, position: int) -> None:
        if not self.opened:
            raise self.error(position, "')' without '('")
        if self.is_empty:
            raise self.error(position, "expected ';' after '('")
        self.node = self.opened.pop()

    def add_node(self, position: int) -> None:
        if not self.opened:
            raise self.error(position, "a node outside of a game: expected '('")
        node = Node(line=self.line(position))
        (self.roots if self.node is None else self.node.children).append(node)
        self.node = node
        self.is_empty = False

    def read_property(self, position: int) -> int:
        """Store a property in the node; returns where it ends."""
        match = PROPERTY.match(self.text, position)
        if match is None or not self.opened or self.node is None or self.is_empty:
            excerpt = self.text[position : position + 12].split("\n")[0]
            raise self.error(position, f"expected a node or a property, found {excerpt!r}")
        name = "".join(char for char in match[1] if not char.islower())  # old files write `Black[…]` for `B[…]`
        if name in self.node.properties:
            raise self.error(position, f"property {name} appears twice in a node")
        values = []
        end = match.end()
        while value := VALUE.match(self.text, end):
            values.append(unescape(value[1]))
            end = value.end()
        if not values:
            raise self.error(match.end(), f"the value of property {name} has no closing bracket")
        self.node.properties[name] = values
        return end

    def line(self, position: int) -> int:
        return self.text.count("\n", 0, position) + 1

    def error(self, position: int, message: str) -> RecordError:
        column = position - self.text.rfind("\n", 0, position)
        return RecordError(f"{self.source}, line {self.line(position)}, column {column}: {message}")


def unescape(value: str) -> str:
    """A value without its backslashes: `\\]` is a bracket, a backslash before a line end joins the lines."""
    return re.sub(r"\\(\r\n|\n|.)", lambda match: "" if match[1].endswith("\n") else match[1], value, flags=re.DOTALL)


def escape(value: str) -> str:
    """Inverse of `unescape`."""
    return re.sub(r"([\]\\])", r"\\\1", value)


def format_property(name: str, *values: str) -> str:
    """`NAME[value][value]`."""
    return name + "".join(f"[{escape(value)}]" for value in values)
