"""What an integrator does with howler-client, from the first connection to the last deletion.

Usage: howler_client_journey.py BASE_URL
Prints one line `ok NAME` for each step that held; a step that does not hold ends the run with its traceback and exit status 1.
"""

import sys
import time
import uuid

import requests
from howler_client import get_client
from howler_client.common.utils import ClientError

BASE = sys.argv[1]
RUN = "run" + uuid.uuid4().hex[:12]


def step(function):
    function()
    print(f"ok {function.__name__}", flush=True)


def expect_refusal(status, function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except ClientError as error:
        assert error.status_code == status, (error.status_code, str(error))
        return error
    raise AssertionError(f"expected status {status}")


def app_token(_auth, apikey):
    answer = requests.post(f"{BASE}/api/v1/auth/login/", json={"user": apikey[0], "apikey": apikey[1]}, timeout=30)
    answer.raise_for_status()
    return answer.json()["api_response"]["app_token"]


client = get_client(BASE, apikey=("admin", "devkey:admin"), retries=1)


@step
def connect_with_password():
    assert get_client(BASE, auth=("user", "user"), retries=1).user.whoami()["username"] == "user"


@step
def connect_with_api_key():
    profile = client.user.whoami()
    assert profile["username"] == "admin" and profile["is_admin"] is True, profile


@step
def connect_with_app_token():
    by_token = get_client(BASE, apikey=("admin", "devkey:admin"), authenticate=app_token, retries=1)
    assert by_token.user.whoami()["username"] == "admin"


@step
def wrong_password_is_refused():
    expect_refusal(401, get_client, BASE, auth=("goose", "not the password"), retries=1)


def alert(number, **more):
    return {
        "howler.analytic": "Client Journey",
        "howler.detection": f"Detection {'even' if number % 2 == 0 else 'odd'}",
        "howler.score": number,
        "event.provider": RUN,
        "event.created": f"2026-01-{1 + number % 28:02d}T10:00:00.000000Z",
        "source.ip": f"10.0.0.{number % 250}",
        "file.size": number * 10,
        **more,
    }


@step
def create():
    result = client.hit.create([alert(n, **{"howler.data": [{"n": n, "run": RUN}]}) for n in range(230)], refresh=True)
    assert len(result["valid"]) == 230 and result["invalid"] == [], result["invalid"]


@step
def the_same_alert_is_not_sent_twice():
    assert client.hit.create(alert(1, **{"howler.data": [{"n": 1, "run": RUN}]}), refresh=True) is None


@step
def a_bad_alert_is_refused_with_its_reason():
    error = expect_refusal(400, client.hit.create, {**alert(1), "event.created": "not a date"})
    assert "event.created" in str(error), str(error)


@step
def search():
    page = client.search.hit(f"event.provider:{RUN} AND howler.score:[10 TO 19]", rows=5, sort="howler.score desc")
    assert page["total"] == 10 and [item["howler"]["score"] for item in page["items"]] == [19, 18, 17, 16, 15], page
    assert client.search.hit("*:*", filters=[f"event.provider:{RUN}"], rows=0)["total"] == 230


@step
def facet():
    values = client.search.facet.hit("howler.detection", query=f"event.provider:{RUN}")
    assert values == {"detection even": 115, "detection odd": 115}, values


@step
def histogram():
    sizes = client.search.histogram.hit("file.size", query=f"event.provider:{RUN}", start=0, end=2300, gap=100, mincount=1)
    assert sum(sizes.values()) == 230, sizes
    days = client.search.histogram.hit(
        "event.created", query=f"event.provider:{RUN}", start="2026-01-01", end="2026-02-01", gap="+1d", mincount=0
    )
    assert sum(days.values()) == 230, days


@step
def stats():
    numbers = client.search.stats.hit("file.size", query=f"event.provider:{RUN}")
    assert set(numbers) == {"avg", "count", "max", "min", "sum"}, numbers
    assert numbers["count"] == 230 and numbers["max"] == 2290 and numbers["min"] == 0, numbers


@step
def grouped():
    groups = client.search.grouped.hit("howler.detection", query=f"event.provider:{RUN}", limit=2, sort="howler.detection asc")
    assert groups["total"] == 230 and len(groups["items"]) == 2, groups


@step
def fields():
    info = client.search.fields.hit()["howler.analytic"]
    assert info["type"] == "keyword" and info["indexed"] is True, info


@step
def stream():
    ids = [item["id"][0] for item in client.search.stream.hit(f"event.provider:{RUN}", fl="id")]
    assert len(ids) == 230 and len(set(ids)) == 230, len(ids)


HIT = client.search.hit(f"event.provider:{RUN} AND howler.score:42", rows=1)["items"][0]["howler"]["id"]


@step
def comment():
    hit = client.hit.comment.add(HIT, "looked at it")
    comment_id = hit["howler"]["comment"][0]["id"]
    edited = client.hit.comment.edit(HIT, "looked at it twice", comment_id)
    assert edited["howler"]["comment"][0]["value"] == "looked at it twice"
    assert client.hit.comment.delete(HIT, [comment_id])["howler"]["comment"] == []


@step
def update():
    hit = client.hit.update(HIT, [("SET", "howler.escalation", "alert"), ("INC", "howler.score", 8)], refresh=True)
    assert hit["howler"]["score"] == 50 and hit["howler"]["escalation"] == "alert", hit["howler"]
    client.hit.update_by_query(f"event.provider:{RUN}", [("SET", "howler.rationale", RUN)], refresh=True)
    assert client.search.hit(f"howler.rationale:{RUN}", rows=0)["total"] == 230
    over = client.hit.overwrite(HIT, {"source": {"port": 4444}}, refresh=True)
    assert over["source"]["port"] == 4444 and over["source"]["ip"] == "10.0.0.42", over["source"]


@step
def transition():
    def move(name, **data):
        return client._connection.post(f"api/v1/hit/{HIT}/transition", json={"transition": name, "data": data})

    assert move("assign_to_me")["howler"]["status"] == "in-progress"
    done = move("assess", assessment="legitimate")
    assert done["howler"]["status"] == "resolved" and done["howler"]["escalation"] == "miss", done["howler"]
    expect_refusal(400, move, "start")
    assert move("re_evaluate")["howler"]["status"] == "in-progress"


@step
def account():
    name = "j" + RUN
    client.user.add(name, {"name": "Journey User", "email": f"{name}@example.com", "new_pass": "a long enough password"})
    deadline = time.monotonic() + 10
    while client.user.list(query=f"id:{name}")["total"] != 1:
        assert time.monotonic() < deadline, "the account never became searchable"
        time.sleep(0.1)
    client.user.delete(name)


@step
def classification():
    definition = client.help.classification_definition()
    assert "RESTRICTED" in definition and "UNRESTRICTED" in definition, definition.keys()


@step
def delete():
    ids = [item["id"][0] for item in client.search.stream.hit(f"event.provider:{RUN}", fl="id")]
    client._connection.delete("api/v1/hit?refresh=true", json=ids)
    assert client.search.hit(f"event.provider:{RUN}", rows=0)["total"] == 0
    expect_refusal(404, client.hit, HIT)
