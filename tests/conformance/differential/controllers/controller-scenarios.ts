import type { JsonObject, JsonValue } from "@levelset/core";
import { REVISION_SCENARIOS } from "./revisions.ts";
import { APPS, template } from "./controller-scenario.ts";
import type { ScenarioStep, Observe, ControllerScenario } from "./controller-scenario.ts";
import type { RawClient } from "../raw-clients.ts";
import { get, items, list, member, merge, post, untilStable, textOf } from "./server.ts";

/** Base path of namespaces. */
export const CORE = "/api/v1/namespaces";
const BATCH = "/apis/batch/v1/namespaces";

/** Conditions of an object without times, sorted by type; generated names are removed from messages. */
function conditions(object: JsonValue | undefined): readonly unknown[] {
  return list(member(object, "status", "conditions"))
    .map((condition) => [
      member(condition, "type"),
      member(condition, "status"),
      member(condition, "reason"),
      textOf(member(condition, "message")).replaceAll(/"[\w.-]+"/gu, "NAME"),
    ])
    .toSorted(([a], [b]) => (textOf(a) < textOf(b) ? -1 : 1));
}

/** Marks the first `count` unready pods as ready. */
function readyPods(count: number): ScenarioStep {
  return async (client, namespace) => {
    const pods = await items(client, `${CORE}/${namespace}/pods`);
    const isReady = (pod: JsonValue): boolean =>
      list(member(pod, "status", "conditions")).some(
        (each) => member(each, "type") === "Ready" && member(each, "status") === "True",
      );
    const unready = pods.filter((pod) => !isReady(pod) && member(pod, "metadata", "deletionTimestamp") === undefined);
    for (const [index, pod] of unready.slice(0, count).entries()) {
      const lastTransitionTime = "2026-01-01T00:00:00Z";
      const status = {
        phase: "Running",
        podIP: `10.9.8.${index + 1}`,
        podIPs: [{ ip: `10.9.8.${index + 1}` }],
        conditions: [{ type: "Ready", status: "True", lastTransitionTime }],
      };
      await merge(client, `${CORE}/${namespace}/pods/${textOf(member(pod, "metadata", "name"))}/status`, { status });
    }
  };
}

const deploymentLook: Observe = async (client, namespace) => {
  const deployment = await get(client, `${APPS}/${namespace}/deployments/web`);
  const { conditions: _conditions, ...counts } = (member(deployment, "status") as JsonObject | undefined) ?? {};
  const sets = await items(client, `${APPS}/${namespace}/replicasets`);
  return {
    counts,
    conditions: conditions(deployment),
    revision: member(deployment, "metadata", "annotations", "deployment.kubernetes.io/revision"),
    sets: sets
      .map((set) => ({
        annotations: member(set, "metadata", "annotations"),
        size: member(set, "spec", "replicas"),
        owner: list(member(set, "metadata", "ownerReferences")).map((owner) => [
          member(owner, "kind"),
          member(owner, "name"),
          member(owner, "controller"),
          member(owner, "blockOwnerDeletion"),
        ]),
        labels: Object.keys((member(set, "metadata", "labels") as JsonObject | undefined) ?? {}),
        selector: Object.keys((member(set, "spec", "selector", "matchLabels") as JsonObject | undefined) ?? {}),
      }))
      .toSorted((a, b) => (JSON.stringify(a.annotations) < JSON.stringify(b.annotations) ? -1 : 1)),
  };
};

const setLook: Observe = async (client, namespace) => {
  const set = await get(client, `${APPS}/${namespace}/statefulsets/db`);
  const { currentRevision, updateRevision, ...status } = (member(set, "status") as JsonObject | undefined) ?? {};
  const pods = await items(client, `${CORE}/${namespace}/pods`);
  return {
    status,
    isUpdated: currentRevision === updateRevision,
    pods: pods.map((pod) => [
      member(pod, "metadata", "name"),
      list(member(pod, "spec", "containers")).map((each) => member(each, "image")),
      member(pod, "spec", "hostname"),
      member(pod, "spec", "subdomain"),
    ]),
    claims: (await items(client, `${CORE}/${namespace}/persistentvolumeclaims`)).map((claim) =>
      member(claim, "metadata", "name"),
    ),
    revisions: (await items(client, `${APPS}/${namespace}/controllerrevisions`))
      .map((each) => member(each, "revision"))
      .toSorted((a, b) => Number(a) - Number(b)),
  };
};

