"""Bodies with long lists, for every list that openapi.yaml describes in a body.

Each is a small body with one list that has as many elements as its bound allows, one more, or
millions where it has no bound. Packed, they are short.
"""

import functools
import json
import pathlib
import struct
import zlib

import yaml

CONTRACT = yaml.safe_load(
    (pathlib.Path(__file__).resolve().parents[2] / "openapi.yaml").read_text())
# In place of a list, until its elements are written.
HOLE = "\0list\0"
# So many bytes are packed at once.
BLOCK = 1 << 20


def resolved(schema: dict) -> dict:
    while "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        schema = {**CONTRACT["components"]["schemas"][name], **{k: v for k, v in schema.items() if k != "$ref"}}
    return schema


def branches(schema: dict) -> list[dict]:
    """The schema, without choices and null."""
    schema = resolved(schema)
    for word in ("oneOf", "anyOf"):
        if word in schema:
            rest = {k: v for k, v in schema.items() if k != word}
            return [branch for choice in schema[word] for branch in branches(merged(rest, resolved(choice)))]
    if "allOf" in schema:
        rest = {k: v for k, v in schema.items() if k != "allOf"}
        for part in schema["allOf"]:
            rest = merged(rest, resolved(part))
        return branches(rest)
    return [] if schema.get("type") == "null" or schema.get("const", 0) is None else [schema]


def merged(a: dict, b: dict) -> dict:
    made = {**a, **b}
    if "properties" in a and "properties" in b:
        made["properties"] = {**a["properties"], **b["properties"]}
    if "required" in a and "required" in b:
        made["required"] = a["required"] + b["required"]
    return made


def types(schema: dict) -> list[str]:
    given = schema.get("type", "object" if "properties" in schema else "string")
    return [name for name in (given if isinstance(given, list) else [given]) if name != "null"]


def least(schema: dict, depth: int = 0):
    """A small value that a schema allows."""
    schema = (branches(schema) or [{}])[0]
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    kind = types(schema)[0]
    if kind == "object":
        names = schema.get("required", []) if depth < 12 else []
        return {name: least(schema["properties"][name], depth + 1) for name in names if name in schema.get("properties", {})}
    if kind == "array":
        return [least(schema.get("items", {}), depth + 1)] * max(schema.get("minItems", 0), 0)
    if kind in ("number", "integer"):
        low = schema.get("minimum", schema.get("exclusiveMinimum", 0))
        return max(low, 1) if "maximum" not in schema else min(max(low, 1), schema["maximum"])
    if kind == "boolean":
        return True
    return "a" * max(schema.get("minLength", 1), 1)


def lists(schema: dict, seen: tuple = ()):
    """Each list below a schema: a value with a hole where the list stands, and the list's schema."""
    for branch in branches(schema):
        key = json.dumps(branch, sort_keys=True, default=str)
        if key in seen or len(seen) > 9:
            continue
        inner = (*seen, key)
        for kind in types(branch):
            if kind == "object":
                small = least(branch) if isinstance(least(branch), dict) else {}
                for name, member in branch.get("properties", {}).items():
                    for value, found in lists(member, inner):
                        yield {**small, name: value}, found
                extra = branch.get("additionalProperties")
                if isinstance(extra, dict):
                    for value, found in lists(extra, inner):
                        yield {**small, "a": value}, found
            elif kind == "array":
                yield HOLE, branch
                for value, found in lists(branch.get("items", {}), inner):
                    yield [value], found


def cases(schema: dict, most: int):
    """Names and functions that make packed bodies: each list at its bound, above it, and as long as
    `most` bytes hold."""
    told = set()
    for value, found in lists(schema):
        text, bound = json.dumps(value), found.get("maxItems")
        before, after = text.split(json.dumps(HOLE))
        for branch in branches(found.get("items", {})) or [{}]:
            element = json.dumps(least(branch))
            many = most // (len(element) + 1)
            for count in {many} if bound is None else {bound, bound + 1, many}:
                name = f"{before[:150]}[{element[:60]}] × {count}{after[:40]}"
                if name not in told and count > 2:
                    told.add(name)
                    yield name, functools.partial(packed, before, element, count, after)


def packed(before: str, element: str, count: int, after: str) -> bytes:
    """Packed as gzip does, but a block of elements only once: it is the same again and again."""
    element = element.encode() + b","
    block = element * max(1, BLOCK // len(element))
    times, rest = divmod((count - 1) * len(element), len(block))
    end = block[:rest] + element[:-1] + b"]" + after.encode()
    texts = [before.encode() + b"[", block, end]
    packer = zlib.compressobj(6, wbits=-15)
    packs = [packer.compress(text) + packer.flush(zlib.Z_FULL_FLUSH) for text in texts]
    check = functools.reduce(lambda check, text: zlib.crc32(text, check), [texts[0], *[block] * times, end], 0)
    size = len(texts[0]) + times * len(block) + len(end)
    return (b"\x1f\x8b\x08" + bytes(7) + packs[0] + packs[1] * times + packs[2] + packer.flush()
            + struct.pack("<2I", check, size))


def operations() -> list[tuple[str, str, dict]]:
    """Methods, paths and bodies' schemas of all operations that take a body; a prepare for each
    kind."""
    made = []
    for path, methods in CONTRACT["paths"].items():
        for method, operation in methods.items():
            if not isinstance(operation, dict) or "requestBody" not in operation:
                continue
            schema = next(iter(operation["requestBody"]["content"].values()))["schema"]
            if "{kind}" not in path:
                made.append((method.upper(), path, schema))
                continue
            for kind in resolved(schema)["anyOf"]:
                name = kind["$ref"].rsplit("/Prepare", 1)[1].lower()
                made.append((method.upper(), path.replace("{kind}", name), kind))
    return made
