"""Prints random documents of each kind of the public model, and the fields of the model, a JSON object a line.

usage: odm_documents.py COUNT
"""

import importlib
import json
import sys

from assemblyline.odm import base
from assemblyline.odm.randomizer import random_model_obj

# Name of the kind: module and class of the model, field of the identifier.
KINDS = {
    "alert": ("alert", "Alert", "alert_id"),
    "badlist": ("badlist", "Badlist", None),
    "cached_file": ("cached_file", "CachedFile", None),
    "emptyresult": ("emptyresult", "EmptyResult", None),
    "error": ("error", "Error", None),
    "file": ("file", "File", "sha256"),
    "filescore": ("filescore", "FileScore", None),
    "heuristic": ("heuristic", "Heuristic", "heur_id"),
    "result": ("result", "Result", None),
    "retrohunt": ("retrohunt", "Retrohunt", "key"),
    "safelist": ("safelist", "Safelist", None),
    "service": ("service", "Service", None),
    "service_delta": ("service_delta", "ServiceDelta", None),
    "signature": ("signature", "Signature", None),
    "submission": ("submission", "Submission", "sid"),
    "submission_summary": ("submission_summary", "SubmissionSummary", None),
    "submission_tree": ("submission_tree", "SubmissionTree", None),
    "workflow": ("workflow", "Workflow", "workflow_id"),
}

TYPES = {
    base.Text: "text",
    base.Boolean: "boolean",
    base.Long: "long",
    base.Integer: "integer",
    base.Float: "float",
    base.Date: "date",
    base.IP: "ip",
}


def leaves(fields, prefix, in_list):
    for name, field in fields.items():
        yield from leaf(prefix + name, field, in_list)


def leaf(path, field, in_list):
    copied, is_list, at = bool(field.copyto), in_list, field
    while isinstance(at, (base.Optional, base.List)):
        is_list = is_list or isinstance(at, base.List)
        at = at.child_type
        copied = copied or bool(at.copyto)
    if isinstance(at, base.Compound):
        yield from leaves(at.fields(), path + ".", is_list)
        return
    # Both engines know the keys of a mapping alone, from documents.
    if isinstance(at, base.Mapping):
        return
    kind = next((name for type_, name in TYPES.items() if isinstance(at, type_)), "keyword")
    yield path, {
        "default": copied,
        "indexed": bool(at.index),
        "list": is_list,
        "stored": bool(at.store),
        "type": kind,
    }


for kind, (module, name, id_field) in KINDS.items():
    model = getattr(importlib.import_module("assemblyline.odm.models." + module), name)
    print(json.dumps({"kind": kind, "fields": dict(leaves(model.fields(), "", False))}))
    for number in range(int(sys.argv[1])):
        document = random_model_obj(model).as_primitives()
        # A few words make many identifiers twice.
        if id_field is not None and id_field != "sha256":
            document[id_field] = f"{kind}{number}"
        identifier = document[id_field] if id_field else f"{kind}{number}"
        print(json.dumps({"kind": kind, "id": identifier, "document": document}))
