"""Prints every key of the public system's config.yml, from its own models: one a line, `datastore.hosts[].name`, `auth.oauth.providers.<name>.scope`."""

import typing

from pydantic import BaseModel

from howler.odm.models.config import Config


def keys_of(annotation, key):
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [found for name, field in annotation.model_fields.items() for found in keys_of(field.annotation, f"{key}.{name}")]
    below = {list: "[]", set: "[]", dict: ".<name>"}.get(typing.get_origin(annotation), "")
    found = [one for argument in typing.get_args(annotation) for one in keys_of(argument, key + below) if one != key + below]
    return found or [key]


for key in sorted(keys_of(Config, "")):
    print(key[1:])
