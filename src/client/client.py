"""A licence client for desktop applications: sign in, activate, check online and offline, look for updates.

One file to copy, for Python 3.9 and later. It needs the package `cryptography`.
"""

import base64
import hashlib
import http.client
import json
import os
import re
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

# A question that is wrong, or to a server that isn't a shop.
FAULTS = (400, 404, 405, 413, 415)
REFUSALS = ("NO_LICENSE", "EXPIRED", "DISPUTED", "REVOKED", "NOT_ACTIVATED", "HWID_MISMATCH", "UPDATE_REQUIRED")
TIMEOUT_SECONDS = 10
LARGEST_ANSWER = 4 * 1024 * 1024
# Tolerance for clock differences; rejects a clock set back further than this.
LEEWAY_SECONDS = 5 * 60
LONGEST_TOKEN = 8192
DEEPEST_JSON = 8

# Sends a request and returns status and body; raises OSError if the shop can't be reached.
Send = Callable[[str, str, Dict[str, str], Optional[bytes]], Tuple[int, bytes]]


class Check(NamedTuple):
    """What `check_token` says.

    `verdict` is "valid", "grace" or "refused". `reason` is None, or the first that holds of: malformed, algorithm,
    unknown_key, signature, audience, issuer, device, not_yet_valid, clock, ended.
    """

    verdict: str
    reason: Optional[str]


def check_token(
    token: str,
    keys: Sequence[Dict[str, Any]],
    issuer: str,
    hwid: str,
    now: int,
    latest_seen: int,
    fresh: bool = False,
) -> Check:
    """Whether a token, or the text of a `license.lic`, entitles this machine.

    "grace" means that it has expired but its grace period has not. Times are Unix seconds; `latest_seen` is the
    latest ever seen here, which reveals a clock set back. `fresh`: the shop answered with it in this very call, so that
    it is not earlier than `iat`, whatever the clock says.
    """
    read = _read_token(token)
    if read is None:
        return Check("refused", "malformed")
    header, claims = read.header, read.claims
    if header["alg"] != "EdDSA":
        return Check("refused", "algorithm")
    key = _find_key(keys, header.get("kid"))
    if key is None:
        return Check("refused", "unknown_key")
    if not _is_signed(read, key):
        return Check("refused", "signature")
    if claims["aud"] != "application":
        return Check("refused", "audience")
    if claims["iss"] != issuer:
        return Check("refused", "issuer")
    devices = [_digest(claims["sub"] + "\n" + one) for one in (hwid, _digest(hwid))]
    if claims["device"] not in devices:
        return Check("refused", "device")
    if fresh:
        now = max(now, claims["iat"])
    if now < claims["iat"] - LEEWAY_SECONDS:
        return Check("refused", "not_yet_valid")
    if now < latest_seen - LEEWAY_SECONDS:
        return Check("refused", "clock")
    if now >= claims["grace_until"]:
        return Check("refused", "ended")
    return Check("valid" if now < claims["exp"] else "grace", None)


def features_of(token: str, now: int) -> List[str]:
    """The features of a token or a `license.lic` that passed `check_token`, as far as they haven't ended, sorted."""
    read = _read_token(token)
    features = read.claims.get("features", {}) if read else {}
    return sorted(name for name, end in features.items() if now < end)


@dataclass
class Verdict:
    """Whether the application may run.

    `code` is VALID; or a refusal of the shop (NO_LICENSE, EXPIRED, DISPUTED, REVOKED, NOT_ACTIVATED, HWID_MISMATCH,
    UPDATE_REQUIRED), with its sentence in `message`; or UNVERIFIED, which means that there is no verdict of the shop and
    no valid stored token: `why` is a reason of `check_token`, or "no_token". It never means "not licensed".
    """

    code: str
    # False if the shop could not be reached, so the client used the stored token.
    online: bool = False
    # True if the token has expired and only its grace period is left: ask the customer to go online.
    grace: bool = False
    type: Optional[str] = None
    # The id of the level that this computer has.
    level: Optional[str] = None
    # Those that this computer has now, sorted.
    features: Sequence[str] = ()
    # None for a lifetime.
    expires_at: Optional[datetime] = None
    # After this the application must reach the shop.
    offline_until: Optional[datetime] = None
    message: Optional[str] = None
    # With HWID_MISMATCH: when the owner can move to another device.
    available_at: Optional[datetime] = None
    # With UPDATE_REQUIRED.
    minimum_version: Optional[str] = None
    why: Optional[str] = None
    # The shop no longer accepts this computer's sign-in: ask the customer to sign in again.
    sign_in: bool = False
    # Who answered found the question wrong, such as "400 invalid_field hwid"; None if the network was at fault.
    fault: Optional[str] = None


