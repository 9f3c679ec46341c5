"""A plain model of a hierarchy that is folded: lists, and a walk over them for each answer."""

from __future__ import annotations


def step(length: float) -> float:
    """A length in whole steps of 1/1024; at least one if it is more than 0."""
    steps = int(length * 1024 + 0.5)
    return max(steps, 1 if length > 0 else 0) / 1024


class Node:
    def __init__(self, name, height=None, data=None, text=None):
        self.id, self.height, self.data, self.text = name, height, data, text
        self.parent, self.children = None, []
        self.mark = None

    def body(self) -> dict:
        made = {}
        for member, value in (("id", self.id), ("height", self.height), ("data", self.data), ("text", self.text)):
            if value is not None:
                made[member] = value
        return made


class Folds:
    def __init__(self, start=None):
        self.start = start

    def base(self, depth: int) -> bool:
        return self.start is not None and depth >= self.start


class Tree:
    """The nodes of a layout and what is folded in it."""

    def __init__(self, roots: list[Node]):
        self.roots = roots
        self.folds = Folds()
        self.marks: dict[Node, bool] = {}

    def copy(self) -> "Tree":
        other = Tree(self.roots)
        other.folds.start = self.folds.start
        other.marks = dict(self.marks)
        return other

    # What there is

    def walk(self, nodes=None, depth=0):
        for node in self.roots if nodes is None else nodes:
            yield node, depth
            yield from self.walk(node.children, depth + 1)

    def levels(self) -> list[list[Node]]:
        """Breadth first: index paths."""
        levels, row = [], list(self.roots)
        while row:
            levels.append(row)
            row = [child for node in row for child in node.children]
        return levels

    def paths(self) -> dict[Node, list[int]]:
        return {node: [depth, place] for depth, level in enumerate(self.levels())
                for place, node in enumerate(level)}

    @staticmethod
    def depth(node: Node) -> int:
        depth = 0
        while node.parent:
            node, depth = node.parent, depth + 1
        return depth

    @staticmethod
    def below(node: Node) -> int:
        return sum(1 + Tree.below(child) for child in node.children)

    # What is folded

    def is_folded(self, node: Node, depth: int) -> bool:
        return bool(node.children) and self.marks.get(node, self.folds.base(depth))

    def set_mark(self, node: Node, folded: bool) -> None:
        if self.folds.base(self.depth(node)) == folded:
            self.marks.pop(node, None)
        else:
            self.marks[node] = folded

    def fold(self, request: dict, find) -> None:
        """`find` gives the node of a reference."""
        if "from" in request:
            self.folds.start, self.marks = request["from"], {}
        for reference in request.get("fold", []):
            self.set_mark(find(reference), True)
        for reference in request.get("unfold", []):
            row = [find(reference)]
            for _ in range(request.get("levels", 1)):
                for node in row:
                    if node.children:
                        self.set_mark(node, False)
                row = [child for node in row for child in node.children]
        for reference in request.get("reveal", []):
            node = find(reference).parent
            while node:
                self.set_mark(node, False)
                node = node.parent

    def shown(self, nodes=None, depth=0):
        for node in self.roots if nodes is None else nodes:
            yield node, depth
            if not self.is_folded(node, depth):
                yield from self.shown(node.children, depth + 1)

    def cover(self, node: Node) -> Node | None:
        """The folded node that is shown and hides another one."""
        found = None
        above = node.parent
        while above:
            if self.is_folded(above, self.depth(above)):
                found = above
            above = above.parent
        return found

    def settle(self) -> None:
        """Marks go with the last child, and with the node."""
        there = {node for node, _ in self.walk()}
        self.marks = {node: mark for node, mark in self.marks.items() if node in there and node.children}

    # Answers

    def outline(self, options: dict, width: float) -> tuple[list[dict], list[float]]:
        """The rows, and the content's size."""
        insets = {side: options.get("insets", {}).get(side, 0) for side in ("top", "left", "bottom", "right")}
        indent, least = options.get("indent", 16), options.get("minimumRowWidth", 120)
        spacing, pinned = step(options.get("rowSpacing", 0)), options.get("pinAncestors", 0)
        paths = self.paths()
        depths = max([depth for _, depth in self.walk()], default=0) + 1
        whole = max(width, (insets["left"] + (depths - 1) * indent + least) + insets["right"])
        top = step(insets["top"])
        rows, y, bottom, of = [], top, top, {}
        for node, depth in self.shown():
            x = insets["left"] + depth * indent
            across = max(least, (width - insets["right"]) - x)
            height = step(node.height if node.height is not None else options.get("rowHeight", 28))
            if options.get("layoutDirection") == "rightToLeft":
                x = whole - (x + across)
            row = {"category": "cell", "indexPath": paths[node], "frame": [x, y, across, height], "zIndex": 0}
            self.tell(row, node, depth, paths)
            bottom = y + height
            of[node] = row
            rows.append(row)
            y = bottom + spacing
            above = node
            while above:
                of[above]["last"] = bottom
                above = above.parent
        for node, row in of.items():
            last = row.pop("last")
            depth = row["indexPath"][0]
            if depth < pinned and "childCount" in row:
                low = row["frame"][1]
                row["pinRange"] = [low, max(low, last - row["frame"][3])]
                offset, above = 0, node.parent
                while above:
                    offset, above = offset + of[above]["frame"][3], above.parent
                row["pinOffset"] = offset
        return rows, [whole, bottom + step(insets["bottom"])]

    def tell(self, row: dict, node: Node, depth: int, paths: dict) -> None:
        """What a cell says beside its frame."""
        if node.id is not None:
            row["id"] = node.id
        if node.data is not None:
            row["data"] = node.data
        if self.is_folded(node, depth):
            row["folded"], row["hidden"] = True, self.below(node)
        elif node.children:
            row["firstChild"], row["childCount"] = paths[node.children[0]], len(node.children)
            if len(node.children) <= 100:
                row["children"] = [paths[child] for child in node.children]

    def tree_rows(self, options: dict) -> tuple[list[dict], list[float]]:
        """The cells of a tree in rows that grows to the right, in their order."""
        size = options.get("itemSize", {"width": 180, "height": 48})
        insets = {side: options.get("insets", {}).get(side, 20) for side in ("top", "left", "bottom", "right")}
        across = size["width"] + insets["left"] + insets["right"]
        down = size["height"] + insets["top"] + insets["bottom"]
        paths = self.paths()
        cells, row, deepest = [], 0, -1
        for node, depth in self.shown():
            cell = {"category": "cell", "indexPath": paths[node], "zIndex": 0,
                    "frame": [depth * across + insets["left"], row * down + insets["top"], size["width"], size["height"]]}
            self.tell(cell, node, depth, paths)
            if "childCount" not in cell:
                row += 1
            deepest = max(deepest, depth)
            cells.append(cell)
        cells.sort(key=lambda cell: cell["indexPath"])
        return cells, [(deepest + 1) * across, row * down]
