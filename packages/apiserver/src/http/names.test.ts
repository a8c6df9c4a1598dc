import { describe, expect, test } from "vitest";
import { BUILTIN_RESOURCES } from "../kinds/index.ts";
import type { Resource } from "../resource/resource.ts";
import { ApiHarness, CONFIGMAPS } from "./api.fixture.ts";

/** The name rule of a kind. `tests/conformance/differential/names.full.test.ts` checks this table against kube-apiserver. */
type Rule = "subdomain" | "label" | "path segment" | "CRD" | "52 characters";

/** Kinds with other name rules than DNS subdomain. */
const RULES: Readonly<Record<string, Rule>> = {
  namespaces: "label",
  services: "label",
  "statefulsets.apps": "label",
  events: "path segment",
  "poddisruptionbudgets.policy": "path segment",
  "roles.rbac.authorization.k8s.io": "path segment",
  "rolebindings.rbac.authorization.k8s.io": "path segment",
  "clusterroles.rbac.authorization.k8s.io": "path segment",
  "clusterrolebindings.rbac.authorization.k8s.io": "path segment",
  "customresourcedefinitions.apiextensions.k8s.io": "CRD",
  "cronjobs.batch": "52 characters",
};

/** A name and the rules that accept it. A CRD must have the name implied by its spec, which none of these is. */
const NAMES: readonly (readonly [name: string, takenBy: readonly Rule[]])[] = [
  ["a", ["subdomain", "label", "path segment", "52 characters"]],
  ["1-a", ["subdomain", "label", "path segment", "52 characters"]],
  ["a.b", ["subdomain", "path segment", "52 characters"]],
  ["a:b", ["path segment"]],
  ["A", ["path segment"]],
  ["Grüße 😀", ["path segment"]],
  ["a\nb", ["path segment"]],
  ["a-", ["path segment"]],
  ["...", ["path segment"]],
  [".", []],
  ["..", []],
  ["a/b", []],
  ["a%b", []],
  ["x".repeat(53), ["subdomain", "label", "path segment"]],
  ["x".repeat(64), ["subdomain", "path segment"]],
  ["x".repeat(254), ["path segment"]],
];

const STORED: readonly Resource[] = BUILTIN_RESOURCES.filter(
  ({ verbs }) => verbs.includes("create") && verbs.includes("get"),
);

function pathOf({ group, version, plural, scope }: Resource): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}${scope === "Namespaced" ? "/namespaces/default" : ""}/${plural}?dryRun=All`;
}

describe("names of built-in kinds are accepted or rejected like in kube-apiserver", () => {
  test.each(STORED.map((resource) => [`${resource.group}/${resource.version} ${resource.kind}`, resource] as const))(
    "%s",
    async (_name, resource) => {
      const api = new ApiHarness();
      const rule = (resource.group === "events.k8s.io" ? undefined : RULES[resource.id]) ?? "subdomain";
      for (const [name, takenBy] of NAMES) {
        const { body } = await api.call("POST", pathOf(resource), { metadata: { name } });
        const isRefused = body.details?.causes?.some(({ field }) => field === "metadata.name") === true;
        expect([name, isRefused]).toEqual([name, !takenBy.includes(rule)]);
      }
    },
  );
});

test("generateName is validated as a prefix, and may end in a dash", async () => {
  const api = new ApiHarness();
  const field = async (path: string, generateName: string): Promise<readonly (string | undefined)[]> => {
    const { body } = await api.call("POST", `${path}?dryRun=All`, { metadata: { generateName } });
    return (body.details?.causes ?? []).map((cause) => cause.field);
  };
  expect(await field(CONFIGMAPS, "job-")).toEqual([]);
  expect(await field(CONFIGMAPS, "x".repeat(100))).toEqual([]);
  expect(await field(CONFIGMAPS, "x".repeat(254))).toEqual(["metadata.generateName"]);
  expect(await field(CONFIGMAPS, "Job-")).toEqual(["metadata.generateName", "metadata.name"]);
  expect(await field("/api/v1/namespaces", "x".repeat(64))).toEqual(["metadata.generateName"]);
});

test("an Event cannot be an owner, and contradictory finalizers are rejected", async () => {
  const owner = { apiVersion: "v1", kind: "Event", name: "e", uid: "u" };
  const metadata = { name: "a", ownerReferences: [owner], finalizers: ["orphan", "foregroundDeletion"] };
  const { code, body } = await new ApiHarness().call("POST", CONFIGMAPS, { metadata });
  expect([code, body.details?.causes?.map(({ field, message }) => `${field}: ${message}`)]).toEqual([
    422,
    [
      `metadata.ownerReferences: Invalid value: ${JSON.stringify(owner)}: /v1, Kind=Event is disallowed from being an owner`,
      'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    ],
  ]);
});