class SignInCode(NamedTuple):
    """What to show while the customer signs in: open `verification_uri_complete`, or show the other two."""

    user_code: str
    verification_uri: str
    verification_uri_complete: str
    expires_at: datetime


class Me(NamedTuple):
    username: str
    offer: Optional[str]
    type: Optional[str]
    expires_at: Optional[datetime]
    devices: Dict[str, int]
    # With its id and name.
    level: Optional[Dict[str, str]]
    features: List[str]


class FileKeeper:
    """Keeps what the client knows between starts in a file that only this user can read. A keychain does as well.

    Several instances of the application may share it. A call that fails raises OSError.
    """

    def __init__(self, path: str) -> None:
        self._path = os.path.abspath(path)

    def read(self) -> Optional[str]:
        try:
            return _retried(self._text)
        except FileNotFoundError:
            return None

    def write(self, text: str) -> None:
        os.makedirs(os.path.dirname(self._path), exist_ok=True)
        # a name of its own, or two instances would write into one file
        own = "{}.{}.{}".format(self._path, os.getpid(), secrets.token_hex(4))
        handle = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with open(handle, "w", encoding="utf-8") as file:
                file.write(text)
            _retried(lambda: os.replace(own, self._path))
        except OSError:
            os.remove(own)
            raise

    def _text(self) -> str:
        with open(self._path, encoding="utf-8", errors="replace") as file:
            return file.read()


def _retried(act: Callable[[], Any]) -> Any:
    """Tries again for a moment: on Windows a file can't be used while another instance replaces it."""
    for _ in range(5):
        try:
            return act()
        except OSError:
            time.sleep(0.01)
    return act()


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        # another server must not get the token
        return None


_opener = urllib.request.build_opener(_NoRedirects())


def send(method: str, url: str, headers: Dict[str, str], body: Optional[bytes]) -> Tuple[int, bytes]:
    """Sends a request with the standard library."""
    request = urllib.request.Request(url, data=body, headers=headers, method=method)
    try:
        with _opener.open(request, timeout=TIMEOUT_SECONDS) as answer:
            return answer.status, answer.read(LARGEST_ANSWER)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read(LARGEST_ANSWER)


