"""Calls every public method of assemblyline_client and asserts what it answers.

Usage: assemblyline_client_journey.py; the address of the analysis service comes as JSON on standard input. It has the demo users
and its built-in analyzers. Prints one line `ok NAME` for each step that held; a step that does not hold ends the run with its
traceback and exit status 1. The last step names the public methods that no step called, and fails when there are any.
"""

import importlib
import inspect
import io
import json
import os
import pkgutil
import subprocess
import sys
import tempfile
import threading
import time
import uuid
import zipfile

import assemblyline_client
import assemblyline_client.v4_client.module as modules
from assemblyline_client.v4_client.common.utils import SEARCHABLE, ClientError

GIVEN = json.load(sys.stdin)
SERVER = GIVEN["analysis"]
RUN = uuid.uuid4().hex[:10]
CALLED = set()
PUBLIC = set()


def remember(kind, name):
    """Makes a method tell that it was called."""
    original = getattr(kind, name)
    method = f"{kind.__name__}.{name}"
    PUBLIC.add(method)

    def told(*args, **kwargs):
        CALLED.add(method)
        return original(*args, **kwargs)

    # The client makes the path of a request from the name of the function that calls it.
    setattr(kind, name, told)


def remember_all():
    for found in pkgutil.walk_packages(modules.__path__, modules.__name__ + "."):
        module = importlib.import_module(found.name)
        for _, kind in inspect.getmembers(module, inspect.isclass):
            if kind.__module__ != found.name:
                continue
            for name, _ in inspect.getmembers(kind, inspect.isfunction):
                if name == "__call__" or not name.startswith("_"):
                    remember(kind, name)


remember_all()
ADMIN = assemblyline_client.get_client(SERVER, auth=("admin", "admin"), retries=1)
USER = assemblyline_client.get_client(SERVER, apikey=("user", "devkey:user"), retries=1)
STATE = {}
# What everybody may see.
C12N = ADMIN.help.classification_definition()["UNRESTRICTED"]


def step(function):
    function()
    print(f"ok {function.__name__}", flush=True)


