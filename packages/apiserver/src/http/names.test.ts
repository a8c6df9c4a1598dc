import { describe, expect, test } from "vitest";
import { BUILTINS } from "../registry/index.ts";
import type { Resource } from "../registry/index.ts";
import { Api, CONFIGMAPS } from "./api.fixture.ts";

/** The rule for the names of a kind. A real kube-apiserver is the judge of this table: tests/differential/names.full.test.ts. */
type Rule = "subdomain" | "label" | "path segment" | "CRD" | "52 characters";

/** Kinds whose names are not just DNS subdomains. */
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

/** A name, and the rules that take it. A CRD must have the name that its spec implies, which none of these is. */
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

const STORED: readonly Resource[] = BUILTINS.filter(({ verbs }) => verbs.includes("create") && verbs.includes("get"));

function pathOf({ group, version, plural, scope }: Resource): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}${scope === "Namespaced" ? "/namespaces/default" : ""}/${plural}?dryRun=All`;
}

describe("a name of a built-in kind is taken or refused as the real server does", () => {
  test.each(STORED.map((resource) => [`${resource.group}/${resource.version} ${resource.kind}`, resource] as const))(
    "%s",
    async (_name, resource) => {
      const api = new Api();
      const rule = (resource.group === "events.k8s.io" ? undefined : RULES[resource.id]) ?? "subdomain";
      for (const [name, takenBy] of NAMES) {
        const { body } = await api.call("POST", pathOf(resource), { metadata: { name } });
        const isRefused = body.details?.causes?.some(({ field }) => field === "metadata.name") === true;
        expect([name, isRefused]).toEqual([name, !takenBy.includes(rule)]);
      }
    },
  );
});

test("a prefix of a name is checked as a whole, and may end in a dash", async () => {
  const api = new Api();
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

test("an owner cannot be an Event, and no finalizer asks for the contrary of another", async () => {
  const owner = { apiVersion: "v1", kind: "Event", name: "e", uid: "u" };
  const metadata = { name: "a", ownerReferences: [owner], finalizers: ["orphan", "foregroundDeletion"] };
  const { code, body } = await new Api().call("POST", CONFIGMAPS, { metadata });
  expect([code, body.details?.causes?.map(({ field, message }) => `${field}: ${message}`)]).toEqual([
    422,
    [
      `metadata.ownerReferences: Invalid value: ${JSON.stringify(owner)}: /v1, Kind=Event is disallowed from being an owner`,
      'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    ],
  ]);
});
