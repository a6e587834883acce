"""Reads users with the public system's own datastore class, which checks them against its model, and writes the first of them back.

Arguments: names of users. Prints each as one line of JSON, then the names that its own search finds.
"""

import json
import sys

from howler.common import loader

names = sys.argv[1:]
datastore = loader.datastore(archive_access=False)
for name in names:
    print(json.dumps(datastore.user.get(name).as_primitives()))

datastore.user.commit()
found = datastore.user.search("uname:*", rows=100)["items"]
print(json.dumps([user.uname for user in found]))

first, version = datastore.user.get(names[0], version=True)
first.name = "Written back"
datastore.user.save(names[0], first, version=version)