const jobLook: Observe = async (client, namespace) => {
  const job = await get(client, `${BATCH}/${namespace}/jobs/j`);
  const {
    conditions: _conditions,
    startTime,
    completionTime,
    ...counts
  } = (member(job, "status") as JsonObject | undefined) ?? {};
  return {
    counts,
    conditions: conditions(job),
    hasStarted: startTime !== undefined,
    hasCompleted: completionTime !== undefined,
  };
};

const mapsLook: Observe = async (client, namespace) =>
  (await items(client, `${CORE}/${namespace}/configmaps`))
    .filter((map) => member(map, "metadata", "name") !== "kube-root-ca.crt")
    .map((map) => [
      member(map, "metadata", "name"),
      member(map, "metadata", "finalizers"),
      member(map, "metadata", "deletionTimestamp") !== undefined,
      list(member(map, "metadata", "ownerReferences")).map((owner) => [
        member(owner, "name"),
        member(owner, "blockOwnerDeletion"),
      ]),
    ]);

async function configMap(
  client: RawClient,
  namespace: string,
  name: string,
  owners: readonly (readonly [JsonObject, boolean])[] = [],
  finalizers: readonly string[] = [],
): Promise<JsonObject> {
  const ownerReferences = owners.map(([owner, blockOwnerDeletion]) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    name: member(owner, "metadata", "name"),
    uid: member(owner, "metadata", "uid"),
    blockOwnerDeletion,
  }));
  return post(client, `${CORE}/${namespace}/configmaps`, { metadata: { name, ownerReferences, finalizers } });
}

/** Creates a ← b ← c, and d, which is also owned by x; c has a finalizer. */
const family: ScenarioStep = async (client, namespace) => {
  const [a, x] = [await configMap(client, namespace, "a"), await configMap(client, namespace, "x")];
  const b = await configMap(client, namespace, "b", [[a, true]]);
  await configMap(client, namespace, "c", [[b, true]], ["x.dev/y"]);
  await configMap(client, namespace, "d", [
    [a, true],
    [x, false],
  ]);
};

function deletion(name: string, options: object): ScenarioStep {
  return async (client, namespace) => {
    await client.request(`${CORE}/${namespace}/configmaps/${name}`, { method: "DELETE", body: options });
  };
}

const release: ScenarioStep = (client, namespace) =>
  merge(client, `${CORE}/${namespace}/configmaps/c`, { metadata: { finalizers: null } });

const deploy: ScenarioStep = async (client, namespace) => {
  const spec = { replicas: 4, selector: { matchLabels: { app: "web" } }, template: template("web") };
  await post(client, `${APPS}/${namespace}/deployments`, {
    metadata: { name: "web", annotations: { note: "mine" } },
    spec,
  });
};

function changeDeployment(spec: object): ScenarioStep {
  return (client, namespace) => merge(client, `${APPS}/${namespace}/deployments/web`, { spec });
}