class Licence:
    """The licence of this computer at one shop.

    - `shop`: the shop's URL, such as `https://shop.example`.
    - `hwid`: anything that identifies this machine and doesn't change. The shop stores only a keyed hash.
    - `version`: your application's version (semver).
    - `keeper`: an object with `read()` (str or None) and `write(text)`, such as a `FileKeeper`. Both may fail.
    - `keys`: the shop's public keys, built into your application. By default they are fetched once and stored.
    - `token`: the customer's auth token (Account, Details), for applications that don't sign in.
    - `issuers`: the addresses whose tokens count; by default the shop's.
    - `send`, `now` (seconds), `wait` (seconds): for proxies and for tests.
    """

    def __init__(
        self,
        shop: str,
        hwid: str,
        version: str,
        keeper: Any,
        keys: Optional[List[Dict[str, Any]]] = None,
        token: Optional[str] = None,
        issuers: Optional[List[str]] = None,
        send: Send = send,
        now: Callable[[], float] = time.time,
        wait: Callable[[float], Any] = time.sleep,
    ) -> None:
        self._base = urllib.parse.urljoin(shop, "/api/app/v1/")
        self._hwid, self._version, self._keeper = hwid, version, keeper
        self._keys, self._token, self._issuers = keys or None, token, issuers or [_origin(shop)]
        self._send, self._now, self._wait = send, now, wait
        # What could not be stored counts until the application ends: no verdict depends on whether it could.
        self._unstored: Dict[str, Any] = {}
        self._known: Dict[str, Any] = self._kept_in(None)
        # The token of the latest verdict, if it was VALID; the latest time since, and how far the shop's clock is ahead.
        self._current: Optional[Tuple[str, int, int]] = None

    def sign_in(
        self,
        label: str,
        system: str,
        show: Callable[[SignInCode], Any],
        stop: Callable[[], bool] = lambda: False,
    ) -> str:
        """Signs in through the customer's browser (RFC 8628): `show` gets the code to show. `stop` ends it early.

        Returns signed_in, access_denied, expired_token, slow_down (too many computers of this network ask), unsupported
        (this shop has no sign-in for applications: use the customer's auth token), invalid_request (the shop finds the
        question wrong, which waiting doesn't mend), unavailable or stopped.
        """
        machine = {"hwid": self._hwid, **_shown(label, system), "version": self._version}
        status, code = self._call("device/code", machine)
        if status in (404, 429):
            return "unsupported" if status == 404 else "slow_down"
        if status in FAULTS:
            return "invalid_request"
        if status != 200 or not isinstance(code.get("device_code"), str):
            return "unavailable"
        ends = self._seconds() + (_number(code.get("expires_in")) or 900)
        uri = str(code.get("verification_uri"))
        complete = str(code.get("verification_uri_complete", uri))
        show(SignInCode(str(code.get("user_code")), uri, complete, _date(ends)))
        interval = max(1, _number(code.get("interval")) or 5)
        grant = {
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
            "device_code": code["device_code"],
        }
        while True:
            self._wait(interval)
            if stop():
                return "stopped"
            if self._seconds() >= ends:
                return "expired_token"
            status, answer = self._call("device/token", grant)
            if status == 200 and isinstance(answer.get("access_token"), str):
                self._keep(accessToken=answer["access_token"])
                return "signed_in"
            error = answer.get("error")
            if error == "access_denied":
                return "access_denied"
            if error in ("expired_token", "invalid_grant"):
                return "expired_token"
            if error in ("invalid_request", "unsupported_grant_type"):
                return "invalid_request"
            if error == "slow_down":
                interval += 5
            elif error != "authorization_pending":
                # RFC 8628 §3.5: poll less often when the shop does not answer
                interval = min(interval * 2, 60)

    def activate(self, label: str, system: str) -> Verdict:
        """Binds this machine, or confirms that it is bound. Call it when the customer has signed in."""
        machine = {"hwid": self._hwid, **_shown(label, system), "version": self._version}
        return self._ask_shop("activate", machine)

    def check(self) -> Verdict:
        """Asks the shop, and falls back to the stored token. Call it at every start and about once a day."""
        return self._ask_shop("validate", {"hwid": self._hwid, "version": self._version})

    def check_offline(self) -> Verdict:
        """Checks the stored token, without the network."""
        kept = self._recall()
        if kept["token"] is None:
            self._current = None
            return Verdict("UNVERIFIED", why="no_token")
        checked = self._judge(kept["token"], kept, False)
        now = self._seconds() + kept["ahead"]
        if checked.verdict != "refused" and now > kept["latestSeen"]:
            self._keep(latestSeen=now)
        return self._conclude(checked, kept["token"], False, kept["ahead"])

    def deactivate(self) -> bool:
        """Releases this machine."""
        token = self._bearer()
        status, answer = self._call("deactivate", {"hwid": self._hwid}, token) if token else (0, {})
        if status != 200 or answer.get("code") != "NOT_ACTIVATED":
            return False
        self._current = None
        self._keep(token=None)
        return True

    def me(self) -> Optional[Me]:
        """Whose licence this is; None if the shop can't be reached or does not say."""
        data = self._data_of("me")
        if data is None or not isinstance(data.get("username"), str) or not isinstance(data.get("devices"), dict):
            return None
        expires_at = _instant(data.get("expires_at"))
        # an older shop has no levels
        level, features = data.get("level"), data.get("features", [])
        return Me(data["username"], data.get("offer"), data.get("type"), expires_at, data["devices"], level, features)

    def update(self, system: str, channel: str = "latest") -> Optional[Dict[str, Any]]:
        """The newest release for "windows", "mac" or "linux", with absolute URLs.

        Its keys are version, title, content, newer, required and files, each with platform, name, url, size, sha512 and
        signature. None if there is none or the shop can't be reached.
        """
        asked = {"version": self._version, "channel": channel, "hwid_hash": _digest(self._hwid)}
        query = urllib.parse.urlencode(asked)
        found = self._data_of("update/{}?{}".format(system, query))
        if found is None or not isinstance(found.get("files"), list):
            return None
        base = self._base + "update/"
        return {**found, "files": [{**one, "url": urllib.parse.urljoin(base, one["url"])} for one in found["files"]]}

    def offline_request(self, label: str, system: str) -> str:
        """For a computer that never goes online: what its owner takes to the shop's page to get a `license.lic`."""
        asked = {"hwid_hash": _digest(self._hwid), **_shown(label, system)}
        return _to_base64url(json.dumps(asked, ensure_ascii=False, separators=(",", ":")).encode())

    def use_file(self, text: str) -> Verdict:
        """Takes in the text of a `license.lic`; from then on `check` and `check_offline` go by it."""
        return self._take_in(text, False)

    def has(self, feature: str) -> bool:
        """Whether this computer has a feature now, by the latest verdict. Ask after `check`; before it the answer is no."""
        if self._current is None:
            return False
        token, since, ahead = self._current
        now = max(since, self._seconds() + ahead)
        self._current = (token, now, ahead)
        return feature in features_of(token, now)

    def _seconds(self) -> int:
        return int(self._now())

    def _call(
        self, path: str, body: Optional[Dict[str, Any]] = None, bearer: Optional[str] = None
    ) -> Tuple[int, Dict[str, Any]]:
        """Status 0 if the shop can't be reached, so that an outage never counts as "invalid"."""
        headers = {"Accept": "application/json"}
        if bearer:
            headers["Authorization"] = "Bearer " + bearer
        if body is not None:
            headers["Content-Type"] = "application/json"
        data = None if body is None else json.dumps(body).encode()
        try:
            status, text = self._send("POST" if data else "GET", self._base + path, headers, data)
        except (OSError, ValueError, http.client.HTTPException):
            return 0, {}
        try:
            answer = json.loads(text.decode("utf-8"))
        except (ValueError, RecursionError):
            return status, {}
        # a proxy or another server may answer with any JSON
        return status, answer if isinstance(answer, dict) else {}

    def _recall(self) -> Dict[str, Any]:
        try:
            self._known = self._kept_in(self._keeper.read())
        except Exception:
            # what it was before counts
            pass
        return {**self._known, **self._unstored}

    def _keep(self, **changed: Any) -> None:
        changed = self._unstored = {**self._unstored, **changed}
        try:
            # what can't be read now is not written over
            self._known = {**self._kept_in(self._keeper.read()), **changed}
            self._keeper.write(json.dumps(self._known))
        except Exception:
            # tried again with the next change
            return
        if self._unstored is changed:
            self._unstored = {}

    @staticmethod
    def _kept_in(text: Optional[str]) -> Dict[str, Any]:
        try:
            kept = json.loads(text or "")
        except (ValueError, RecursionError):
            kept = None
        kept = kept if isinstance(kept, dict) else {}
        access, token, keys = (kept.get(name) for name in ("accessToken", "token", "keys"))
        seen = kept.get("latestSeen")
        return {
            # None before the first sign-in, and empty when the last has ended
            "accessToken": access if isinstance(access, str) else None,
            "token": token if isinstance(token, str) else None,
            "keys": keys if isinstance(keys, list) else [],
            "latestSeen": seen if type(seen) is int else 0,
            # how many seconds the shop's clock was ahead of this computer's at the last answer
            "ahead": _number(kept.get("ahead")),
        }

    def _bearer(self) -> Optional[str]:
        return self._recall()["accessToken"] or self._token

    def _data_of(self, path: str) -> Optional[Dict[str, Any]]:
        token = self._bearer()
        status, answer = self._call(path, None, token) if token else (0, {})
        data = answer.get("data")
        return data if status == 200 and answer.get("code") == "VALID" and isinstance(data, dict) else None

    def _judge(self, token: str, kept: Dict[str, Any], fresh: bool) -> Check:
        # what the shop says now counts even if the clock once was ahead
        now, seen = (self._seconds(), 0) if fresh else (self._seconds() + kept["ahead"], kept["latestSeen"])
        checked = Check("refused", "issuer")
        for issuer in self._issuers:
            if checked.reason != "issuer":
                break
            known = kept["keys"] if self._keys is None else self._keys
            checked = check_token(token, known, issuer, self._hwid, now, seen, fresh)
        return checked

    def _conclude(self, checked: Check, token: str, online: bool, ahead: int) -> Verdict:
        read = _read_token(token)
        if checked.verdict == "refused" or read is None:
            self._current = None
            return Verdict("UNVERIFIED", why=checked.reason)
        now = self._seconds() + ahead
        self._current = (token, now, ahead)
        kind, expires = read.claims["entitlement"]["type"], read.claims["entitlement"]["expires"]
        level, features = read.claims.get("level", kind), features_of(token, now)
        expires_at, until = None if expires is None else _date(expires), _date(read.claims["grace_until"])
        return Verdict("VALID", online, checked.verdict == "grace", kind, level, features, expires_at, until)

    def _take_in(self, token: str, online: bool) -> Verdict:
        """Stores a token of the shop, or a file, and the keys that verify it, if it is for this machine."""
        kept = self._recall()
        read = _read_token(token)
        kid = read.header.get("kid") if read else None
        if self._keys is None and kid is not None and _find_key(kept["keys"], kid) is None:
            fetched = self._call("keys")[1].get("keys")
            kept["keys"] = fetched if isinstance(fetched, list) else kept["keys"]
        checked = self._judge(token, kept, online)
        iat, ahead = read.claims["iat"] if read else 0, kept["ahead"]
        if checked.verdict != "refused" and online:
            # less what was added to the clock, which may have been put right since
            seen, ahead = max(kept["latestSeen"] - ahead, iat), max(0, iat - self._seconds())
            self._keep(token=token, keys=kept["keys"], latestSeen=seen, ahead=ahead)
        elif checked.verdict != "refused":
            seen = max(kept["latestSeen"], self._seconds() + ahead)
            self._keep(token=token, keys=kept["keys"], latestSeen=seen)
        elif online:
            # a later version of the application knows the key or the address; until then the stored token counts
            stored = self.check_offline()
            if stored.code == "VALID":
                return stored
        else:
            # a file that is refused changes nothing of what stands
            return Verdict("UNVERIFIED", why=checked.reason)
        return self._conclude(checked, token, online, ahead)

    def _ask_shop(self, path: str, body: Dict[str, Any]) -> Verdict:
        token = self._bearer()
        if not token:
            verdict = self.check_offline()
            verdict.sign_in = verdict.code == "UNVERIFIED" or self._recall()["accessToken"] == ""
            return verdict
        status, answer = self._call(path, body, token)
        code, data = answer.get("code"), answer.get("data")
        if code == "VALID" and isinstance(data, dict) and isinstance(data.get("token"), str):
            return self._take_in(data["token"], True)
        if status == 401 and code == "NO_LICENSE":
            # the sign-in has ended, which says nothing about the licence
            self._keep(accessToken="")
            verdict = self.check_offline()
            verdict.sign_in = True
            return verdict
        if code not in REFUSALS:
            verdict = self.check_offline()
            said = [one for one in (answer.get("code"), answer.get("field")) if isinstance(one, str)]
            verdict.fault = " ".join([str(status), *said]) if status in FAULTS else None
            return verdict
        # otherwise a revoked licence would come back offline
        self._current = None
        self._keep(token=None)
        available_at, minimum = _instant(answer.get("available_at")), answer.get("minimum_version")
        return Verdict(code, message=str(data), available_at=available_at, minimum_version=minimum)


