"""Stands in for the package `standardwebhooks` of PyPI where it is not installed, so that the receiver can run.

The two names that the receiver uses, written anew from the specification: symmetric signatures `v1`, five minutes of
tolerance (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
"""

import base64
import hashlib
import hmac
import json
import time

TOLERANCE_SECONDS = 5 * 60


class WebhookVerificationError(Exception):
    pass


class Webhook:
    def __init__(self, secret):
        self.key = base64.b64decode(secret.removeprefix("whsec_"))

    def verify(self, data, headers):
        """The parsed body; raises WebhookVerificationError, or ValueError for what can't be decoded."""
        text = data.decode() if isinstance(data, bytes) else data
        given = {name.lower(): value for name, value in headers.items()}
        names = ("webhook-id", "webhook-timestamp", "webhook-signature")
        event_id, timestamp, signatures = (given.get(name) for name in names)
        if not (event_id and timestamp and signatures):
            raise WebhookVerificationError("a header is missing")
        if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
            raise WebhookVerificationError("the timestamp is no time near now")
        signed = hmac.new(self.key, f"{event_id}.{timestamp}.{text}".encode(), hashlib.sha256).digest()
        for version, signature in (one.split(",") for one in signatures.split(" ")):
            if version == "v1" and hmac.compare_digest(signed, base64.b64decode(signature)):
                return json.loads(text)
        raise WebhookVerificationError("no signature is of this secret")
