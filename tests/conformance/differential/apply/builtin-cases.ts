import { randomInt } from "@levelset/core/internal";
import type { JsonObject, JsonValue, Random } from "@levelset/core";
import { chance, oneOf, someOf } from "./chance.ts";
import type { Case, CaseOperation, PatchType } from "./operation.ts";

/** Generator of random objects of a kind: always valid, small, and with few values, so that managers conflict. */
interface Shape {
  readonly title: string;
  readonly collection: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** All fields except type and name. `whole`: sufficient to create the object. */
  body(random: Random, whole: boolean): JsonObject;
  /** A status, for kinds with an interesting status. */
  status?(random: Random): JsonObject;
}

const MANAGERS = ["alpha", "beta", "gamma", "kubectl"];
const VALUES = ["1", "2", "3"];
const KEYS = ["a", "b", "c"];

function texts(random: Random): JsonObject {
  return Object.fromEntries(someOf(random, KEYS).map((key) => [key, oneOf(random, VALUES)]));
}

function metadata(random: Random): JsonObject {
  return {
    ...(chance(random, 0.4) ? { labels: texts(random) } : {}),
    ...(chance(random, 0.3) ? { annotations: texts(random) } : {}),
    ...(chance(random, 0.1) ? { finalizers: someOf(random, ["x.dev/a", "x.dev/b"]) } : {}),
    ...(chance(random, 0.1) ? { ownerReferences: someOf(random, ["u1", "u2"]).map(owner(random)) } : {}),
  };
}

function owner(random: Random): (uid: string) => JsonObject {
  return (uid) => ({ apiVersion: "v1", kind: "ConfigMap", name: oneOf(random, KEYS), uid });
}

const CONFIG_MAP: Shape = {
  title: "ConfigMap",
  collection: "/api/v1/namespaces/default/configmaps",
  apiVersion: "v1",
  kind: "ConfigMap",
  body: (random) => ({
    metadata: metadata(random),
    ...(chance(random, 0.8) ? { data: texts(random) } : {}),
    ...(chance(random, 0.2) ? { binaryData: { z: "AA==" } } : {}),
  }),
};

function container(random: Random): (name: string) => JsonObject {
  return (name) => ({
    name,
    ...(chance(random, 0.9) ? { image: `img:${oneOf(random, VALUES)}` } : { image: "img:1" }),
    ...(chance(random, 0.3)
      ? { env: someOf(random, KEYS).map((key) => ({ name: key, value: oneOf(random, VALUES) })) }
      : {}),
    ...(chance(random, 0.3)
      ? {
          ports: someOf(random, [80, 81]).map((containerPort) => ({
            containerPort,
            ...(chance(random, 0.5) ? { protocol: oneOf(random, ["TCP", "UDP"]) } : {}),
            ...(chance(random, 0.3) ? { name: `p${containerPort}` } : {}),
          })),
        }
      : {}),
    ...(chance(random, 0.2) ? { args: someOf(random, KEYS) } : {}),
    ...(chance(random, 0.2) ? { resources: { limits: { cpu: oneOf(random, ["100m", "1", "1000m"]) } } } : {}),
    ...(chance(random, 0.1) ? { securityContext: { privileged: chance(random, 0.5) } } : {}),
  });
}

const DEPLOYMENT: Shape = {
  title: "Deployment",
  collection: "/apis/apps/v1/namespaces/default/deployments",
  apiVersion: "apps/v1",
  kind: "Deployment",
  body: (random, whole) => {
    const names = someOf(random, KEYS);
    const isRecreate = chance(random, 0.1);
    return {
      metadata: metadata(random),
      spec: {
        ...(chance(random, 0.4) ? { replicas: randomInt(random, 0, 3) } : {}),
        ...(chance(random, 0.2) ? { paused: chance(random, 0.5) } : {}),
        ...(whole ? { selector: { matchLabels: { app: "x" } } } : {}),
        ...(isRecreate ? { strategy: { type: "Recreate" } } : {}),
        template: {
          ...(whole || chance(random, 0.3) ? { metadata: { labels: { ...texts(random), app: "x" } } } : {}),
          spec: {
            containers: (whole && names.length === 0 ? ["a"] : names).map(container(random)),
            ...(chance(random, 0.2) ? { nodeSelector: texts(random) } : {}),
            ...(chance(random, 0.2) ? { volumes: someOf(random, KEYS).map((name) => ({ name, emptyDir: {} })) } : {}),
            ...(chance(random, 0.1) ? { tolerations: [{ operator: "Exists" }] } : {}),
          },
        },
      },
    };
  },
  status: (random) => ({
    ...(chance(random, 0.5) ? { replicas: randomInt(random, 1, 3) } : {}),
    ...(chance(random, 0.5) ? { observedGeneration: 1 } : {}),
    conditions: someOf(random, ["Available", "Progressing"]).map((type) => ({
      type,
      status: oneOf(random, ["True", "False"]),
      lastUpdateTime: "2026-01-01T00:00:00Z",
      lastTransitionTime: "2026-01-01T00:00:00Z",
    })),
  }),
};

