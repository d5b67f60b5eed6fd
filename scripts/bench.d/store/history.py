"""The knowledge of a client about its kept session, and whether the state after a crash is possible.

A client has sent inputs, and some of them were answered. Inputs take effect in order, and an answered input is never
lost. So the client must find the effect of some number of its inputs, in order: at least the answered inputs, at most
the sent inputs.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional

JSON = Any

FORM: JSON = {
    "form": "crash",
    "schema": {
        "type": "object",
        "properties": {
            "tag": {"type": "string", "maxLength": 40},
            "mark": {"type": "string", "maxLength": 40},
            "a": {"type": "string", "maxLength": 1000},
            "b": {"type": "string", "maxLength": 1000},
            "pin": {"type": "string", "maxLength": 100, "writeOnly": True},
            "items": {
                "type": "array",
                "items": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 100}}},
            },
        },
    },
    "fields": {"a": {"show": "always"}},
    "rules": [{"id": "a.even", "field": "a", "check": "self.size() % 2 == 0", "severity": "warning", "message": "That is odd."}],
    "actions": {
        "send": {
            "scope": "none",
            "idempotency": True,
            "run": {
                "http": {"service": "backend", "method": "POST", "path": "/taps", "json": {"tag": "values.tag", "mark": "values.mark"}}
            },
        }
    },
    "outputs": {"echo": "values.mark + '|' + values.a"},
}  # fmt: skip
"""A form with texts, a secret, rows and an action. Its request names the session and the tap."""


@dataclass(frozen=True)
class Input:
    """One thing that a client sends to its session."""

    method: str
    params: dict[str, JSON]

    def applied(self, values: JSON, initial: JSON) -> JSON:
        """The session's values after the input. Secrets are not among them."""
        values = copy.deepcopy(values)
        if self.method == "field/change":
            for address, value in self.params["values"].items():
                if address.startswith("/items/"):
                    values["items"][int(address.split("/")[2])]["name"] = value
                elif address != "pin":
                    values[address] = value
        elif self.method == "field/insert":
            values["items"].insert(self.params["at"], self.params["value"])
        elif self.method == "field/remove":
            del values["items"][int(self.params["field"].rpartition("/")[2])]
        elif self.method == "field/move":
            values["items"].insert(self.params["to"], values["items"].pop(int(self.params["field"].rpartition("/")[2])))
        elif self.method == "session/reset":
            return copy.deepcopy(initial)
        else:
            assert self.method in ("action/tap", "field/focus", "field/blur"), self.method
        return values