def refused(status, function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except ClientError as error:
        assert error.status_code == status, (error.status_code, str(error))
        return error
    raise AssertionError(f"expected the status {status}")


def wait_for(what, look, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(f"{what} did not come within {seconds} s")


def finished(client, sid):
    wait_for(f"the end of {sid}", lambda: client.submission.is_completed(sid))
    return client.submission(sid)


def archive():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as members:
        members.writestr("first.txt", f"the first member {RUN}\n" * 20)
        members.writestr("second.json", json.dumps({"run": RUN}))
    return content.getvalue()


def listening(listen):
    """Runs a listener of live events for 6 s, and returns what joins it."""
    thread = threading.Thread(target=listen)
    thread.start()
    time.sleep(1.5)
    return thread.join


@step
def help_is_given():
    assert ADMIN.help.configuration()["submission.max_extraction_depth"] == 6
    assert "archive/zip" in [name for name, _ in ADMIN.help.constants()["file_types"]]
    assert ADMIN.help.tos() is None
    assert ADMIN.help.classification_definition()["UNRESTRICTED"]
    assert "levels" in ADMIN.help.classification_definition(original=True)
    engine = ADMIN.get_classification_engine()
    assert engine.is_valid(engine.UNRESTRICTED)
    assert engine.is_accessible(engine.RESTRICTED, engine.UNRESTRICTED)


@step
def a_zip_is_submitted_and_read():
    given = {"metadata": {"journey": RUN}, "params": {"description": f"journey {RUN}", "ttl": 7}}
    STATE["archive"] = archive()
    submission = USER.submit(content=STATE["archive"], fname="members.zip", **given)
    sid = STATE["sid"] = submission["sid"]
    assert submission["state"] == "submitted" and submission["files"][0]["name"] == "members.zip"
    assert submission["metadata"] == {"journey": RUN}
    done = finished(USER, sid)
    assert done["state"] == "completed" and done["file_count"] == 3 and done["error_count"] == 0, done
    STATE["sha256"] = sha256 = submission["files"][0]["sha256"]
    full = USER.submission.full(sid)
    assert len(full["file_infos"]) == 3 and len(full["results"]) == len(done["results"])
    tree = USER.submission.tree(sid)["tree"]
    assert {child["name"][0] for child in tree[sha256]["children"].values()} == {"first.txt", "second.json"}
    assert "heuristics" in USER.submission.summary(sid)
    report = USER.submission.report(sid)
    assert report["sid"] == sid and report["file_info"]["type"] == "archive/zip"
    assert USER.submission.file(sid, sha256)["file_info"]["sha256"] == sha256
    assert USER.submission.file(sid, sha256, results=[], errors=["x"])["results"]
    for listed in (USER.submission.list(), USER.submission.list(user="user"), USER.submission.list(group="USERS")):
        assert listed["total"] >= 0
    assert USER.submission.list(user="user", fq=f"metadata.journey:{RUN}")["total"] == 1
    assert USER.submission.set_verdict(sid, "malicious") == {"success": True}
    assert USER.submission(sid)["verdict"]["malicious"] == ["user"]
    key = STATE["key"] = next(one for one in done["results"] if not one.endswith(".e"))
    result = USER.result(key)
    assert result["response"]["service_name"] == key.split(".")[1]
    assert set(USER.result.multiple(result=[key], error=[])["result"]) == {key}
    refused(404, USER.result.error, f"{sha256}.Nothing.v1.c0.e1")
    refused(404, USER.error, f"{sha256}.Nothing.v1.c0.e1")
    assert ADMIN.error.list()["total"] >= 0


@step
def files_are_looked_at():
    sha256, file = STATE["sha256"], USER.file
    assert file.info(sha256)["sha256"] == sha256
    assert file.ascii(sha256)["content"].startswith("PK")
    assert file.hex(sha256)["content"].startswith("00000000:")
    assert file.hex(sha256, bytes_only=True, length=8)["content"].startswith("50 4b")
    assert "first.txt" in file.strings(sha256)["content"]
    assert len(file.children(sha256)) == 2
    assert file.score(sha256)["score"] == 0
    assert len(file.result(sha256)["results"]) > 0
    assert file.result(sha256, service=STATE["key"].split(".")[1])["results"]
    assert file.download(sha256).startswith(b"CART")
    assert file.download(sha256, encoding="raw") == STATE["archive"]
    assert file.download(sha256, encoding="zip", password="secret").startswith(b"PK")
    kept = io.BytesIO()
    assert file.download(sha256, output=kept) and kept.getvalue().startswith(b"CART")
    refused(400, file.ai_summary, sha256)
    refused(400, file.code_summary, sha256)
    assert ADMIN.hash_search.list_data_sources() == ["al", "alert"]
    found = ADMIN.hash_search(sha256, db=["al"], max_timeout=2)
    assert found["al"]["items"][0]["data"]["sha256"] == sha256


@step
def other_forms_are_submitted():
    sha256 = STATE["sha256"]
    for submission in (
        USER.submit(sha256=sha256, fname="again.zip"),
        USER.submit(fh=io.BytesIO(f"handle {RUN}".encode()), fname="handle.txt"),
        USER.submit(url=f"https://{RUN}.example/path"),
        USER.submit.dynamic(sha256, copy_sid=STATE["sid"], name="dynamic.zip"),
        USER.submit.resubmit(STATE["sid"]),
    ):
        assert submission["state"] == "submitted"
        finished(USER, submission["sid"])
    with tempfile.NamedTemporaryFile(suffix=".txt") as file:
        file.write(f"path {RUN}".encode())
        file.flush()
        named = USER.submit(path=file.name, submission_profile="static")
        assert named["files"][0]["name"] == os.path.basename(file.name)
        finished(USER, named["sid"])
    refused(404, USER.submit, fetch_input=("sha256", "0" * 64))
    refused(400, USER.submit, content=b"x", fname="x", params={"priority": 2000})


@step
def submissions_are_watched():
    submission = USER.submit(content=f"watched {RUN}".encode(), fname="watched.txt")
    try:
        queue = USER.live.setup_watch_queue(submission["sid"])["wq_id"]
        assert USER.live.get_message(queue)["type"] in ("start", "cachekey", "stop", "timeout")
        assert isinstance(USER.live.get_message_list(queue), list)
    except ClientError as error:
        assert error.status_code == 404, error
    assert isinstance(USER.live.outstanding_services(submission["sid"]), dict)
    finished(USER, submission["sid"])
    refused(404, USER.live.setup_watch_queue, submission["sid"])
    unknown = "D-00000000-0000-0000-0000-000000000000-WQ"
    assert USER.live.get_message_list(unknown) == []


@step
def files_are_ingested_and_become_alerts():
    actions = "/".join(["api", "v4", "system", "actions", ""])
    before = ADMIN._connection.get(actions)
    always = "default_alerts: {enabled: true, filter: 'max_score: >=0', raise_alert: true, run_on_cache: true, run_on_completed: true}\n"
    ADMIN._connection.put(actions, data=json.dumps(always))
    try:
        queue = f"journey{RUN}"
        content = f"tell me {RUN}".encode()
        given = {"nq": queue, "metadata": {"journey": RUN}, "params": {"generate_alert": True}}
        ingested = USER.ingest(content=content, fname="told.txt", alert=True, **given)
        message = wait_for("the notification", lambda: USER.ingest.get_message(queue))
        assert message["ingest_id"] == ingested["ingest_id"]
        assert USER.ingest.get_message_list(queue, page_size=5) == []
        query = f"metadata.journey:{RUN}"
        listed = wait_for("the alert", lambda: ADMIN.alert.list(q=query, no_delay=True)["items"])
        STATE["alert"] = listed[0]["alert_id"]
    finally:
        ADMIN._connection.put(actions, data=json.dumps(before))


@step
def alerts_are_worked_on():
    alert, identifier = ADMIN.alert, STATE["alert"]
    here = {"q": f"alert_id:{identifier}", "no_delay": True}
    assert alert(identifier)["alert_id"] == identifier
    assert alert.grouped("file.sha256", **here)["items"][0]["group_count"] == 1
    assert alert.label(identifier, "journey", RUN) == {"success": True}
    assert RUN.upper() in alert.labels(**here)
    assert alert.remove_label(identifier, RUN) == {"success": True}
    assert alert.priority(identifier, "HIGH") == {"success": True}
    assert alert.priorities(**here) == {"HIGH": 1}
    assert alert.status(identifier, "ASSESS") == {"success": True}
    assert alert.statuses(**here) == {"ASSESS": 1}
    assert alert.ownership(identifier) == {"success": True}
    refused(403, alert.ownership, identifier)
    assert alert.related(**here) == [identifier]
    assert alert.statistics(**here)["file.name"] == {"told.txt": 1}
    assert alert.verdict(identifier, "malicious") == {"success": True}
    query = f"alert_id:{identifier}"
    assert alert.batch.label(query, ["TWO", "THREE"])["success"] == 1
    assert alert.batch.remove_label(query, ["TWO"])["success"] == 1
    assert alert.batch.priority(query, "LOW")["success"] == 1
    assert alert.batch.status(query, "MALICIOUS")["success"] == 1
    assert alert.batch.ownership(query)["success"] in (0, 1)
    done = alert(identifier)
    assert (done["priority"], done["status"], done["owner"]) == ("LOW", "MALICIOUS", "admin")
    assert set(done["label"]) == {"JOURNEY", "THREE"}


@step
def lists_are_kept():
    sha256 = uuid.uuid4().hex * 2
    for kind in ("badlist", "safelist"):
        entries = getattr(ADMIN, kind)
        source = {"name": "admin", "type": "user", "reason": ["journey"], "classification": C12N}
        entry = {"type": "file", "hashes": {"sha256": sha256}, "file": {"name": ["a"], "size": 1, "type": "text/plain"}}
        entry |= {"sources": [source], "enabled": True}
        assert entries.add_update(entry)["hash"] == sha256
        other = {**entry, "hashes": {"sha256": uuid.uuid4().hex * 2}}
        assert entries.add_update_many([entry, other])["success"] == 2
        assert entries(sha256)["sources"][0]["reason"] == ["journey"]
        assert entries.set_enabled(sha256, False) == {"success": True}
        assert entries(sha256)["enabled"] is False
        assert entries.delete(sha256) == {"success": True}
        refused(404, entries, sha256)
    assert ADMIN.badlist.ssdeep("3:abc:def") == []
    assert ADMIN.badlist.tlsh("T1" + "A" * 70) == []


MANIFEST = f"""
name: Journey{RUN}
version: 4.7.0.1
description: made by a test
accepts: nothing/at/all
stage: CORE
category: Static Analysis
timeout: 20
enabled: true
heuristics:
  - {{heur_id: 1, name: Something, description: Something was seen., filetype: "*", score: 100}}
docker_config: {{image: "none/journey:4.7.0.1", cpu_cores: 0.5, ram_mb: 128}}
update_config:
  generates_signatures: true
  update_interval_seconds: 86400
  sources: [{{name: first, uri: "https://rules.example/first"}}]
"""


@step
def services_are_administered():
    name, service = f"Journey{RUN}", ADMIN.service
    assert service.add(MANIFEST)["service_name"] == name
    assert name in [one["name"] for one in service.list()]
    document = service(name)
    assert document["timeout"] == 20 and service(name, version="4.7.0.1")["version"] == "4.7.0.1"
    assert service.set(name, {**document, "timeout": 30})["success"] is True
    assert service(name)["timeout"] == 30
    assert service.versions(name) == ["4.7.0.1"]
    assert "CORE" in service.constants()["stages"]
    assert service.stats(name)["service"]["name"] == name
    assert isinstance(service.updates(), dict)
    assert service.update(name, f"none/{name}", "4.7.0.1")["status"] == "updated"
    saved = service.backup()
    assert name in saved.decode()
    assert service.backup(full=True, output=io.BytesIO()) is True
    assert service.restore(saved)["success"] is True
    assert ADMIN.heuristics(f"{name.upper()}.1")["name"] == "Something"
    assert f"{name.upper()}.1" in [one["heur_id"] for one in ADMIN.heuristics.stats()]


@step
def signatures_are_kept():
    name, signature = f"Journey{RUN}", ADMIN.signature
    rule = {"name": RUN, "type": "yara", "source": "first", "data": "rule a { condition: true }", "signature_id": RUN}
    rule |= {"status": "DEPLOYED", "revision": "1", "order": 1, "classification": C12N}
    identifier = signature.add_update(rule)["id"]
    assert identifier == f"yara_first_{RUN}"
    many = [{**rule, "name": f"{RUN}b", "signature_id": f"{RUN}b"}]
    assert signature.add_update_many("first", "yara", many)["success"] == 1
    assert signature(identifier)["status"] == "DEPLOYED"
    assert signature.change_status(identifier, "DISABLED") == {"success": True}
    assert signature.clear_status(identifier) == {"success": True}
    assert signature.download(query=f"name:{RUN}*").startswith(b"PK")
    assert identifier in [one["id"] for one in signature.stats()]
    assert signature.update_available(since="2020-01-01T00:00:00", sig_type="yara") == {"update_available": True}
    source = {"name": "second", "uri": "https://rules.example/second", "default_classification": C12N}
    assert signature.sources.add(name, source)["success"] is True
    assert signature.sources.update(name, "second", {**source, "uri": "https://rules.example/third"})["success"] is True
    kept = {one["name"]: one["uri"] for one in signature.sources()[name]["sources"]}
    assert kept["second"] == "https://rules.example/third"
    assert signature.sources.delete(name, "second")["success"] is True
    assert signature.delete(identifier) == {"success": True}
    refused(404, signature, identifier)
    ADMIN.service.delete(name)
    refused(404, ADMIN.service, name)


@step
def workflows_are_kept_and_run():
    workflow = ADMIN.workflow
    given = {"name": RUN, "query": f"alert_id:{STATE['alert']}", "labels": ["FLOWN"], "classification": C12N}
    given |= {"priority": None, "status": None}
    identifier = workflow.add(given)["workflow_id"]
    assert workflow(identifier)["creator"] == "admin"
    assert workflow.update(identifier, {**workflow(identifier), "labels": ["FLOWN", "TWICE"]})["success"] is True
    assert "TWICE" in workflow.labels()
    assert workflow.list(query=f"name:{RUN}")["total"] == 1
    assert workflow.run(identifier)["success"] is True
    wait_for("the labels", lambda: "FLOWN" in ADMIN.alert(STATE["alert"])["label"])
    assert workflow.delete(identifier) == {"success": True}
    refused(404, workflow, identifier)


@step
def the_system_is_administered():
    system = ADMIN.system
    message = {"title": "Journey", "severity": "info", "message": RUN}
    assert system.set_system_message(message) == {"success": True}
    assert system.get_system_message() == {**message, "user": "admin"}
    assert system.clear_system_message() == {"success": True}
    safelist = system.get_tag_safelist()
    assert system.set_tag_safelist(safelist) == {"success": True}
    assert system.set_classification_aliases({}) == {"success": True}
    assert system.get_classification_aliases() == {}
    assert system.set_metadata_suggestions({"journey": [RUN]}) == {"success": True}
    assert system.get_metadata_suggestions()["journey"] == [RUN]


@step
def users_are_administered():
    user, name = ADMIN.user, f"journey{RUN}"
    assert user.whoami()["username"] == "admin"
    assert ADMIN.current_user == "admin" and ADMIN.get_remaining_api_quota() is not None
    ADMIN.get_remaining_submission_quota()
    given = {"uname": name, "name": name, "password": None, "new_pass": "Journey-1234-long", "type": ["user"], "groups": ["USERS"]}
    assert user.add(name, given) == {"success": True}
    assert user(name)["uname"] == name
    assert user.update(name, {**user(name), "name": "Renamed"}) == {"success": True}
    assert user.list(query=f"uname:{name}")["items"][0]["name"] == "Renamed"
    assert USER.user.submission_params("user")["submitter"] == "user"
    refused(403, user.tos, name)
    picture = "data:image/png;base64,iVBORw0KGgo="
    assert USER.user.avatar.update("user", picture) == {"success": True}
    assert USER.user.avatar("user") == picture
    favorite = {"name": RUN, "query": "id:*", "classification": C12N, "created_by": "user"}
    assert USER.user.favorites.add("user", "search", favorite) == {"success": True}
    assert RUN in [one["name"] for one in USER.user.favorites("user")["search"]]
    assert USER.user.favorites.delete("user", "search", RUN) == {"success": True}
    assert USER.user.favorites.update("user", USER.user.favorites("user")) == {"success": True}
    settings = USER.user.settings("user")
    assert USER.user.settings.update("user", {**settings, "executive_summary": False}) == {"success": True}
    assert USER.user.settings("user")["executive_summary"] is False
    assert set(USER.user.quotas("user")) == {"daily_api", "daily_submission"}
    assert user.delete(name) == {"success": True}
    refused(404, user, name)


NUMBERS = {
    "alert": "al.score",
    "badlist": "file.size",
    "file": "seen.count",
    "result": "result.score",
    "safelist": "file.size",
    "signature": "order",
    "submission": "file_count",
    "workflow": "hit_count",
}


DATES = {
    "alert": "reporting_ts",
    "badlist": "added",
    "file": "seen.last",
    "result": "created",
    "safelist": "added",
    "signature": "last_modified",
    "submission": "times.submitted",
    "workflow": "last_edit",
}


@step
def everything_is_searched():
    search = ADMIN.search
    for index in SEARCHABLE:
        total = getattr(search, index)("id:*", rows=3)["total"]
        fields = getattr(search.fields, index)()
        assert fields["id"]["type"] == "keyword"
        facets = getattr(search.facet, index)("classification", query="id:*")
        assert sum(facets.values()) == total, (index, facets, total)
        assert getattr(search.grouped, index)("classification")["total"] == total
        assert len(list(getattr(search.stream, index)("id:*", fl="id"))) == total
        if index in NUMBERS:
            stats = getattr(search.stats, index)(NUMBERS[index])
            assert list(stats) == ["avg", "count", "max", "min", "sum"]
            buckets = getattr(search.histogram, index)(DATES[index], start="now-1d/d", end="now+1d/d", gap="+1d")
            assert all(count > 0 for count in buckets.values())
    assert search.submission(f"metadata.journey:{RUN}", filters=["state:completed"])["total"] >= 1


@step
def bundles_travel():
    bundle = USER.bundle.create(STATE["sid"])
    assert bundle.startswith(b"CART")
    kept = io.BytesIO()
    assert USER.bundle.create(STATE["sid"], output=kept)
    refused(409, USER.bundle.import_bundle, bundle)
    assert USER.bundle.import_bundle(bundle, exist_ok=True) == {"success": True}


@step
def ontologies_are_read():
    assert isinstance(USER.ontology.submission(STATE["sid"]), list)
    assert isinstance(USER.ontology.file(STATE["sha256"]), list)
    assert isinstance(ADMIN.ontology.alert(STATE["alert"]), list)


@step
def what_is_off_says_so():
    for call in (
        lambda: ADMIN.replay.get_checkpoint("badlist"),
        lambda: ADMIN.replay.get_message("alert"),
        lambda: ADMIN.replay.put_checkpoint("badlist", "*"),
        lambda: ADMIN.replay.put_message("alert", {}),
        lambda: ADMIN.replay.request("submission", STATE["sid"]),
        lambda: ADMIN.replay.set_complete("submission", STATE["sid"]),
        lambda: ADMIN.replay.set_bulk_pending("submission", "id:*", [], 1),
    ):
        assert "Api does not exist" in str(refused(404, call))
    refused(404, ADMIN.assistant, "What is this?")


@step
def live_events_arrive():
    heard = {"received": [], "completed": [], "started": [], "status": [], "keys": []}
    submissions = listening(
        lambda: ADMIN.socketio.listen_on_submissions(
            completed_callback=heard["completed"].append,
            received_callback=heard["received"].append,
            started_callback=heard["started"].append,
            timeout=6,
            reconnect=False,
        )
    )
    status = listening(
        lambda: ADMIN.socketio.listen_on_status_messages(
            dispatcher_msg_callback=heard["status"].append, timeout=6, reconnect=False
        )
    )
    alerts = listening(
        lambda: ADMIN.socketio.listen_on_alerts_messages(alert_created_callback=print, timeout=2, reconnect=False)
    )
    submission = ADMIN.submit(content=f"heard {RUN}".encode(), fname="heard.txt")
    try:
        queue = ADMIN.live.setup_watch_queue(submission["sid"])["wq_id"]
    except ClientError:
        queue = "D-00000000-0000-0000-0000-000000000000-WQ"
    ADMIN.socketio.listen_on_watch_queue(queue, result_callback=heard["keys"].append, timeout=3, reconnect=False)
    for join in (submissions, status, alerts):
        join()
    sids = [(one.get("msg") or one).get("sid") for one in heard["completed"]]
    assert submission["sid"] in sids, heard
    assert heard["status"], "no heartbeat of the dispatcher"


@step
def al_submit_submits():
    al_submit = os.path.join(os.path.dirname(sys.executable), "al-submit")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "submitted.txt")
        with open(path, "w") as file:
            file.write(f"submitted from the command line {RUN}")
        common = [sys.executable, al_submit, "-s", SERVER, "-u", "user", "-k", "devkey:user"]
        live = subprocess.run([*common, path], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
        assert live.returncode == 0, live.stderr
        assert "submitted for analysis" in live.stderr and "Characterize" in live.stdout, live.stdout + live.stderr
        ingest = [*common, "-a", path]
        bulk = subprocess.run(ingest, capture_output=True, text=True, timeout=180, stdin=subprocess.DEVNULL)
        assert bulk.returncode == 0 and "for analysis..." in bulk.stderr, bulk.stderr


@step
def things_are_deleted():
    sha256 = STATE["sha256"]
    refused(403, USER.file.delete_from_filestore, sha256)
    assert ADMIN.file.delete_from_filestore(sha256) == {"success": True}
    refused(404, USER.file.download, sha256)
    assert USER.submission.delete(STATE["sid"]) == {"success": True}
    refused(404, USER.submission, STATE["sid"])


@step
def every_method_was_called():
    missing = sorted(PUBLIC - CALLED)
    assert len(PUBLIC) > 150, len(PUBLIC)
    assert not missing, missing
