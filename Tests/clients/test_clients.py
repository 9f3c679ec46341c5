"""Clients that generators make of openapi.yaml prepare, ask, update, patch, and make views.

    Tests/clients/run
"""

import os
import pathlib
import re
import unittest

import layoutd_models as models
import yaml
from layoutd_client import Client
from layoutd_client.api.elements import find_item, get_elements, get_picture
from layoutd_client.api.layouts import (
    create_view, get_collection, get_layout, patch_layout, prepare_layout, update_layout)
from layoutd_client.models import (
    Bounds, Category, ChangedBounds, GridOptions, GridSection, ItemByID, ItemRow, Kind, ListOptions,
    NodeColumns, Patch, PrepareGrid, PrepareTreeOfNodes, Problem, Update, UpdateDelete,
    UpdateInsert, Updates)
from program import ROOT, Program

CONTRACT = yaml.safe_load((ROOT / "openapi.yaml").read_text())


class Document(unittest.TestCase):
    def test_constants_have_types(self):
        def check(value, path):
            if isinstance(value, dict):
                if "const" in value:
                    self.assertIn("type", value, path)
                for name, member in value.items():
                    check(member, f"{path}/{name}")
            elif isinstance(value, list):
                for index, member in enumerate(value):
                    check(member, f"{path}/{index}")

        check(CONTRACT["components"]["schemas"], "")
        check(CONTRACT["paths"], "")

    def test_length(self):
        self.assertLessEqual(len((ROOT / "openapi.yaml").read_text().splitlines()), 4850)


class GeneratedClient(unittest.TestCase):
    """The package of openapi-python-client."""

    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Program())
        cls.client = cls.enterClassContext(Client(base_url=cls.server.url))

    def prepare(self, **options):
        body = PrepareGrid(
            bounds=Bounds(width=100), options=GridOptions(**options),
            sections=[GridSection(items=[ItemRow(id="a"), ItemRow(id="b"), ItemRow()])])
        return prepare_layout.sync(Kind.GRID, client=self.client, body=body)

    def frames(self, layout, rect="0,0,100,1000"):
        elements = get_elements.sync(layout.id, client=self.client, rect=rect)
        return [element.frame for element in elements.elements]

    def test_every_operation_and_schema_is_made(self):
        said = pathlib.Path(os.environ["SAID"]).read_text()
        self.assertNotRegex(said, "WARNING|Warning|Unable to")
        api = pathlib.Path(os.environ["SAID"]).parent / "layoutd_client/api"
        made = {path.stem for path in api.glob("*/*.py")} - {"__init__"}
        operations = [
            re.sub("(?<!^)(?=[A-Z])", "_", operation["operationId"]).lower()
            for path in CONTRACT["paths"].values() for name, operation in path.items()
            if name != "parameters"]
        self.assertEqual(made, set(operations))
        self.assertEqual(len(made), len(operations))

    def test_a_session(self):
        # Two columns of 45 points with 10 between them, rows of 20 with 5 between them.
        layout = self.prepare(columns=2, column_spacing=10, row_height=25, row_spacing=5)
        self.assertEqual(self.frames(layout), [[0, 0, 45, 20], [55, 0, 45, 20], [0, 25, 45, 20]])
        self.assertEqual(self.frames(layout, "0,21,100,9"), [[0, 25, 45, 20]])

        updated = update_layout.sync(
            layout.id, client=self.client, rect="0,0,100,1000",
            body=Updates(updates=[
                Update(insert=UpdateInsert(at=[0, 0], items=[ItemRow(id="c")])),
                Update(delete=UpdateDelete(at=ItemByID(id="a")))]))
        self.assertEqual(updated.version, 2)
        self.assertEqual([new.to.id for new in updated.transitions.appearing], ["c"])
        found = find_item.sync(layout.id, client=self.client, id_query=["b"])
        self.assertEqual((found.frame, found.category), ([55, 0, 45, 20], Category.CELL))
        several = find_item.sync(layout.id, client=self.client, id_query=["b", "a"])
        self.assertEqual(([cell.id for cell in several.elements], several.missing), (["b"], ["a"]))

        view = create_view.sync(
            layout.id, client=self.client,
            body=Patch(kind=Kind.LIST, bounds=ChangedBounds(width=60),
                       options=ListOptions(item_height=30, row_spacing=0)))
        self.assertEqual(self.frames(view), [[0, y, 60, 30] for y in (0, 30, 60)])
        self.assertEqual(get_layout.sync(layout.id, client=self.client).views, 1)

        # What the patch does not name stays.
        patched = patch_layout.sync(
            layout.id, client=self.client, if_match='"2-0"', body=Patch())
        self.assertIsInstance(patched, Problem)
        self.assertEqual(patched.status, 412)
        patched = patch_layout.sync(
            layout.id, client=self.client, body=Patch(options=GridOptions(columns=1)))
        self.assertTrue(patched.invalidated)
        self.assertEqual(self.frames(layout), [[0, y, 100, 20] for y in (0, 25, 50)])
        exported = get_collection.sync(layout.id, client=self.client)
        self.assertEqual(
            exported.to_dict()["options"],
            {"columns": 1, "columnSpacing": 10, "rowHeight": 25, "rowSpacing": 5})
        picture = get_picture.sync_detailed(layout.id, client=self.client, rect="0,0,100,100")
        self.assertIn("<svg", picture.parsed)

    def test_a_tree(self):
        tree = prepare_layout.sync(
            Kind.TREE, client=self.client,
            body=PrepareTreeOfNodes(nodes=NodeColumns(parent=[None, 0, 0])))
        self.assertEqual((tree.counts.cells, tree.counts.supplementary), (3, 1))

    def test_a_refusal(self):
        problem = self.prepare(columns=0)
        self.assertIsInstance(problem, Problem)
        self.assertEqual(problem.errors[0].pointer, "/options/columns")


class GeneratedModels(unittest.TestCase):
    """The models of datamodel-code-generator."""

    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Program())

    def send(self, model, method, path, body):
        body = model.model_validate(body).model_dump(mode="json", exclude_unset=True)
        return self.server.request(method, path, body)

    def test_a_session(self):
        summary = models.Summary.model_validate(self.send(
            models.PrepareList, "POST", "/layouts/list/prepare",
            {"bounds": {"width": 100}, "options": {"itemHeight": 20},
             "sections": [{"items": [{"id": "a"}, {"height": 30}]}]}))
        path = f"/layouts/{summary.id.root}"
        updated = models.UpdatedSummary.model_validate(self.send(
            models.Updates, "POST", f"{path}/updates",
            {"updates": [{"insert": {"at": {"id": "a"}, "items": 1}}]}))
        self.assertEqual(updated.version.root, 2)
        patched = models.PatchedSummary.model_validate(self.send(
            models.Patch, "PATCH", path, {"options": {"rowSpacing": 10}}))
        self.assertEqual(patched.contentSize.height, 90)
        view = models.Summary.model_validate(self.send(
            models.Patch, "POST", f"{path}/views", {"kind": "grid", "options": {"columns": 3}}))
        self.assertEqual(view.kind.value, "grid")
        elements = models.Elements.model_validate(
            self.server.request("GET", f"{path}/elements?rect=0,0,100,1000"))
        self.assertEqual(
            [element.model_dump(mode="json")["frame"] for element in elements.elements],
            [[0, 0, 100, 20], [0, 30, 100, 20], [0, 60, 100, 30]])
