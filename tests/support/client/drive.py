"""Drives the Python client by lines of JSON: tests/support/client/drive.ts says which."""

import json
import sys
import time
from dataclasses import asdict

import client


def read():
    return json.loads(sys.stdin.readline())


def write(line):
    print(json.dumps(line), flush=True)


def instant(at):
    return None if at is None else int(at.timestamp())


class Memory:
    text = None

    def read(self):
        if "read" in World.broken:
            raise RuntimeError("cannot read")
        return self.text

    def write(self, text):
        if "write" in World.broken:
            raise OSError("no space left on device")
        self.text = text


class World:
    ahead = 0
    cable = True
    broken = []


def send(*request):
    if not World.cable:
        raise OSError("no network")
    return client.send(*request)


def wait(seconds):
    write({"wait": seconds})
    told = read()
    World.ahead, World.stop = told["ahead"], told["stop"]


def show(code):
    write({"show": {**code._asdict(), "expires_at": instant(code.expires_at)}})


def verdict(found):
    times = {"expires_at": instant(found.expires_at), "offline_until": instant(found.offline_until)}
    return {**asdict(found), **times, "available_at": instant(found.available_at)}


def vectors(path):
    with open(path, encoding="utf-8") as file:
        given = json.load(file)
    checks = [
        client.check_token(
            one["token"], given["keys"], given["issuer"], one["hwid"], one["now"], one["latest_seen"], one["fresh"]
        )
        for one in given["cases"]
    ]
    return [
        {
            "expect": check.verdict,
            "reason": check.reason,
            "features": [] if check.verdict == "refused" else client.features_of(one["token"], one["now"]),
        }
        for one, check in zip(given["cases"], checks)
    ]


def contend(path, times):
    """Writes and reads a file that others write, too; returns what went wrong."""
    keeper, wrong = client.FileKeeper(path), set()
    for turn in range(times):
        try:
            keeper.write(str(turn % 10) * 5000)
            text = keeper.read()
        except OSError as error:
            wrong.add(type(error).__name__)
        if not text or text != text[0] * 5000:
            wrong.add("torn")
    return sorted(wrong)


def answer(licence, asked):
    does, machine = asked["do"], (asked.get("label", ""), asked.get("os", ""))
    if does == "sign_in":
        return licence.sign_in(*machine, show, lambda: World.stop)
    if does == "activate":
        return verdict(licence.activate(*machine))
    if does in ("check", "check_offline"):
        return verdict(getattr(licence, does)())
    if does == "use_file":
        return verdict(licence.use_file(asked["text"]))
    if does == "offline_request":
        return licence.offline_request(*machine)
    if does == "update":
        return licence.update(asked["system"])
    if does == "me":
        me = licence.me()
        return me and {**me._asdict(), "expires_at": instant(me.expires_at)}
    if does == "has":
        return licence.has(asked["feature"])
    return licence.deactivate()


options, keeper = read(), Memory()
licence = client.Licence(
    **options, keeper=keeper, send=send, now=lambda: time.time() + World.ahead, wait=wait
)
for line in sys.stdin:
    asked = json.loads(line)
    World.ahead, World.cable, World.stop, World.broken = asked["ahead"], asked["cable"], False, asked["broken"]
    if asked["do"] == "vectors":
        write({"answer": vectors(asked["path"])})
    elif asked["do"] == "kept":
        keeper.text = asked.get("text", keeper.text)
        write({"answer": keeper.text})
    elif asked["do"] == "contend":
        write({"answer": contend(asked["path"], asked["times"])})
    else:
        write({"answer": answer(licence, asked)})