const SERVICE: Shape = {
  title: "Service",
  collection: "/api/v1/namespaces/default/services",
  apiVersion: "v1",
  kind: "Service",
  body: (random, whole) => {
    const ports = someOf(random, [80, 443, 8080]);
    return {
      metadata: metadata(random),
      spec: {
        ...(chance(random, 0.5) ? { selector: texts(random) } : {}),
        ports: (whole && ports.length === 0 ? [80] : ports).map((port) => ({
          name: `p${port}`,
          port,
          ...(chance(random, 0.5) ? { protocol: "TCP" } : {}),
          ...(chance(random, 0.4) ? { targetPort: oneOf<JsonValue>(random, [port, "http", 9090]) } : {}),
        })),
        ...(chance(random, 0.2) ? { sessionAffinity: oneOf(random, ["None", "ClientIP"]) } : {}),
        ...(chance(random, 0.1) ? { publishNotReadyAddresses: true } : {}),
      },
    };
  },
  status: (random) => ({
    loadBalancer: chance(random, 0.5) ? { ingress: [{ hostname: `${oneOf(random, KEYS)}.example` }] } : {},
    conditions: someOf(random, ["A", "B"]).map((type) => ({
      type,
      status: "True",
      reason: "R",
      message: oneOf(random, VALUES),
      lastTransitionTime: "2026-01-01T00:00:00Z",
    })),
  }),
};

const SHAPES = [CONFIG_MAP, CONFIG_MAP, DEPLOYMENT, DEPLOYMENT, SERVICE];

/** Returns a random case about a built-in kind. */
export function builtinCase(random: Random, name: string): Case {
  const shape = oneOf(random, SHAPES);
  const count = randomInt(random, 3, 8);
  const operations: CaseOperation[] = [first(random, shape, name)];
  while (operations.length < count) operations.push(operation(random, shape, name));
  return { title: shape.title, collection: shape.collection, name, operations };
}

function first(random: Random, shape: Shape, name: string): CaseOperation {
  const manager = oneOf(random, MANAGERS);
  const body = named(shape, name, shape.body(random, true));
  return chance(random, 0.5)
    ? { kind: "create", manager, body }
    : { kind: "apply", manager, force: chance(random, 0.2), body };
}

function named(shape: Shape, name: string, body: JsonObject): JsonObject {
  const { apiVersion, kind } = shape;
  return { apiVersion, kind, ...body, metadata: { ...(body["metadata"] as JsonObject), name } };
}

function operation(random: Random, shape: Shape, name: string): CaseOperation {
  const manager = oneOf(random, MANAGERS);
  const onStatus = shape.status !== undefined && chance(random, 0.25);
  const status = onStatus ? (shape.status?.(random) ?? {}) : {};
  const body = onStatus ? { status } : shape.body(random, chance(random, 0.7));
  const subresource = onStatus ? ({ subresource: "status" } as const) : {};
  if (chance(random, 0.55)) {
    const whole = named(shape, name, body);
    return { kind: "apply", manager, force: chance(random, 0.4), body: whole, ...subresource };
  }
  if (chance(random, 0.3)) return { kind: "update", manager, change: withRemovals(random, body), ...subresource };
  if (chance(random, 0.1)) return reset(random, manager);
  if (chance(random, 0.2)) {
    const path = onStatus ? "/status/observedGeneration" : `/metadata/labels`;
    const value = onStatus ? 2 : texts(random);
    return { kind: "patch", manager, type: "json-patch", patch: [{ op: "add", path, value }], ...subresource };
  }
  const type = oneOf<PatchType>(random, ["merge-patch", "strategic-merge-patch", "strategic-merge-patch"]);
  return { kind: "patch", manager, type, patch: withRemovals(random, body), ...subresource };
}

/** Clears all managers, or sets a single one. */
function reset(random: Random, manager: string): CaseOperation {
  const patch = { metadata: { managedFields: chance(random, 0.5) ? [{}] : [] } };
  return { kind: "patch", manager, type: "merge-patch", patch };
}

/** Sets some members to null, which removes them. */
function withRemovals(random: Random, value: JsonObject): JsonObject {
  const members = Object.entries(value).map(([name, child]): [string, JsonValue] => {
    if (typeof child !== "object" || child === null || Array.isArray(child)) return [name, child];
    return [name, withRemovals(random, child as JsonObject)]; // not a list
  });
  const removed = chance(random, 0.15) ? ["labels", "annotations", "data", "replicas", "nodeSelector", "selector"] : [];
  return Object.fromEntries(members.map(([name, child]) => [name, removed.includes(name) ? null : child]));
}
