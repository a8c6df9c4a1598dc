import { expect, test } from "vitest";
import type { SimulationRule, Violation } from "../violation/index.ts";
import { isSameViolation } from "./same-violation.ts";

function violation(rule: SimulationRule, message: string, object?: string): Violation {
  return { rule, message, expected: "", ...(object === undefined ? {} : { object }) };
}

const refused = (path: string): Violation =>
  violation("child-refused", `The server refuses a write to ${path}: Thing "a" is invalid: spec.size: Required value`);
const right = (text: string): Violation =>
  violation("undeclared-right", `The operator sends ${text}, which it does not declare.`);
const polls = (count: number, path: string): Violation =>
  violation("polls-at-rest", `${count} reads of ${path} in 20 minutes at rest.`);
const writes = (count: number, path: string): Violation =>
  violation("writes-at-rest", `${count} writes to ${path} in 20 minutes, although nothing changes.`);
const reverted = (object: string): Violation =>
  violation("writes-at-rest", `${object}: data.a is changed from 1 to 2 and back after a restart at rest.`, object);
const thrown = (step: string, why: string): Violation =>
  violation("programming-error", `step failed with a programming error in step ${step}: ${why}`, "Thing default/a");
const rejected = (step: string): Violation =>
  violation("programming-error", `unhandled rejection in a step: await its promises in step ${step}: no a`);
const callback = (what: string, why: string): Violation =>
  violation("programming-error", `operator callback failed in ${what}: ${why}`);
const repeated = (call: string): Violation =>
  violation("external-repeated", `The call "${call}" was made more than once.`);

test.each<[what: string, one: Violation, other: Violation]>([
  [
    "objects of one kind with other names",
    violation("left-behind", "x", "ConfigMap default/a"),
    violation("left-behind", "y", "ConfigMap other/b-2"),
  ],
  [
    "one property with other reasons",
    violation("property-violated", "x", "property all are Ready"),
    violation("property-violated", "y", "property all are Ready"),
  ],
  ["one right", right("patch deployments.apps"), right("patch deployments.apps")],
  [
    "refused writes of one resource",
    refused("/apis/apps/v1/namespaces/default/deployments/a"),
    refused("/apis/apps/v1/namespaces/other/deployments"),
  ],
  ["reads of one resource", polls(700, "/api/v1/namespaces/default/secrets/a"), polls(41, "/api/v1/secrets")],
  ["reads of a document", polls(700, "/openapi/v3"), polls(41, "/openapi/v3")],
  [
    "writes of one resource",
    writes(3, "/apis/a.dev/v1/namespaces/default/things/a/status"),
    writes(9, "/apis/a.dev/v1/namespaces/default/things/b/status"),
  ],
  ["children of one kind that are changed back", reverted("ConfigMap default/a"), reverted("ConfigMap default/b")],
  ["errors of one step", thrown("Write", "no a"), thrown("Write", "no b in step Other")],
  ["errors of one callback", callback("map of ConfigMap", "no a"), callback("map of ConfigMap", "no b")],
  ["calls with one verb", repeated("create database-a"), repeated("create database-b")],
  [
    "loops of one kind",
    violation("hot-loop", "2400", "Thing default/a"),
    violation("hot-loop", "9", "Thing default/b"),
  ],
])("%s are the same violation", (_, one, other) => {
  expect(isSameViolation(one, other)).toBe(true);
});

test.each<[what: string, one: Violation, other: Violation]>([
  ["rules", violation("left-behind", "x", "ConfigMap a"), violation("stuck-finalizer", "x", "ConfigMap a")],
  ["kinds", violation("left-behind", "x", "ConfigMap default/a"), violation("left-behind", "x", "Secret default/a")],
  [
    "properties",
    violation("property-violated", "x", "property all are Ready"),
    violation("property-violated", "x", "property all have a URL"),
  ],
  ["resources that need a right", right("list secrets"), right("list configmaps")],
  ["verbs that need a right", right("patch secrets"), right("delete secrets")],
  [
    "refused resources",
    refused("/api/v1/namespaces/default/services/a"),
    refused("/apis/apps/v1/namespaces/default/deployments/a"),
  ],
  [
    "groups of refused resources",
    refused("/apis/a.dev/v1/namespaces/default/things/a"),
    refused("/apis/b.dev/v1/namespaces/default/things/a"),
  ],
  ["resources that are polled", polls(41, "/api/v1/secrets"), polls(41, "/api/v1/configmaps")],
  [
    "resources that are written",
    writes(3, "/apis/a.dev/v1/namespaces/default/things/a"),
    writes(3, "/apis/a.dev/v1/namespaces/default/things/a/status"),
  ],
  ["children that are changed back", reverted("ConfigMap default/a"), reverted("Service default/a")],
  ["steps", thrown("Write", "no a"), thrown("Read", "no a")],
  ["steps with rejections", rejected("Write"), rejected("Read")],
  ["callbacks", callback("map of ConfigMap", "no a"), callback("map of Secret", "no a")],
  ["verbs of calls", repeated("create database-a"), repeated("delete database-a")],
])("other %s are another violation", (_, one, other) => {
  expect(isSameViolation(one, other)).toBe(false);
});
