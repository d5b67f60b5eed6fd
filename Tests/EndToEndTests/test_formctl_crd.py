"""`formctl crd`: objects of Kubernetes judged by the definition of their kind."""

from __future__ import annotations

import json
import os
import subprocess
import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Any

import pytest

from harness import formctl, formctl_binary

CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shops.example.com}
spec:
  group: example.com
  names: {kind: Shop, plural: shops}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, minimum: 1, default: 1}
              memory: {type: string}
              owner:
                type: string
                x-kubernetes-validations:
                - {rule: self == oldSelf, message: the owner does not change}
              namespace: {type: string}
            x-kubernetes-validations:
            - rule: "!has(self.memory) || quantity(self.memory).isLessThan(quantity('1Gi'))"
              messageExpression: "'1Gi is too small for ' + self.memory"
              fieldPath: .memory
              reason: FieldValueForbidden
            - rule: "!has(self.__namespace__) || self.__namespace__ != 'kube-system'"
"""


def shop(spec: str, name: str = "corner") -> str:
    return f"apiVersion: example.com/v1\nkind: Shop\nmetadata: {{name: {name}}}\nspec: {spec}\n"


def write(path: Path, value: Any) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return str(path)


def run_in(folder: Path, *arguments: str, standard_input: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(formctl_binary()), "crd", *arguments], cwd=folder, env=os.environ, input=standard_input,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


@pytest.fixture
def shops(folder: Path) -> Path:
    write(folder / "crd.yaml", CRD)
    write(folder / "good.yaml", shop("{size: 2, memory: 512Mi, owner: kim}"))
    write(folder / "bad.yaml", shop("{size: 0}", "a") + "---\n" + shop("\n  size: 1\n  memory: 2Gi\n  namespace: kube-system", "b"))
    return folder


def test_an_object_that_is_right_is_valid(shops: Path) -> None:
    run = run_in(shops, "crd.yaml", "good.yaml")
    assert (run.returncode, run.stdout, run.stderr) == (0, "valid\n", ""), run
    run = run_in(shops, "crd.yaml", "good.yaml", "--quiet")
    assert (run.returncode, run.stdout, run.stderr) == (0, "", ""), run


def test_what_is_wrong_is_told_where_it_stands(shops: Path) -> None:
    run = run_in(shops, "crd.yaml", "bad.yaml")
    assert run.stdout.splitlines() == [
        "bad.yaml:4:14: /spec/size: This must be at least 1, not 0. [/properties/spec/properties/size/minimum]",
        "bad.yaml:11:11: /spec/memory: 1Gi is too small for 2Gi [/properties/spec/x-kubernetes-validations/0]",
        "bad.yaml:10:3: /spec: failed rule: !has(self.__namespace__) || self.__namespace__ != 'kube-system'"
        " [/properties/spec/x-kubernetes-validations/1]",
    ], run
    assert (run.returncode, run.stderr) == (1, ""), run


def test_what_the_schema_does_not_know_is_a_warning(shops: Path) -> None:
    write(shops / "odd.yaml", shop("{siez: 2}"))
    run = run_in(shops, "crd.yaml", "odd.yaml")
    assert run.returncode == 0 and "odd.yaml:4:14: warning: /spec/siez: there is no field" in run.stdout, run


def test_many_files_have_a_summary(shops: Path) -> None:
    run = run_in(shops, "crd.yaml", "good.yaml", "b*.yaml")
    assert run.stdout.splitlines()[-1] == "2 files: 1 valid, 1 invalid; 3 errors, 0 warnings", run
    items = [{"apiVersion": "example.com/v1", "kind": "Shop", "spec": {"size": size}} for size in (1, 0)]
    listed = {"apiVersion": "v1", "kind": "List", "items": items}
    run = run_in(shops, "crd.yaml", "-", standard_input=json.dumps(listed))
    assert run.returncode == 1 and "/items/1/spec/size" in run.stdout and "/items/0" not in run.stdout, run


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (shop("{}").replace("Shop", "Market"), "this is a Market (example.com/v1); what is defined is Shop (example.com/v1)"),
        (shop("{}").replace("example.com/v1", "example.org/v1"), "this is a Shop (example.org/v1)"),
        (shop("{}").replace("example.com/v1", "example.com/v2"), "there is no version v2 of Shop (example.com/v1)"),
        ("spec: {}\n", "has apiVersion"), ("5\n", "has apiVersion"), ("a: [1\n", "bad.yaml:1:4: error: "),
    ],
)
def test_an_object_of_another_kind_is_wrong(shops: Path, content: str, words: str) -> None:
    write(shops / "bad.yaml", content)
    run = run_in(shops, "crd.yaml", "bad.yaml")
    assert run.returncode == 1 and words in run.stdout, run


def test_what_cannot_be_read_is_trouble(shops: Path) -> None:
    run = run_in(shops, "crd.yaml", "gone.yaml", "good.yaml")
    assert run.returncode == 2 and "gone.yaml: No such file" in run.stderr, run
    run = run_in(shops, "gone.yaml", "good.yaml")
    assert run.returncode == 2 and "gone.yaml: No such file" in run.stderr, run
    run = run_in(shops, "good.yaml", "good.yaml")
    assert run.returncode == 2 and "no document is of kind CustomResourceDefinition" in run.stdout, run
    run = run_in(shops, "-", "-")
    assert run.returncode == 2 and "standard input is read once" in run.stderr, run
    run = run_in(shops, "crd.yaml", "--old", "good.yaml")
    assert run.returncode == 2 and "--old" in run.stderr, run


def test_a_definition_that_is_wrong_is_told_with_its_place(shops: Path) -> None:
    write(shops / "crd.yaml", CRD.replace("quantity(self.memory)", "quantity(self.memroy)"))
    run = run_in(shops, "crd.yaml")
    place = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/x-kubernetes-validations/0/rule"
    assert run.stdout.startswith("crd.yaml:28:21: error: rule 1:36: nothing is named 'self.memroy'; did you mean 'self.memory'?"), run
    assert place in run.stdout and run.returncode == 1, run
    run = run_in(shops, "crd.yaml", "good.yaml")
    assert run.returncode == 2 and "self.memroy" in run.stdout and "the definition cannot be used" in run.stderr, run
    write(shops / "crd.yaml", CRD)
    run = run_in(shops, "crd.yaml")
    assert (run.returncode, run.stdout) == (0, "valid\n"), run


def test_an_update_is_judged_by_what_was_there(shops: Path) -> None:
    write(shops / "old.yaml", shop("{owner: lee, size: 0}"))
    run = run_in(shops, "crd.yaml", "good.yaml", "--old", "old.yaml")
    assert run.returncode == 1 and "good.yaml:4:39: /spec/owner: the owner does not change" in run.stdout, run
    write(shops / "new.yaml", shop("{owner: lee, size: 0}") + "---\n" + shop("{}", "other"))
    run = run_in(shops, "crd.yaml", "new.yaml", "--old", "-", standard_input=shop("{owner: lee, size: 0}"))
    assert run.returncode == 0 and "warning: /spec/size: " in run.stdout, run
    assert "new.yaml:6: Shop other is not among the old objects" in run.stdout, run
    run = run_in(shops, "crd.yaml", "new.yaml", "--old", "gone.yaml")
    assert run.returncode == 2 and "gone.yaml: No such file" in run.stderr, run


def test_a_rule_that_takes_too_long_is_no_verdict(shops: Path) -> None:
    loops = "lists.range(100).all(i, lists.range(100).all(j, i + j >= 0))"
    write(shops / "crd.yaml", CRD.replace("quantity(self.memory).isLessThan(quantity('1Gi'))", loops))
    assert run_in(shops, "crd.yaml", "good.yaml").returncode == 0
    run = run_in(shops, "crd.yaml", "good.yaml", "--steps-max", "1000")
    assert run.returncode == 2 and "no verdict" in run.stderr and "--steps-max admits more" in run.stderr, run


def test_there_are_reports_for_services(shops: Path) -> None:
    found = json.loads(run_in(shops, "crd.yaml", "bad.yaml", "good.yaml", "--output", "json").stdout)
    assert [file["valid"] for file in found["files"]] == [False, True]
    codes = [finding["code"] for finding in found["files"][0]["findings"]]
    assert codes == ["minimum", "FieldValueForbidden", "FieldValueInvalid"], found
    assert found["files"][0]["findings"][1]["keywordLocation"] == "/properties/spec/x-kubernetes-validations/0"
    run = run_in(shops, "crd.yaml", "bad.yaml", "--output", "github")
    assert "::error file=bad.yaml,line=11,col=11," in run.stdout and "title=FieldValueForbidden::" in run.stdout, run
    assert len(json.loads(run_in(shops, "crd.yaml", "bad.yaml", "--output", "gitlab").stdout)) == 3
    sarif = json.loads(run_in(shops, "crd.yaml", "bad.yaml", "--output", "sarif").stdout)
    assert [result["ruleId"] for result in sarif["runs"][0]["results"]] == codes
    suites = xml.fromstring(run_in(shops, "crd.yaml", "bad.yaml", "--output", "junit").stdout)
    assert suites[0].get("failures") == "1"


def test_a_file_may_define_several_kinds(shops: Path) -> None:
    market = CRD.replace("Shop", "Market").replace("shops", "markets")
    write(shops / "crds.yaml", f"# all of them\n{CRD}---\nkind: Namespace\napiVersion: v1\n---\n{market}")
    write(shops / "both.yaml", shop("{size: 1}") + "---\n" + shop("{size: 0}").replace("Shop", "Market"))
    run = run_in(shops, "crds.yaml", "both.yaml")
    assert run.returncode == 1 and run.stdout.startswith("both.yaml:9:14: /spec/size: "), run
    listed = "apiVersion: v1\nkind: List\nitems:\n- " + CRD.replace("self.memory)", "self.memroy)", 1).strip().replace("\n", "\n  ") + "\n"
    run = run_in(shops, write(shops / "list.yaml", listed))
    assert run.returncode == 1 and "/items/0/spec/versions/0/" in run.stdout and "list.yaml:31:23: error: " in run.stdout, run


def test_only_rules_of_kubernetes_have_its_functions(shops: Path) -> None:
    done = formctl("expr", "quantity('1Gi').asInteger()", "--schema", shops / "crd.yaml")
    assert (done.returncode, done.stdout) == (0, "1073741824\n"), done
    done = formctl("expr", "self.spec.size + 1", "--schema", shops / "crd.yaml", "--input", shops / "good.yaml")
    assert (done.returncode, done.stdout) == (0, "3\n"), done
    done = formctl(
        "expr", "self.spec.memory == oldSelf.spec.memory", "--schema", shops / "crd.yaml", "--input", shops / "good.yaml",
        "--var", f"oldSelf=@{shops}/good.yaml",
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "true\n"), done
    assert formctl("expr", "quantity('1Gi').asInteger()").returncode == 1
    assert formctl("expr", "graphemes('a')", "--schema", shops / "crd.yaml").returncode == 1