class _Token(NamedTuple):
    header: Dict[str, Any]
    claims: Dict[str, Any]
    signed: bytes
    signature: bytes


def _shown(label: str, system: str) -> Dict[str, str]:
    """A machine may be named anything: what the shop shows of it has 1 to 64 characters."""
    return {"label": _cut(label) or "A computer", "os": _cut(system) or "Unknown"}


def _cut(text: str) -> str:
    # half a character is no UTF-8, and the shop counts in UTF-16
    line = text.strip().encode("utf-16-le", "ignore")[:128].decode("utf-16-le", "ignore")
    return line if any(one.isprintable() and one != " " for one in line) else ""


def _read_token(text: str) -> Optional[_Token]:
    """A token's parts; None unless it is exactly what the shop writes: three parts, canonical, with all claims."""
    token = _without_armour(text)
    parts = token.split(".")
    if len(token) > LONGEST_TOKEN or len(parts) != 3:
        return None
    header, claims, signature = _read_part(parts[0]), _read_part(parts[1]), _from_base64url(parts[2])
    if header is None or claims is None or signature is None:
        return None
    if not isinstance(header.get("alg"), str) or "crit" in header:
        return None
    if "kid" in header and not isinstance(header["kid"], str):
        return None
    entitlement = claims.get("entitlement")
    if not isinstance(entitlement, dict) or "expires" not in entitlement:
        return None
    features = claims.get("features", {})
    if not isinstance(features, dict):
        return None
    texts = [claims.get(name) for name in ("iss", "aud", "sub", "device")]
    texts += [entitlement.get("type"), claims.get("level", "")]
    times = [claims.get(name) for name in ("iat", "exp", "grace_until")] + list(features.values())
    if entitlement["expires"] is not None:
        times.append(entitlement["expires"])
    # a bool is an int as well
    if not all(isinstance(one, str) for one in texts) or not all(type(one) is int for one in times):
        return None
    return _Token(header, claims, (parts[0] + "." + parts[1]).encode(), signature)


