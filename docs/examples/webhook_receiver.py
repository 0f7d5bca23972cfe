"""Receives the shop's webhooks, as docs/webhooks.md explains; the same in TypeScript is webhook-receiver.ts.

Copy it, and let `handle` do what your system needs. It runs in Python 3.9 and later, behind your proxy for https:

    pip install standardwebhooks
    WEBHOOK_SECRET=whsec_… python3 webhook_receiver.py
"""

import json
import os
import sqlite3
import sys
import threading
import time
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook, WebhookVerificationError

# The shop's bodies stay below 20 kB.
LARGEST_BODY = 64 * 1024
# The shop repeats no event that is older than 30 days, plus the days that it tries again.
REMEMBERED_SECONDS = 40 * 24 * 60 * 60

WEBHOOK = Webhook(os.environ["WEBHOOK_SECRET"])
DATABASE = os.environ.get("WEBHOOK_DATABASE", "webhooks.sqlite")

TABLES = """
PRAGMA journal_mode = WAL;
-- every event's id, and its body until it is handled
CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, body TEXT, received_at INTEGER NOT NULL);
-- the newest that is known of each thing
CREATE TABLE IF NOT EXISTS things (thing TEXT PRIMARY KEY, sequence INTEGER NOT NULL, data TEXT NOT NULL);
"""

arrived = threading.Event()


def connect():
    """A connection of this thread's own; waits up to ten seconds for another's write."""
    return sqlite3.connect(DATABASE, timeout=10, isolation_level=None)


def receive(body, headers):
    """Stores an event once and answers at once: the shop waits 15 seconds, and what takes longer is sent again."""
    try:
        # raises as well if the timestamp is more than five minutes off
        WEBHOOK.verify(body, headers)
    except (WebhookVerificationError, ValueError):
        # ValueError: the signature is no base64, or the body is no UTF-8
        return 401
    event_id = next(value for name, value in headers.items() if name.lower() == "webhook-id")
    db = connect()
    try:
        # an id that is known was sent again: the shop has to hear 2xx, and nothing is done twice
        db.execute(
            "INSERT INTO inbox (id, body, received_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (event_id, body.decode(), int(time.time())),
        )
    finally:
        db.close()
    arrived.set()
    return 204


def handle_waiting(db):
    """An event that fails stays in the inbox and is handled again later; it holds up no other."""
    for event_id, body in db.execute("SELECT id, body FROM inbox WHERE body IS NOT NULL ORDER BY rowid").fetchall():
        db.execute("BEGIN IMMEDIATE")
        try:
            outcome = handle(db, json.loads(body))
            # only the id is needed from now on
            db.execute("UPDATE inbox SET body = NULL WHERE id = ?", (event_id,))
            db.execute("COMMIT")
            print(outcome, flush=True)
        except Exception:
            db.execute("ROLLBACK")
            print(f"Event {event_id} will be tried again:", traceback.format_exc(), file=sys.stderr, flush=True)


def handle(db, event):
    """What your system does with an event. Other calls, such as to an API, belong into a queue of your own."""
    data = event["data"]
    thing = thing_of(event["type"], data)
    changed = db.execute(
        """INSERT INTO things (thing, sequence, data) VALUES (?, ?, ?)
           ON CONFLICT (thing) DO UPDATE SET sequence = excluded.sequence, data = excluded.data
           WHERE excluded.sequence >= things.sequence""",
        (thing, data["sequence"], json.dumps(data)),
    ).rowcount
    if event["type"] == "account.deleted":
        forget(db, data["account"])
    outcome = data["sequence"] if changed else "is older than what is known"
    return f"{event['type']} {thing} {outcome}"


def thing_of(event_type, data):
    """`order.paid` and `order.refunded` are about the same order."""
    family = event_type.split(".")[0]
    field = {"discord": "account", "release": "version", "webhook": "endpoint"}.get(family, family)
    return f"{family}:{data[field]}"


def forget(db, account):
    """The customer had the account erased: nothing personal stays here either."""
    db.execute(
        """UPDATE things SET data =
             json_replace(data, '$.email', NULL, '$.email_confirmed', json('false'), '$.discord', NULL)
           WHERE json_extract(data, '$.account') = ?""",
        (account,),
    )


def handle_as_they_arrive():
    db = connect()
    while True:
        arrived.clear()
        handle_waiting(db)
        arrived.wait(timeout=60)


class Receiver(BaseHTTPRequestHandler):
    # seconds that a client may keep a connection waiting
    timeout = 30

    def do_POST(self):
        self.send_response(self.status())
        self.send_header("Content-Length", "0")
        self.end_headers()

    def status(self):
        length = self.headers.get("Content-Length", "")
        if self.path != "/webhooks":
            return 404
        if not length.isdecimal():
            return 411
        if int(length) > LARGEST_BODY:
            return 413
        # the signature is of the bytes that came: parse nothing before it is verified
        try:
            return receive(self.rfile.read(int(length)), dict(self.headers.items()))
        except sqlite3.Error:
            # 5xx: the shop sends it again
            traceback.print_exc()
            return 500

    def log_message(self, format, *args):
        pass


if __name__ == "__main__":
    with connect() as start:
        start.executescript(TABLES)
        start.execute(
            "DELETE FROM inbox WHERE body IS NULL AND received_at < ?", (int(time.time()) - REMEMBERED_SECONDS,)
        )
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Receiver)
    threading.Thread(target=handle_as_they_arrive, daemon=True).start()
    print(f"Listening on http://127.0.0.1:{server.server_port}/webhooks", flush=True)
    server.serve_forever()
