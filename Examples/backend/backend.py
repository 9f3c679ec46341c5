"""A photo library with a database, which alone has the key of layoutd: python3 backend.py

LAYOUTD, LAYOUTD_KEY   where layoutd is, and its key        DATABASE, PORT   of this server
"""

import http.server
import json
import os
import pathlib
import secrets
import sqlite3
import sys
import urllib.parse

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "../../Sources/Web/Client")]
import layoutd

SERVER = os.environ.get("LAYOUTD", "http://localhost:8080")
CLIENT = layoutd.Client(SERVER, f"Bearer {os.environ['LAYOUTD_KEY']}" if "LAYOUTD_KEY" in os.environ else None)
NEWEST = {"sortBy": [{"key": "taken", "order": "descending"}]}
SCHEMA = """
create table if not exists photos (id text primary key, width, height, taken, album, people);
create table if not exists changes (number integer primary key autoincrement, photo text);
create table if not exists shares (token text primary key, album, view);
create trigger if not exists came after insert on photos begin insert into changes (photo) values (new.id); end;
create trigger if not exists changed after update on photos begin insert into changes (photo) values (new.id); end;
create trigger if not exists went after delete on photos begin insert into changes (photo) values (old.id); end;
"""


def database() -> sqlite3.Connection:
    return sqlite3.connect(os.environ.get("DATABASE", HERE / "photos.db"), timeout=30)


def item(row) -> dict:
    return {"id": row[0], "width": row[1], "height": row[2], "keys": {"taken": row[3], "album": row[4]},
            "data": {"title": f"{row[4]}, {row[5]}"}}


def library(db) -> layoutd.Layout:
    """The layout of all photographs, whoever has prepared it. How far it was fed stands in its section."""
    if known := CLIENT.named("photos"):
        return known
    # What comes between the two is told again.
    number = db.execute("select coalesce(max(number), 0) from changes").fetchone()[0]
    items = [item(row) for row in db.execute("select * from photos order by taken")]
    return CLIENT.prepare("justified", name="photos", bounds={"width": 1000}, options={"targetRowHeight": 160},
                          sections=[{"data": number, "items": items}])


def feed(db) -> layoutd.Layout:
    """Tells layoutd what has changed. Two workers may tell it twice; a layout that is gone is made anew."""
    while True:
        layout = library(db)
        try:
            told = next(layout.sections(data=True))["data"]
            changes = db.execute("select number, photo from changes where number > ? limit 5000", (told,)).fetchall()
            if not changes:
                return layout
            ids = json.dumps([photo for _, photo in changes])
            rows = db.execute("select * from photos where id in (select value from json_each(?))", (ids,)).fetchall()
            gone = {photo for _, photo in changes} - {row[0] for row in rows}
            layout.update({"put": {"at": [0, "end"], "items": [item(row) for row in rows]}},
                          *({"delete": {"at": {"id": id}, "missing": "ignore"}} for id in gone),
                          {"setSection": {"at": 0, "data": changes[-1][0]}},
                          if_match=f'"{layout.summary["versionTag"]}"')
        except layoutd.LayoutError as error:
            # It has gone, or another worker was faster.
            if error.status not in (404, 412):
                raise


def shared(db, token: str) -> str | None:
    """The read-only view of a shared album; another one if nobody has used it for long."""
    for album, view in db.execute("select album, view from shares where token = ?", (token,)).fetchall():
        try:
            return feed(db) and CLIENT.layout(view or "none").id
        except layoutd.LayoutError:
            made = feed(db).view(readOnly=True, arrange={"where": [{"key": "album", "in": [album]}], **NEWEST}).id
        with db:
            db.execute("update shares set view = ? where token = ?", (made, token))
        return made


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self, status: int, content, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(json.dumps(content).encode() if kind == "application/json" else content)

    def do_GET(self) -> None:
        url, view = urllib.parse.urlsplit(self.path), None
        query = dict(urllib.parse.parse_qsl(url.query))
        if url.path == "/":
            return self.answer(200, (HERE / "index.html").read_bytes(), "text/html; charset=utf-8")
        if url.path == "/api/library":
            view = feed(database()).view(bounds={"width": int(query["width"])}, arrange=NEWEST).id
        elif url.path == "/api/shared":
            view = shared(database(), query.get("token", ""))
        self.answer(200 if view else 404, {"server": SERVER, "view": view})

    def do_POST(self) -> None:
        db, token = database(), secrets.token_urlsafe(16)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with db:
            if self.path == "/api/share":
                db.execute("insert into shares values (?, ?, null)", (token, body["album"]))
            for photo in body.get("photos", []):
                db.execute("replace into photos values (:id, :width, :height, :taken, :album, :people)", photo)
            for id in body.get("gone", []):
                db.execute("delete from photos where id = ?", (id,))
        feed(db)
        self.answer(200, {"token": token})


if __name__ == "__main__":
    database().executescript(SCHEMA)
    http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 8000))), Handler).serve_forever()
