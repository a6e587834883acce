"""Every way in which the public clients sign in, each followed by the question who one is.

Usage: sign_in_journey.py; the addresses and tokens come as JSON on standard input.
Prints one line `ok NAME` for each step that held; a step that does not hold ends the run with its traceback and exit status 1.
"""

import json
import sys

import assemblyline_client
import howler_client
import requests
from assemblyline_client.v4_client.common.utils import ClientError as AnalysisError
from howler_client.common.utils import ClientError as AlertError

GIVEN = json.load(sys.stdin)
ALERTS = GIVEN["alerts"]
ANALYSIS = GIVEN["analysis"]
ENRICHMENT = GIVEN["enrichment"]
PERSON = GIVEN["person"]


def step(function):
    function()
    print(f"ok {function.__name__}", flush=True)


def refused(kind, statuses, function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except kind as error:
        assert error.status_code in statuses, (error.status_code, str(error))
        return
    raise AssertionError(f"expected one of the statuses {statuses}")


def alert_user(**credential):
    return howler_client.get_client(ALERTS, retries=1, **credential).user.whoami()["username"]


def analysis_client(**credential):
    return assemblyline_client.get_client(ANALYSIS, retries=1, **credential)


@step
def alerts_by_key():
    assert alert_user(apikey=("admin", "devkey:admin")) == "admin"


@step
def alerts_by_password():
    assert alert_user(auth=("user", "user")) == "user"


@step
def alerts_by_access_token():
    assert alert_user(authenticate=lambda _auth, _key: GIVEN["alerts_token"]) == PERSON


@step
def alerts_by_app_token():
    def app_token(_auth, apikey):
        answer = requests.post(f"{ALERTS}/api/v1/auth/login/", json={"user": apikey[0], "apikey": apikey[1]}, timeout=30)
        answer.raise_for_status()
        return answer.json()["api_response"]["app_token"]

    assert alert_user(apikey=("admin", "devkey:admin"), authenticate=app_token) == "admin"


@step
def alerts_refuse_others():
    refused(AlertError, (401, 403), alert_user, apikey=("admin", "devkey:wrong"))
    refused(AlertError, (401,), alert_user, authenticate=lambda _auth, _key: GIVEN["analysis_token"])


@step
def analysis_by_key():
    client = analysis_client(apikey=("admin", "devkey:admin"))
    me = client.user.whoami()
    assert me["username"] == "admin" and me["is_admin"], me


@step
def analysis_by_password_over_session_and_xsrf():
    client = analysis_client(auth=("user", "user"))
    session = client._connection.session
    assert session.cookies.get("session") and session.headers.get("X-XSRF-TOKEN"), session.cookies
    assert client.user.whoami()["username"] == "user"
    # Without the token the same session is refused, also for reading.
    session.headers.pop("X-XSRF-TOKEN")
    answer = session.get(f"{ANALYSIS}/api/v4/user/whoami/", timeout=30)
    assert answer.status_code == 403 and "XSRF" in answer.json()["api_error_message"], answer.text


@step
def analysis_by_access_token():
    assert analysis_client(oauth=GIVEN["analysis_token"]).user.whoami()["username"] == PERSON


@step
def analysis_by_on_behalf_of_token():
    client = analysis_client(oauth=GIVEN["on_behalf_of_token"])
    assert client.user.whoami()["username"] == PERSON


@step
def analysis_by_on_behalf_of_token_on_each_request():
    answer = requests.get(
        f"{ANALYSIS}/api/v4/user/whoami/",
        headers={"Authorization": f"Bearer {GIVEN['on_behalf_of_token']}", "Accept": "application/json"},
        timeout=30,
    )
    assert answer.status_code == 200, answer.text
    assert answer.json()["api_response"]["username"] == PERSON


@step
def analysis_in_the_name_of_a_user_beside_a_session_of_a_client():
    def in_the_name_of_a_user(**credential):
        client = analysis_client(**credential)
        # As `set_obo_token` of the clients 4.9 has it.
        client._connection.session.headers.update(
            {"authorization": f"Bearer {GIVEN['on_behalf_of_token']}", "x-token-provider": "local"}
        )
        return client.user.whoami()["username"]

    assert in_the_name_of_a_user(apikey=("admin", "devkey:admin")) == PERSON
    assert in_the_name_of_a_user(auth=("admin", "admin")) == PERSON
    refused(AnalysisError, (403,), in_the_name_of_a_user, apikey=("user", "devkey:user"))


@step
def analysis_refuses_others():
    refused(AnalysisError, (401,), analysis_client, apikey=("admin", "devkey:wrong"))
    refused(AnalysisError, (401,), analysis_client, oauth=GIVEN["alerts_token"])
    refused(AnalysisError, (401,), analysis_client)


@step
def enrichment_by_access_token():
    answer = requests.get(
        f"{ENRICHMENT}/api/v1/", headers={"Authorization": f"Bearer {GIVEN['enrichment_token']}"}, timeout=30
    )
    assert answer.status_code == 200, answer.text
    other = requests.get(
        f"{ENRICHMENT}/api/v1/", headers={"Authorization": f"Bearer {GIVEN['alerts_token']}"}, timeout=30
    )
    assert other.status_code == 401, other.text
