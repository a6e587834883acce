"""A plugin that fills the slots of the public SDK, with every way to fail. `every-slot.js` is its twin."""

import gevent
from clue.common.exceptions import (
    ClueException,
    InvalidDataException,
    NotFoundException,
    TimeoutException,
    UnprocessableException,
)
from clue.models.actions import Action, ActionResult, ExecuteRequest
from clue.models.fetchers import FetcherDefinition, FetcherResult
from clue.models.network import Annotation, QueryEntry
from clue.models.results.image import ImageResult
from clue.models.results.status import StatusLabel, StatusResult
from clue.plugin import CluePlugin, default_validate_token
from pydantic import Field
from pydantic_core import Url


class NoteRequest(ExecuteRequest):
    "The form of the action."

    comment: str = Field(description="What to note")
    times: int = Field(description="How often", default=1)
    urgent: bool = Field(description="Whether it is urgent", default=False)
    author: str | None = Field(description="Who notes it", default=None)


def action(identifier: str, params=ExecuteRequest, **fields):
    return Action[params](
        id=identifier, name=identifier.title(), classification="TLP:CLEAR", supported_types={"domain", "ipv4"}, **fields
    )


def fetcher(identifier: str, result_format: str, **fields):
    return FetcherDefinition(
        id=identifier,
        classification="TLP:CLEAR",
        description=f"A {identifier}",
        format=result_format,
        supported_types={"domain", "ipv4"},
        **fields,
    )


plugin = CluePlugin(
    app_name="every-slot",
    classification="TLP:CLEAR",
    enable_cache=False,
    supported_types={"domain", "ipv4", "ipv6"},
    actions=[
        action("note", NoteRequest, format="json", summary="Notes it", action_icon="mdi:note"),
        action("gather", accept_multiple=True, format="markdown"),
        action("open", format="pivot"),
        action("begin", accept_empty=True, extra_schema={"title": "Begin"}),
        action("fail"),
    ],
    fetchers=[
        fetcher("text", "markdown"),
        fetcher("record", "json", extra_data={"version": 1}),
        fetcher("picture", "image"),
        fetcher("state", "status"),
    ],
)


@plugin.use
def validate_token():
    token, error = default_validate_token()
    if token == "forged":
        return None, "The token is forged."
    return token, error


def annotation(**fields):
    return Annotation(
        **{"analytic": "Twin", "type": "context", "value": "x", "summary": "Seen.", "confidence": 0.5, **fields}
    )


@plugin.use
def enrich(type_name, value, params, token):
    if value == "invalid":
        raise InvalidDataException("The value is invalid.")
    if value == "missing":
        raise NotFoundException("It is missing.")
    if value == "late":
        raise TimeoutException("The other server is late.")
    if value == "odd":
        raise UnprocessableException("The value is odd.")
    if value == "broken":
        raise ClueException("It broke.")
    if value == "slow":
        gevent.sleep(20)
    if value == "none":
        return []
    if value == "many":
        return [
            QueryEntry(classification="TLP:CLEAR", count=3, raw_data={"a": None} if params.raw else None),
            QueryEntry(classification="TLP:GREEN", link=Url("http://example.org"), annotations=[
                annotation(type="opinion", value="malicious", severity=0.8, quantity=4),
                annotation(analytic=None, author="Ann", type="frequency", value=7, severity=0.5, priority=2),
                annotation(type="assessment", value="false-positive", version="1", ubiquitous=True),
            ]),
        ]
    told = f"{type_name} {value} {token} {params.limit} {params.annotate} {params.raw} {params.use_cache}"
    return QueryEntry(
        classification="TLP:CLEAR",
        link=Url(f"https://example.org/{told}"),
        annotations=[annotation(value=told)] if params.annotate else [],
    )


@plugin.use
def run_action(action, request, token):
    if action.id == "note":
        output = {
            "comment": request.comment,
            "times": request.times,
            "urgent": request.urgent,
            "author": request.author,
            "value": request.selector.value,
            "url": request.context.url if request.context else None,
        }
        return ActionResult(outcome="success", summary="Noted.", format="json", output=output)
    if action.id == "gather":
        values = ", ".join(f"{selector.type} {selector.value}" for selector in request.selectors)
        return ActionResult(outcome="success", format="markdown", output=values)
    if action.id == "open":
        address = Url(f"https://example.org/{request.selector.value}")
        return ActionResult(outcome="success", format="pivot", output=address, link=address)
    if action.id == "begin":
        return ActionResult(outcome="success", format="markdown", output=f"{len(request.selectors)} of {token}")
    if request.selector.value == "told":
        return ActionResult(outcome="failure", summary="It cannot be done.")
    if request.selector.value == "known":
        raise ClueException("It is known to fail.")
    raise ValueError("It breaks.")


@plugin.use
def run_fetcher(fetcher, selector, token):
    if selector.value == "told":
        return FetcherResult.error_result("There is none.")
    if selector.value == "known":
        raise ClueException("It is known to fail.")
    if selector.value == "broken":
        raise ValueError("It breaks.")
    if fetcher.id == "text":
        return FetcherResult(outcome="success", format="markdown", data=f"# {selector.type} {selector.value}")
    if fetcher.id == "record":
        return FetcherResult(outcome="success", format="json", data={"value": selector.value, "nothing": None})
    if fetcher.id == "picture":
        picture = ImageResult(image="https://example.org/a.png", alt="A picture")
        return FetcherResult(outcome="success", format="image", data=picture, link=Url("https://example.org"))
    labels = [StatusLabel(language="en", label="Known"), StatusLabel(language="fr", label="Connu")]
    return FetcherResult(outcome="success", format="status", data=StatusResult(labels=labels, color="#00ff00"))
