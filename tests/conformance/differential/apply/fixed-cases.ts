import type { JsonObject, JsonValue } from "@levelset/core";
import type { Case, CaseOperation } from "./operation.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const APPLY = "apply-patch+yaml";

function raw(method: string, suffix: string, type: string, body: JsonValue): CaseOperation {
  return { kind: "raw", method, suffix, type, body };
}

function apply(manager: string, body: JsonObject, force = false): CaseOperation {
  return { kind: "apply", manager, force, body };
}

function configMap(name: string, data: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata }, data };
}

function configMapCase(name: string, ...operations: readonly CaseOperation[]): Case {
  return { title: "ConfigMap", collection: CONFIG_MAPS, name, operations };
}

/** Rejected requests and the error messages. */
function refusals(): readonly Case[] {
  const a = configMap("refused", { a: "1" });
  const requests: Readonly<Record<string, CaseOperation>> = {
    "no-manager": raw("PATCH", "", APPLY, a),
    "long-manager": raw("PATCH", `?fieldManager=${"x".repeat(129)}`, APPLY, a),
    "unprintable-manager": raw("PATCH", "?fieldManager=a%0Ab", APPLY, a),
    "force-without-apply": raw("PATCH", "?fieldManager=m&force=true", "merge-patch+json", {}),
    "other-name": raw("PATCH", "?fieldManager=m", APPLY, configMap("other", {})),
    "no-name": raw("PATCH", "?fieldManager=m", APPLY, { apiVersion: "v1", kind: "ConfigMap" }),
    "other-namespace": raw("PATCH", "?fieldManager=m", APPLY, configMap("refused", {}, { namespace: "kube-system" })),
    "other-kind": raw("PATCH", "?fieldManager=m", APPLY, { ...a, kind: "Secret" }),
    "no-kind": raw("PATCH", "?fieldManager=m", APPLY, { metadata: { name: "refused" } }),
    "other-version": raw("PATCH", "?fieldManager=m", APPLY, { ...a, apiVersion: "v2" }),
    "managed-fields": raw("PATCH", "?fieldManager=m", APPLY, configMap("refused", {}, { managedFields: [] })),
    "unknown-field": raw("PATCH", "?fieldManager=m", APPLY, { ...a, nope: 1 }),
    "wrong-type": raw("PATCH", "?fieldManager=m", APPLY, configMap("refused", { a: 1 })),
    "wrong-types": raw("PATCH", "?fieldManager=m", APPLY, { ...a, immutable: "yes", data: [1] }),
    "a-list": raw("PATCH", "?fieldManager=m", APPLY, "[1]"),
    "a-text": raw("PATCH", "?fieldManager=m", APPLY, "just text"),
    nothing: raw("PATCH", "?fieldManager=m", APPLY, ""),
    cbor: raw("PATCH", "?fieldManager=m", "apply-patch+cbor", a),
    "own-uid": raw("PATCH", "?fieldManager=m", APPLY, configMap("own-uid", {}, { uid: "1" })),
    "own-version": raw("PATCH", "?fieldManager=m", APPLY, configMap("own-version", {}, { resourceVersion: "1" })),
    "bad-dry-run": raw("PATCH", "?fieldManager=m&dryRun=some", APPLY, a),
  };
  return Object.entries(requests).map(([name, operation]) =>
    name.startsWith("own-") ? configMapCase(name, operation) : { ...configMapCase("refused", operation), title: name },
  );
}

