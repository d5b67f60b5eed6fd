"""python peer.py PEER SCHEMA INSTANCE SECONDS: a Python library on one parsed value, validations per CPU second."""

import json
import sys
import time

peer, schema, instance, seconds = sys.argv[1], *(json.load(open(path)) for path in sys.argv[2:4]), float(sys.argv[4])
if peer == "jsonschema-rs":
    import jsonschema_rs

    validate = jsonschema_rs.validator_for(schema).is_valid
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
