"""Reads alerts with the public system's own datastore class, which checks them against its model, and writes one of them back.

Arguments: identifiers of alerts. Prints one JSON object a line for each, then the number that its own search finds.
"""

import json
import sys

from howler.common import loader

ids = sys.argv[1:]
datastore = loader.datastore(archive_access=False)
for identifier in ids:
    hit, version = datastore.hit.get(identifier, version=True)
    print(json.dumps({"version": version, **hit.as_primitives()}))

datastore.hit.commit()
found = datastore.hit.search(f"howler.id:({' OR '.join(ids)})", rows=len(ids))
print(found["total"])

first, version = datastore.hit.get(ids[0], version=True)
first.howler.score = 7.5
datastore.hit.save(ids[0], first, version=version)
print(datastore.user.get("admin").name)