function yaml(name: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  a: "yes"\n  b: "1"\n  a: "2"\n`;
}

const DEPLOYMENT: JsonObject = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "fixed" },
  spec: {
    selector: { matchLabels: { app: "x" } },
    template: {
      metadata: { labels: { app: "x" } },
      spec: { containers: [{ name: "c", image: "img:1", ports: [{ containerPort: 80 }] }] },
    },
  },
};

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** Annotations of a client-side apply. */
function clientSide(name: string, data: JsonObject): JsonObject {
  const body = configMap(name, data);
  return configMap(name, data, { annotations: { [LAST_APPLIED]: `${JSON.stringify(body)}\n` } });
}

/** Cases for corners that random cases do not reach. */
export function fixedCases(): readonly Case[] {
  const many = Array.from({ length: 13 }, (_, index) => `m${String(index).padStart(2, "0")}`);
  const owners = [
    { manager: "x", operation: "Update", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: { "f:data": {} } },
  ];
  const broken = [{ manager: "x", operation: "Jump", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: {} }];
  return [
    ...refusals(),
    configMapCase("dry", raw("PATCH", "?fieldManager=m&dryRun=All", APPLY, configMap("dry", { a: "1" }))),
    configMapCase("twice", raw("PATCH", "?fieldManager=m&fieldValidation=Strict", APPLY, yaml("twice"))),
    configMapCase("ignored", raw("PATCH", "?fieldManager=m&fieldValidation=Ignore", APPLY, yaml("ignored"))),
    configMapCase("warned", raw("PATCH", "?fieldManager=m", APPLY, yaml("warned"))),
    configMapCase("same", apply("a", configMap("same", { a: "1" })), apply("a", configMap("same", { a: "1" }))),
    configMapCase("shared", apply("a", configMap("shared", { a: "1" })), apply("b", configMap("shared", { a: "1" }))),
    configMapCase(
      "crowd",
      ...many.map((manager, index): CaseOperation => {
        return index === 0
          ? { kind: "create", manager, body: configMap("crowd", { [manager]: "1" }) }
          : { kind: "patch", manager, type: "merge-patch", patch: { data: { [manager]: "1" } } };
      }),
    ),
    configMapCase(
      "given-owners",
      apply("a", configMap("given-owners", { a: "1" })),
      { kind: "update", manager: "b", change: { metadata: { managedFields: owners } } },
      { kind: "update", manager: "b", change: { metadata: { managedFields: broken } } },
      { kind: "update", manager: "b", change: { metadata: { managedFields: [] } } },
      { kind: "update", manager: "b", change: { data: { b: "1" } } },
      apply("c", configMap("given-owners", { a: "2" })),
      apply("c", configMap("given-owners", { a: "2" }), true),
    ),
    configMapCase("new-owners", {
      kind: "create",
      manager: "a",
      body: configMap("new-owners", { a: "1" }, { managedFields: owners }),
    }),
    configMapCase(
      "client-side",
      { kind: "create", manager: "kubectl-client-side-apply", body: clientSide("client-side", { a: "1", b: "1" }) },
      apply("kubectl", configMap("client-side", { a: "2", b: "1" })),
      { kind: "patch", manager: "other", type: "merge-patch", patch: { data: { b: "3" } } },
      apply("kubectl", configMap("client-side", { a: "2", b: "4" })),
    ),
    configMapCase(
      "generated",
      { kind: "create", manager: "a", body: configMap("generated", { a: "1" }, { generateName: "g-", labels: {} }) },
      { kind: "update", manager: "b", change: { metadata: { labels: null, generateName: null } } },
    ),
    deploymentCase(),
    ...strategicCases(),
  ];
}

/** A deployment that is applied, scaled, and given a port twice. */
function deploymentCase(): Case {
  const ports = [80, 80].map((containerPort) => ({ containerPort, name: `p${containerPort}` }));
  const twice = { spec: { template: { spec: { containers: [{ name: "c", image: "img:1", ports }] } } } };
  return {
    title: "Deployment",
    collection: DEPLOYMENTS,
    name: "fixed",
    operations: [
      apply("a", DEPLOYMENT),
      raw("PATCH", "/scale?fieldManager=scaler", "merge-patch+json", { spec: { replicas: 3 } }),
      raw("GET", "", "json", ""),
      apply("b", { ...DEPLOYMENT, spec: { replicas: 2 } }),
      apply("b", { ...DEPLOYMENT, spec: { replicas: 2 } }, true),
      ...[5, 4, 4].map((replicas, index) => {
        return raw("PATCH", `/scale?fieldManager=s${index}`, "merge-patch+json", { spec: { replicas } });
      }),
      raw("GET", "", "json", ""),
      raw("PATCH", "/scale?fieldManager=s1", "merge-patch+json", { spec: { replicas: 6 } }),
      apply("b", { ...DEPLOYMENT, spec: { replicas: 2 } }),
      { kind: "update", manager: "c", change: twice },
      apply("a", DEPLOYMENT),
      {
        kind: "update",
        manager: "c",
        change: { spec: { template: { spec: { containers: [{ name: "c", image: "i" }] } } } },
      },
      raw("PATCH", "/status?fieldManager=s", APPLY, {
        ...DEPLOYMENT,
        spec: { replicas: 9 },
        status: { replicas: 1 },
      }),
      raw("GET", "", "json", ""),
    ],
  };
}

/** Directives of strategic merge patches. */
function strategicCases(): readonly Case[] {
  const template = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } });
  const volumes = [
    { name: "v", emptyDir: {} },
    { name: "w", configMap: { name: "x" } },
  ];
  const patches: Readonly<Record<string, JsonObject>> = {
    merge: template({ containers: [{ name: "c", env: [{ name: "A", value: "1" }] }] }),
    add: template({ containers: [{ name: "d", image: "img:2" }] }),
    delete: template({
      containers: [
        { name: "c", $patch: "delete" },
        { name: "e", image: "img:3" },
      ],
    }),
    replace: template({ containers: [{ $patch: "replace" }, { name: "f", image: "img:4" }] }),
    "set-order": template({
      "$setElementOrder/containers": [{ name: "d" }, { name: "c" }],
      containers: [{ name: "d", image: "img:5" }],
    }),
    "order-only": template({ "$setElementOrder/volumes": [{ name: "w" }, { name: "v" }] }),
    "bad-order": template({
      "$setElementOrder/containers": [{ name: "c" }],
      containers: [{ name: "d", image: "img:5" }],
    }),
    "retain-keys": template({ volumes: [{ $retainKeys: ["name", "emptyDir"], name: "w", emptyDir: {} }] }),
    "bad-retain-keys": template({ volumes: [{ $retainKeys: ["name"], name: "w", emptyDir: {} }] }),
    strategy: { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } },
    "replace-map": { metadata: { labels: { $patch: "replace", only: "1" } } },
    "delete-map": { metadata: { labels: { $patch: "delete" } } },
    "bad-directive": { metadata: { labels: { $patch: "jump" } } },
    "bad-item": template({ containers: [{ name: "c", $patch: "jump" }] }),
    "merge-item": template({ containers: [{ name: "c", $patch: "merge" }] }),
    "no-key": template({ containers: [{ image: "img:6" }] }),
    "delete-finalizers": { metadata: { "$deleteFromPrimitiveList/finalizers": ["x.dev/a"] } },
    "add-finalizer": { metadata: { finalizers: ["x.dev/c"] } },
    "order-finalizers": {
      metadata: { "$setElementOrder/finalizers": ["x.dev/b", "x.dev/a"], finalizers: ["x.dev/b"] },
    },
    nulls: template({ volumes: null, containers: [{ name: "c", ports: null }] }),
    "no-patch": {},
  };
  return Object.entries(patches).map(([name, patch]) => {
    const metadata = { name, labels: { a: "1" }, finalizers: ["x.dev/a", "x.dev/b"] };
    const spec = { ...(DEPLOYMENT["spec"] as JsonObject) };
    const pod = (spec["template"] as JsonObject)["spec"] as JsonObject;
    const full = { ...(spec["template"] as JsonObject), spec: { ...pod, volumes } };
    const body = { ...DEPLOYMENT, metadata, spec: { ...spec, template: full } };
    return {
      title: `strategic merge patch ${name}`,
      collection: DEPLOYMENTS,
      name,
      operations: [
        { kind: "create", manager: "a", body },
        raw("PATCH", "?fieldManager=b", "strategic-merge-patch+json", patch),
      ],
    };
  });
}
