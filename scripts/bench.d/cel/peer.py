"""python peer.py PEER CASES: a Python CEL library on the same cases; one JSON object, in the form of cel-bench.

Times are CPU times of this process, and include the call from Python, because both peers are libraries for Python.
"""

import json
import statistics
import sys
import time

peer, cases = sys.argv[1], json.load(open(sys.argv[2]))["cases"]


def timed(body, seconds=0.02, runs=5):
    body()
    rounds, spent = 1, 0.0
    while True:
        start = time.process_time_ns()
        for _ in range(rounds):
            body()
        spent = time.process_time_ns() - start
        if spent > seconds * 1e9:
            break
        rounds *= 4
    figures = [spent / rounds]
    for _ in range(runs - 1):
        start = time.process_time_ns()
        for _ in range(rounds):
            body()
        figures.append((time.process_time_ns() - start) / rounds)
    return statistics.median(figures)


def cpp(case):
    from cel_expr_python import cel

    types = {"string": cel.Type.STRING, "bool": cel.Type.BOOL, "int": cel.Type.INT,
             "list(int)": cel.Type.List(cel.Type.INT), "dyn": cel.Type.DYN}
    env = cel.NewEnv(variables={name: types[variable["type"]] for name, variable in case["variables"].items()})
    program = env.compile(case["expression"])
    activation = env.Activation({name: variable["value"] for name, variable in case["variables"].items()})
    return (lambda: env.compile(case["expression"])), (lambda: program.eval(activation)), \
        lambda: program.eval(activation).plain_value()


def celpy(case):
    import celpy
    from celpy import celtypes
    from celpy.adapter import json_to_cel

    types = {"string": celtypes.StringType, "bool": celtypes.BoolType, "int": celtypes.IntType,
             "list(int)": celtypes.ListType, "dyn": celtypes.MapType}
    env = celpy.Environment(annotations={n: types[v["type"]] for n, v in case["variables"].items()})
    activation = {name: json_to_cel(variable["value"]) for name, variable in case["variables"].items()}

    def compile():
        return env.program(env.compile(case["expression"]))

    program = compile()
    return (
        compile,
        (lambda: program.evaluate(activation)),
        lambda: json.loads(json.dumps(program.evaluate(activation), cls=celpy.CELJSONEncoder)),
    )


results = {}
for case in cases:
    try:
        compile, evaluate, result = (cpp if peer == "cpp" else celpy)(case)
        results[case["name"]] = {"result": result(), "compile_us": timed(compile) / 1_000, "evaluate_ns": timed(evaluate)}
    except Exception as error:  # The report shows the failures of a peer.
        results[case["name"]] = {"not_compared": str(error).splitlines()[0][:120] if str(error) else type(error).__name__}
print(json.dumps(results))