function newSet(spec: object = {}): ScenarioStep {
  return async (client, namespace) => {
    const claim = {
      metadata: { name: "data" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    };
    const body = {
      replicas: 3,
      serviceName: "db",
      selector: { matchLabels: { app: "db" } },
      template: template("db"),
      volumeClaimTemplates: [claim],
      ...spec,
    };
    await post(client, `${APPS}/${namespace}/statefulsets`, { metadata: { name: "db" }, spec: body });
  };
}

function changeSet(spec: object): ScenarioStep {
  return (client, namespace) => merge(client, `${APPS}/${namespace}/statefulsets/db`, { spec });
}

function newJob(spec: object): ScenarioStep {
  return async (client, namespace) => {
    await post(client, `${BATCH}/${namespace}/jobs`, {
      metadata: { name: "j" },
      spec: { template: template("j", "job:1", { restartPolicy: "Never" }), ...spec },
    });
  };
}

function endPods(phase: "Succeeded" | "Failed"): ScenarioStep {
  return async (client, namespace) => {
    for (const pod of await items(client, `${CORE}/${namespace}/pods`)) {
      if (["Succeeded", "Failed"].includes(textOf(member(pod, "status", "phase")))) continue;
      await merge(client, `${CORE}/${namespace}/pods/${textOf(member(pod, "metadata", "name"))}/status`, {
        status: { phase },
      });
    }
  };
}

const endpointsLook: Observe = async (client, namespace) => {
  const slices = await items(client, `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`);
  return slices.map((slice) => ({
    addressType: member(slice, "addressType"),
    ports: member(slice, "ports"),
    endpoints: list(member(slice, "endpoints")).map((each) => [
      list(member(each, "addresses")).length,
      member(each, "conditions"),
      member(each, "targetRef", "kind"),
    ]),
    labels: member(slice, "metadata", "labels"),
  }));
};

/** All compared scenarios. */
export const CONTROLLER_SCENARIOS: readonly ControllerScenario[] = [
  {
    name: "a tree deleted in the background",
    observe: mapsLook,
    steps: [family, deletion("a", { propagationPolicy: "Background" }), release],
  },
  {
    name: "a tree deleted in the foreground",
    observe: mapsLook,
    steps: [family, deletion("a", { propagationPolicy: "Foreground" }), release],
  },
  {
    name: "a tree deleted with orphans",
    observe: mapsLook,
    steps: [family, deletion("a", { propagationPolicy: "Orphan" }), deletion("x", { orphanDependents: true })],
  },
  {
    name: "a deployment that rolls out, is scaled during the rollout, and rolls back",
    observe: deploymentLook,
    steps: [
      deploy,
      readyPods(2),
      readyPods(9),
      changeDeployment({ template: template("web", "web:2") }),
      readyPods(1),
      changeDeployment({ replicas: 9 }),
      readyPods(2),
      changeDeployment({ template: template("web", "web:1") }),
      readyPods(20),
      changeDeployment({ replicas: 2 }),
    ],
  },
  {
    name: "a deployment that is paused and recreated",
    observe: deploymentLook,
    steps: [
      deploy,
      changeDeployment({ paused: true, template: template("web", "web:2") }),
      changeDeployment({ replicas: 6 }),
      changeDeployment({ paused: false, strategy: { type: "Recreate", rollingUpdate: null } }),
      readyPods(20),
    ],
  },
  {
    name: "a stateful set that grows, is updated and shrinks",
    observe: setLook,
    steps: [
      newSet(),
      readyPods(1),
      readyPods(1),
      readyPods(1),
      changeSet({ template: template("db", "web:2") }),
      readyPods(1),
      readyPods(1),
      readyPods(1),
      changeSet({ replicas: 1 }),
    ],
  },
  {
    name: "a stateful set with a partition, in parallel",
    observe: setLook,
    steps: [
      newSet({
        podManagementPolicy: "Parallel",
        updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 2 } },
      }),
      readyPods(9),
      changeSet({ template: template("db", "web:2") }),
      readyPods(9),
    ],
  },
  {
    name: "a job that completes",
    observe: jobLook,
    steps: [newJob({ completions: 3, parallelism: 2 }), endPods("Succeeded"), endPods("Succeeded")],
  },
  { name: "a job that fails", observe: jobLook, steps: [newJob({ backoffLimit: 0 }), endPods("Failed")] },
  {
    name: "a job that is suspended",
    observe: jobLook,
    steps: [
      newJob({ suspend: true }),
      (client, namespace) => merge(client, `${BATCH}/${namespace}/jobs/j`, { spec: { suspend: false } }),
    ],
  },
  {
    name: "a service and its endpoints",
    observe: endpointsLook,
    steps: [
      async (client, namespace) => {
        const spec = { selector: { app: "web" }, ports: [{ name: "http", port: 80, targetPort: 8080 }] };
        await post(client, `${CORE}/${namespace}/services`, { metadata: { name: "web" }, spec });
        // Cordoned, so that pods of other scenarios are not scheduled on it.
        await post(client, "/api/v1/nodes", { metadata: { name: namespace }, spec: { unschedulable: true } });
        const set = {
          replicas: 1,
          selector: { matchLabels: { app: "web" } },
          template: template("web", "web:1", { nodeName: namespace }),
        };
        await post(client, `${APPS}/${namespace}/replicasets`, { metadata: { name: "web" }, spec: set });
        await untilStable(async () => (await items(client, `${CORE}/${namespace}/pods`)).length);
        await readyPods(1)(client, namespace);
      },
    ],
  },
  ...REVISION_SCENARIOS,
  {
    name: "a namespace whose content has finalizers",
    observe: async (client, namespace) => {
      const found = await get(client, `${CORE}/${namespace}`);
      return [member(found, "status", "phase"), member(found, "spec"), conditions(found)];
    },
    steps: [
      family,
      async (client, namespace) => {
        await client.request(`${CORE}/${namespace}`, { method: "DELETE" });
      },
      release,
    ],
  },
];