@dataclass
class History:
    """One kept session as its client knows it."""

    tag: str
    """The name of the session in requests to the backend."""
    key: str
    initial: JSON
    base: JSON = None
    """The values when it was last attached."""
    inputs: list[Input] = field(default_factory=list)
    """The inputs sent since."""
    answered: int = 0
    """How many of the inputs, from the first on, were answered."""
    revision: int = 0
    """The last revision that the client got."""
    events: dict[int, JSON] = field(default_factory=dict)
    """By number, all events that the client ever got."""
    runs: set[int] = field(default_factory=set)
    """The runs in the answers to taps."""
    taps: dict[str, int] = field(default_factory=dict)
    """By mark, the number of the tap among the inputs since the last attach; 0: it was sent before."""
    latest: JSON = None
    """The values after all sent inputs."""
    rotates: bool = False
    """The client asked for another key, and got no answer."""
    closes: bool = False
    """The client closed the session, and got no answer."""

    def __post_init__(self) -> None:
        self.base = copy.deepcopy(self.initial)
        self.latest = copy.deepcopy(self.initial)

    # What happens

    def sends(self, sent: Input) -> int:
        """The client sends an input. Returns its number, from 1 on."""
        self.inputs.append(sent)
        self.latest = sent.applied(self.latest, self.initial)
        if sent.method == "action/tap":
            self.taps[self.latest["mark"]] = len(self.inputs)
        return len(self.inputs)

    def is_answered(self, number: int, result: JSON) -> list[str]:
        """An input was answered. Returns what is wrong with that, in words."""
        faults = []
        if number != self.answered + 1:
            faults.append(f"input {number} was answered after input {self.answered}")
        self.answered = number
        faults += self._is_told_revision(result["revision"])
        if result.get("outcome") == "started":
            self.runs.add(result["run"])
        return faults

    def is_updated(self, params: JSON) -> list[str]:
        """An update came. Returns what is wrong with it."""
        faults = self._is_told_revision(params["revision"])
        for event in params.get("events", []):
            if event["seq"] in self.events:
                faults.append(f"the event {event['seq']} came twice")
            faults += self._is_told(event)
        return faults

    def _is_told_revision(self, revision: int) -> list[str]:
        faults = [f"revision {revision} came after {self.revision}"] if revision < self.revision else []
        self.revision = max(self.revision, revision)
        return faults

    def _is_told(self, event: JSON) -> list[str]:
        known = self.events.setdefault(event["seq"], event)
        return [] if known == event else [f"the event {event['seq']} is {event}, and was {known} before"]

    # The state after attaching

    def is_attached(self, found: JSON, seq: int, requests: Mapping[str, int], is_restored: bool = True) -> list[str]:
        """The client attached, and goes on from the state that it found. Returns the impossible parts of that state, in
        words.

        `requests`: how many requests the backend got from this session, by mark. `is_restored`: a daemon died since, so
        no run is under way.
        """
        faults = self._requests(requests)
        sent_for_sure = [self.taps.get(mark, 0) for mark in requests]
        matching = self._match(found["values"], max([self.answered, *sent_for_sure]))
        if matching is None:
            faults.append(self._no_match(found["values"], max([self.answered, *sent_for_sure])))
        if found["revision"] < self.revision:
            faults.append(f"the revision is {found['revision']}, and was {self.revision} before")
        echo = found["document"]["outputs"]["echo"]
        if echo != f"{found['values']['mark']}|{found['values']['a']}":
            faults.append(f"the output {echo!r} does not belong to the values {found['values']}")
        faults += self._events(found, seq)
        if is_restored:
            faults += self._runs(requests)
        self.base = copy.deepcopy(found["values"])
        self.latest = copy.deepcopy(found["values"])
        self.inputs, self.answered, self.revision = [], 0, found["revision"]
        self.taps = {mark: 0 for mark in self.taps}
        return faults

    def _match(self, values: JSON, least: int) -> Optional[int]:
        state = self.base
        found = None
        for number in range(len(self.inputs) + 1):
            if number:
                state = self.inputs[number - 1].applied(state, self.initial)
            if number >= least and state == values:
                found = number
        return found

    def _no_match(self, values: JSON, least: int) -> str:
        earlier = self._match(values, 0)
        if earlier is not None:
            return f"the values are the values after input {earlier}, but {least} inputs are acknowledged or had an effect"
        return f"the values {values} are not the values after any of the inputs {least} to {len(self.inputs)} on {self.base}: {self.inputs}"

    def _requests(self, requests: Mapping[str, int]) -> list[str]:
        faults = [f"the tap of mark {mark} was sent {count} times" for mark, count in requests.items() if count > 1]
        faults += [f"a request of mark {mark} came without a tap" for mark in requests if mark not in self.taps]
        return faults

    def _events(self, found: JSON, seq: int) -> list[str]:
        numbers = [event["seq"] for event in found["events"]]
        faults = []
        if numbers != sorted(set(numbers)) or any(number <= seq for number in numbers):
            faults.append(f"the events after {seq} have the numbers {numbers}")
        for event in found["events"]:
            faults += self._is_told(event)
        last = max(self.events, default=0)
        if not found["eventsLost"] and last > seq and numbers != list(range(seq + 1, last + 1)):
            faults.append(f"the events after {seq} are {numbers}, but the client got {last} before")
        return faults

    def _runs(self, requests: Mapping[str, int]) -> list[str]:
        if set(self.events) != set(range(1, max(self.events, default=0) + 1)):
            return []  # Some events were not kept.
        ended = Counter(event["run"] for event in self.events.values() if "run" in event)
        faults = [f"the run {run} has {count} events" for run, count in ended.items() if count > 1]
        faults += [f"the run {run} was answered, and has no event" for run in self.runs if not ended[run]]
        if len(ended) < len(requests):
            faults.append(f"{len(requests)} requests were sent, and {len(ended)} runs have events")
        return faults


def next_inputs(history: History, chance: random.Random) -> list[Input]:
    """The next input of a client, or several inputs that belong together. Each makes a state different from all before.
    """
    fresh = f"{chance.getrandbits(48):x}"
    items = history.latest["items"]
    kind = chance.choices(
        ["text", "texts", "cell", "insert", "remove", "move", "tap", "secret", "reset", "focus"],
        [40, 10, 12, 10, 5, 5, 8, 4, 2, 4],
    )[0]  # fmt: skip
    if kind == "texts":
        return [_change({"a": fresh, "b": fresh * chance.randrange(1, 60)})]
    if kind == "tap":
        return [_change({"mark": fresh}), Input("action/tap", {"action": "send"})]
    if kind == "secret":
        return [_change({"pin": SECRET + fresh, "b": fresh})]
    if kind == "reset":
        return [Input("session/reset", {}), _change({"a": fresh})]
    if kind == "focus":
        return [Input(chance.choice(["field/focus", "field/blur"]), {"field": "a"})]
    if kind == "insert" and len(items) < 20:
        return [Input("field/insert", {"field": "items", "at": chance.randrange(len(items) + 1), "value": {"name": fresh}})]
    if kind in ("cell", "remove", "move") and items:
        row = f"/items/{chance.randrange(len(items))}"
        if kind == "cell":
            return [_change({f"{row}/name": fresh})]
        if kind == "remove":
            return [Input("field/remove", {"field": row})]
        return [Input("field/move", {"field": row, "to": chance.randrange(len(items))})]
    return [_change({chance.choice(["a", "b"]): fresh})]


SECRET = "geheim-6b1f"
"""The first characters of every text that is typed into the secret field."""


def _change(values: dict[str, JSON]) -> Input:
    return Input("field/change", {"values": values})
