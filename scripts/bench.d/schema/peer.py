"""python peer.py PEER SCHEMA INSTANCE SECONDS: a Python library on one parsed value, validations per CPU second."""

import json
import sys
import time
from typing import Annotated


def model(schema, name="Model"):
    """The code that people write by hand for such a schema: a model of pydantic, with a model inside of it for each
    object."""
    from pydantic import Field, create_model

    bounds = {"maxLength": "max_length", "maxItems": "max_length", "minimum": "ge"}
    if schema["type"] == "object":
        required = schema.get("required", [])
        members = {
            member: inner if member in required else (inner[0] | None, None)
            for member, inner in ((member, model(inner, member)) for member, inner in schema["properties"].items())
        }
        return create_model(name, **members), ...
    types = {"string": str, "integer": int, "number": float, "boolean": bool}
    kind = list[model(schema["items"], name)[0]] if schema["type"] == "array" else types[schema["type"]]
    return Annotated[
        kind, Field(**{bounds[keyword]: limit for keyword, limit in schema.items() if keyword in bounds})
    ], ...


peer, schema, instance, seconds = sys.argv[1], *(json.load(open(path)) for path in sys.argv[2:4]), float(sys.argv[4])
if peer == "jsonschema-rs":
    import jsonschema_rs

    validate = jsonschema_rs.validator_for(schema).is_valid
elif peer == "pydantic":
    validate = model(schema)[0].model_validate
else:
    import fastjsonschema

    validate = fastjsonschema.compile({"$schema": "http://json-schema.org/draft-07/schema#", **schema})
assert validate(instance) is not False
count, start = 0, time.process_time()
while time.process_time() - start < seconds:
    for _ in range(1000):
        validate(instance)
    count += 1000
print(int(count / (time.process_time() - start)))
