"""A stand-in of an OpenID Connect provider: a real HTTP server on the loopback, which signs its id tokens.

    with a_provider() as club:
        club.person = {"sub": "17", "email": "somebody@example.com"}
        …  # `club.url` is its address; `visited` signs in there as that person

Faults are switched on by attributes, so that a test can have one wrong part and everything else right.
"""

import base64
import hashlib
import json
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key

from tests.common.server import Handler, serving

CLIENT_ID, SECRET = "arbitre", "secret-of-the-client"


def a_key() -> RSAPrivateKey:
    return generate_private_key(public_exponent=65537, key_size=2048)


KEY = a_key()


@dataclass
class Provider:
    """What the server answers, and what it was asked."""

    url: str = ""
    person: dict[str, Any] = field(default_factory=dict)
    claims: dict[str, Any] = field(default_factory=dict)  # replace those of the id token
    profile: dict[str, Any] = field(default_factory=dict)  # replaces what the userinfo endpoint says
    signed_with: RSAPrivateKey = KEY
    without_token: bool = False
    out_of_order: bool = False
    asked: list[str] = field(default_factory=list)
    codes: dict[str, str] = field(default_factory=dict)  # the PKCE challenge of each code

    def visited(self, address: str, **error: str) -> str:
        """Open the address to which the site leads, sign in there, and return the path back to the site."""
        answer = httpx.get(address if not error else f"{address}&{urlencode(error)}")
        assert answer.status_code == 302, answer.text
        back = urlsplit(answer.headers["Location"])
        return f"{back.path}?{back.query}"

    def id_token(self) -> str:
        claims = {"iss": self.url, "aud": CLIENT_ID, "iat": int(time.time()), "exp": int(time.time()) + 60}
        return jwt.encode(claims | self.person | self.claims, self.signed_with, "RS256", headers={"kid": "1"})

    def answer(self, path: str, sent: dict[str, str]) -> Any:
        """Answer one of its endpoints."""
        if path == "/.well-known/openid-configuration":
            endpoints = {"authorization_endpoint": "/authorize", "token_endpoint": "/token", "jwks_uri": "/keys"}
            endpoints["userinfo_endpoint"] = "/userinfo"
            return {"issuer": self.url, **{name: self.url + path for name, path in endpoints.items()}}
        if path == "/keys":
            return {"keys": [json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key())) | {"kid": "1"}]}
        if path == "/userinfo":
            return self.person | self.profile
        assert path == "/token"
        digest = hashlib.sha256(sent["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if self.codes.pop(sent["code"], "") != challenge or sent.get("client_secret") != SECRET:
            return {"error": "invalid_grant"}
        token = {"access_token": secrets.token_hex(8), "token_type": "Bearer"}
        return token if self.without_token else token | {"id_token": self.id_token()}


def _handler(provider: Provider) -> type[Handler]:
    class Answering(Handler):
        def do_GET(self) -> None:
            asked = urlsplit(self.path)
            provider.asked.append(asked.path)
            sent = {name: values[0] for name, values in parse_qs(asked.query).items()}
            if asked.path == "/authorize":
                self._lead_back(sent)
            else:
                self._tell(provider.answer(asked.path, sent))

        def do_POST(self) -> None:
            provider.asked.append(self.path)
            sent = parse_qs(self.body().decode())
            self._tell(provider.answer(self.path, {name: values[0] for name, values in sent.items()}))

        def _lead_back(self, sent: dict[str, str]) -> None:
            code = secrets.token_hex(8)
            provider.codes[code] = sent["code_challenge"]
            told = {"error": sent["error"]} if "error" in sent else {"code": code}
            self.send(302, Location=sent["redirect_uri"] + "?" + urlencode(told | {"state": sent["state"]}))

        def _tell(self, told: Any) -> None:
            self.send_json(500 if provider.out_of_order else 400 if "error" in told else 200, told)

    return Answering


@contextmanager
def a_provider() -> Iterator[Provider]:
    """Run a provider until the end of the block."""
    provider = Provider()
    with serving(_handler(provider)) as port:
        provider.url = f"http://127.0.0.1:{port}"
        yield provider