def _without_armour(text: str) -> str:
    """The token in a `license.lic`: its lines between the first and the last, however they are broken."""
    whole = text[1:] if text.startswith("\ufeff") else text
    lines = [line for line in (one.strip(" \t") for one in re.split("[\r\n]", whole)) if line]
    if not lines or lines[0] != "-----BEGIN LICENSE FILE-----":
        return text
    return "".join(lines[1:-1]) if lines[-1] == "-----END LICENSE FILE-----" else ""


def _read_part(part: str) -> Optional[Dict[str, Any]]:
    try:
        value = _read_json((_from_base64url(part) or b"").decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _read_json(text: str) -> Any:
    """JSON that every language reads alike: no name twice, whole numbers that are exact, not deeply nested."""
    depth = 0
    for letter in re.sub(r'"(?:[^"\\]|\\.)*"', "", text):
        depth += (letter in "{[") - (letter in "}]")
        if depth > DEEPEST_JSON:
            raise ValueError("too deep")
    value = json.loads(
        text, object_pairs_hook=_unique, parse_int=_exact, parse_float=_refuse, parse_constant=_refuse
    )
    # raises on half a character
    json.dumps(value, ensure_ascii=False).encode("utf-8")
    return value


def _unique(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name twice")
    return found


def _exact(text: str) -> int:
    if len(text) > 17 or abs(int(text)) > 2**53 - 1:
        raise ValueError("not exact")
    return int(text)


def _refuse(_: str) -> Any:
    raise ValueError("not a whole number")


def _find_key(keys: Sequence[Dict[str, Any]], kid: Any) -> Optional[bytes]:
    for key in keys:
        if isinstance(kid, str) and isinstance(key, dict) and key.get("kid") == kid:
            x = _from_base64url(key["x"]) if isinstance(key.get("x"), str) else None
            if key.get("kty") == "OKP" and key.get("crv") == "Ed25519" and x is not None and len(x) == 32:
                return x
    return None


def _is_signed(token: _Token, key: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(token.signature, token.signed)
        return True
    except (InvalidSignature, ValueError):
        return False


def _digest(text: str) -> str:
    return _to_base64url(hashlib.sha256(text.encode("utf-8")).digest())


def _to_base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode("ascii").rstrip("=")


def _from_base64url(text: str) -> Optional[bytes]:
    """None unless the text is the one form of its bytes: no padding, no other letters, no stray bits."""
    if not re.fullmatch("[A-Za-z0-9_-]*", text) or len(text) % 4 == 1:
        return None
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return data if _to_base64url(data) == text else None


def _date(seconds: int) -> datetime:
    # to the end of the year 9999, which is all that Python has
    return datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=min(max(seconds, 0), 253402300799))


def _instant(text: Any) -> Optional[datetime]:
    try:
        return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%f%z")
    except (TypeError, ValueError):
        return None


def _number(value: Any) -> int:
    return value if type(value) is int and value > 0 else 0


def _origin(shop: str) -> str:
    parts = urllib.parse.urlsplit(shop)
    default = {"https": 443, "http": 80}.get(parts.scheme)
    host = parts.hostname or ""
    host = "[{}]".format(host) if ":" in host else host
    port = "" if parts.port in (None, default) else ":{}".format(parts.port)
    return "{}://{}{}".format(parts.scheme, host, port)
