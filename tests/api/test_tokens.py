"""API tokens: managed only from a session, their secrets shown once."""

from datetime import timedelta

from rest_framework.test import APIClient

from tests.api.contract import assert_as_described
from tests.api.scenes import token_client
from tests.cast import Cast
from tournaments.accounts.models import ApiToken
from tournaments.accounts.services import create_token
from tournaments.common import clock
from tournaments.common.models import IdempotencyKey

BODY = {"name": "phone", "scopes": ["read", "play"]}


def signed_in(cast: Cast) -> APIClient:
    client = APIClient()
    client.force_login(cast.player)
    return client


def test_a_token_can_be_created_used_and_revoked(cast: Cast) -> None:
    session = signed_in(cast)
    made = session.post("/api/v1/tokens/", BODY, format="json")
    assert made.status_code == 201
    assert_as_described("tokens", "post", made, BODY)
    assert_as_described("tokens", "get", session.get("/api/v1/tokens/"), None)
    secret = made.json()["secret"]
    assert secret.startswith("arb_") and secret not in session.get("/api/v1/tokens/").content.decode()
    bearer = APIClient(HTTP_AUTHORIZATION=f"Bearer {secret}")
    assert bearer.get("/api/v1/me/").json()["account"]["scopes"] == ["play", "read"]
    address = f"/api/v1/tokens/{made.json()['id']}/"
    assert [session.delete(address).status_code, session.delete(address).status_code] == [204, 204]
    assert bearer.get("/api/v1/me/").status_code == 401


def test_a_token_cannot_manage_tokens(cast: Cast) -> None:
    bearer = token_client(cast.player, "read", "play", "judge", "organize")
    own = ApiToken.objects.get(user=cast.player)
    for answer in (
        bearer.get("/api/v1/tokens/"),
        bearer.post("/api/v1/tokens/", BODY, format="json"),
        bearer.delete(f"/api/v1/tokens/{own.pk}/"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "session_only")


def test_visitors_get_a_401_and_tokens_of_others_a_404(cast: Cast, visitor: APIClient) -> None:
    theirs, _secret = create_token(user=cast.opponent, name="x", scopes=["read"], now=clock.now())
    assert signed_in(cast).delete(f"/api/v1/tokens/{theirs.pk}/").status_code == 404
    for answer in (
        visitor.get("/api/v1/tokens/"),
        visitor.post("/api/v1/tokens/", BODY, format="json"),
        visitor.delete(f"/api/v1/tokens/{theirs.pk}/"),
    ):
        assert answer.status_code == 401


def test_an_expired_token_gets_a_401(cast: Cast, visitor: APIClient) -> None:
    past = clock.now() - timedelta(days=2)
    _token, secret = create_token(user=cast.player, name="x", scopes=["read"], now=past, days=1)
    visitor.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    assert visitor.get("/api/v1/me/").status_code == 401


def test_no_secret_is_stored_with_an_idempotency_key(cast: Cast) -> None:
    session = signed_in(cast)
    first, second = (
        session.post("/api/v1/tokens/", BODY, format="json", HTTP_IDEMPOTENCY_KEY="k") for _time in range(2)
    )
    assert first.json()["secret"] and second.json() == {**first.json(), "secret": None}
    assert ApiToken.objects.count() == 1
    assert "arb_" not in IdempotencyKey.objects.get().body["name"]
    assert IdempotencyKey.objects.get().body["secret"] is None
