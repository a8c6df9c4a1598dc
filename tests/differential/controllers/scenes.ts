import type { JsonObject, JsonValue } from "@levelset/core";
import { REVISION_SCENES } from "./revisions.ts";
import { APPS, template } from "./scene.ts";
import type { Act, Look, Scene } from "./scene.ts";
import type { Asked } from "../pair.ts";
import { get, items, list, member, merge, post, settled, textOf } from "./server.ts";

/** Where namespaces are. */
export const CORE = "/api/v1/namespaces";
const BATCH = "/apis/batch/v1/namespaces";

/** The conditions of an object without their times, by type; names that the server made up are left out of messages. */
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

/** Marks the first `count` pods as ready that are not. */
function readyPods(count: number): Act {
  return async (asked, namespace) => {
    const pods = await items(asked, `${CORE}/${namespace}/pods`);
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
      await merge(asked, `${CORE}/${namespace}/pods/${textOf(member(pod, "metadata", "name"))}/status`, { status });
    }
  };
}

const deploymentLook: Look = async (asked, namespace) => {
  const deployment = await get(asked, `${APPS}/${namespace}/deployments/web`);
  const { conditions: _conditions, ...counts } = (member(deployment, "status") as JsonObject | undefined) ?? {};
  const sets = await items(asked, `${APPS}/${namespace}/replicasets`);
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

const setLook: Look = async (asked, namespace) => {
  const set = await get(asked, `${APPS}/${namespace}/statefulsets/db`);
  const { currentRevision, updateRevision, ...status } = (member(set, "status") as JsonObject | undefined) ?? {};
  const pods = await items(asked, `${CORE}/${namespace}/pods`);
  return {
    status,
    isUpdated: currentRevision === updateRevision,
    pods: pods.map((pod) => [
      member(pod, "metadata", "name"),
      list(member(pod, "spec", "containers")).map((each) => member(each, "image")),
      member(pod, "spec", "hostname"),
      member(pod, "spec", "subdomain"),
    ]),
    claims: (await items(asked, `${CORE}/${namespace}/persistentvolumeclaims`)).map((claim) =>
      member(claim, "metadata", "name"),
    ),
    revisions: (await items(asked, `${APPS}/${namespace}/controllerrevisions`))
      .map((each) => member(each, "revision"))
      .toSorted((a, b) => Number(a) - Number(b)),
  };
};

const jobLook: Look = async (asked, namespace) => {
  const job = await get(asked, `${BATCH}/${namespace}/jobs/j`);
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

const mapsLook: Look = async (asked, namespace) =>
  (await items(asked, `${CORE}/${namespace}/configmaps`))
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
  asked: Asked,
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
  return post(asked, `${CORE}/${namespace}/configmaps`, { metadata: { name, ownerReferences, finalizers } });
}

/** a ← b ← c, and d, which also belongs to x; c is held. */
const family: Act = async (asked, namespace) => {
  const [a, x] = [await configMap(asked, namespace, "a"), await configMap(asked, namespace, "x")];
  const b = await configMap(asked, namespace, "b", [[a, true]]);
  await configMap(asked, namespace, "c", [[b, true]], ["x.dev/y"]);
  await configMap(asked, namespace, "d", [
    [a, true],
    [x, false],
  ]);
};

function deletion(name: string, options: object): Act {
  return async (asked, namespace) => {
    await asked.ask(`${CORE}/${namespace}/configmaps/${name}`, { method: "DELETE", body: options });
  };
}

const release: Act = (asked, namespace) =>
  merge(asked, `${CORE}/${namespace}/configmaps/c`, { metadata: { finalizers: null } });

const deploy: Act = async (asked, namespace) => {
  const spec = { replicas: 4, selector: { matchLabels: { app: "web" } }, template: template("web") };
  await post(asked, `${APPS}/${namespace}/deployments`, {
    metadata: { name: "web", annotations: { note: "mine" } },
    spec,
  });
};

function changeDeployment(spec: object): Act {
  return (asked, namespace) => merge(asked, `${APPS}/${namespace}/deployments/web`, { spec });
}

function newSet(spec: object = {}): Act {
  return async (asked, namespace) => {
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
    await post(asked, `${APPS}/${namespace}/statefulsets`, { metadata: { name: "db" }, spec: body });
  };
}

function changeSet(spec: object): Act {
  return (asked, namespace) => merge(asked, `${APPS}/${namespace}/statefulsets/db`, { spec });
}

function newJob(spec: object): Act {
  return async (asked, namespace) => {
    await post(asked, `${BATCH}/${namespace}/jobs`, {
      metadata: { name: "j" },
      spec: { template: template("j", "job:1", { restartPolicy: "Never" }), ...spec },
    });
  };
}

function endPods(phase: "Succeeded" | "Failed"): Act {
  return async (asked, namespace) => {
    for (const pod of await items(asked, `${CORE}/${namespace}/pods`)) {
      if (["Succeeded", "Failed"].includes(textOf(member(pod, "status", "phase")))) continue;
      await merge(asked, `${CORE}/${namespace}/pods/${textOf(member(pod, "metadata", "name"))}/status`, {
        status: { phase },
      });
    }
  };
}

const endpointsLook: Look = async (asked, namespace) => {
  const slices = await items(asked, `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`);
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

/** Everything that is compared. */
export const SCENES: readonly Scene[] = [
  {
    name: "a tree deleted in the background",
    look: mapsLook,
    acts: [family, deletion("a", { propagationPolicy: "Background" }), release],
  },
  {
    name: "a tree deleted in the foreground",
    look: mapsLook,
    acts: [family, deletion("a", { propagationPolicy: "Foreground" }), release],
  },
  {
    name: "a tree deleted with orphans",
    look: mapsLook,
    acts: [family, deletion("a", { propagationPolicy: "Orphan" }), deletion("x", { orphanDependents: true })],
  },
  {
    name: "a deployment that rolls out, is scaled in the middle, and goes back",
    look: deploymentLook,
    acts: [
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
    look: deploymentLook,
    acts: [
      deploy,
      changeDeployment({ paused: true, template: template("web", "web:2") }),
      changeDeployment({ replicas: 6 }),
      changeDeployment({ paused: false, strategy: { type: "Recreate", rollingUpdate: null } }),
      readyPods(20),
    ],
  },
  {
    name: "a stateful set that grows, is updated and shrinks",
    look: setLook,
    acts: [
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
    look: setLook,
    acts: [
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
    look: jobLook,
    acts: [newJob({ completions: 3, parallelism: 2 }), endPods("Succeeded"), endPods("Succeeded")],
  },
  { name: "a job that fails", look: jobLook, acts: [newJob({ backoffLimit: 0 }), endPods("Failed")] },
  {
    name: "a job that is suspended",
    look: jobLook,
    acts: [
      newJob({ suspend: true }),
      (asked, namespace) => merge(asked, `${BATCH}/${namespace}/jobs/j`, { spec: { suspend: false } }),
    ],
  },
  {
    name: "a service and its endpoints",
    look: endpointsLook,
    acts: [
      async (asked, namespace) => {
        const spec = { selector: { app: "web" }, ports: [{ name: "http", port: 80, targetPort: 8080 }] };
        await post(asked, `${CORE}/${namespace}/services`, { metadata: { name: "web" }, spec });
        // Cordoned, so that pods of other scenes stay away.
        await post(asked, "/api/v1/nodes", { metadata: { name: namespace }, spec: { unschedulable: true } });
        const set = {
          replicas: 1,
          selector: { matchLabels: { app: "web" } },
          template: template("web", "web:1", { nodeName: namespace }),
        };
        await post(asked, `${APPS}/${namespace}/replicasets`, { metadata: { name: "web" }, spec: set });
        await settled(async () => (await items(asked, `${CORE}/${namespace}/pods`)).length);
        await readyPods(1)(asked, namespace);
      },
    ],
  },
  ...REVISION_SCENES,
  {
    name: "a namespace whose content is held",
    look: async (asked, namespace) => {
      const found = await get(asked, `${CORE}/${namespace}`);
      return [member(found, "status", "phase"), member(found, "spec"), conditions(found)];
    },
    acts: [
      family,
      async (asked, namespace) => {
        await asked.ask(`${CORE}/${namespace}`, { method: "DELETE" });
      },
      release,
    ],
  },
];
