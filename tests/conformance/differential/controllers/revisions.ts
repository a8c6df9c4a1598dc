import type { JsonObject, JsonValue } from "@levelset/core";
import type { RawClient } from "../raw-clients.ts";
import { APPS, template } from "./controller-scenario.ts";
import type { ScenarioStep, Observe, ControllerScenario } from "./controller-scenario.ts";
import { get, items, member, merge, post, untilEqual, textOf } from "./server.ts";

type Revised = "daemonsets" | "statefulsets";

/** Revisions of a workload by number; generated names are masked. */
async function revisionsIn(client: RawClient, namespace: string): Promise<readonly JsonObject[]> {
  const found = await items(client, `${APPS}/${namespace}/controllerrevisions`);
  return found
    .map((each) => each as JsonObject) // a list of objects
    .toSorted((a, b) => Number(a["revision"]) - Number(b["revision"]));
}

function chosenName(name: JsonValue | undefined): string {
  return name === "copy" ? "copy" : "made by the server";
}

const revisionLook: Observe = async (client, namespace) => {
  const revisions = await revisionsIn(client, namespace);
  const [set] = await items(client, `${APPS}/${namespace}/statefulsets`);
  return {
    revisions: revisions.map((each) => [chosenName(member(each, "metadata", "name")), each["revision"]]),
    update: chosenName(member(set, "status", "updateRevision")),
  };
};

/** Copies the newest revision under another name with the next number. */
function copyRevision(resource: Revised): ScenarioStep {
  return async (client, namespace) => {
    const newest = (await revisionsIn(client, namespace)).at(-1);
    await post(client, `${APPS}/${namespace}/controllerrevisions`, {
      metadata: {
        name: "copy",
        labels: member(newest, "metadata", "labels"),
        ownerReferences: member(newest, "metadata", "ownerReferences"),
      },
      data: newest?.["data"],
      revision: Number(newest?.["revision"]) + 1,
    });
    await touch(resource)(client, namespace);
  };
}

/**
 * Changes an annotation of a workload. The controllers of Kubernetes do not sync on a new revision alone, and one sync
 * may run before the cache has the revision.
 */
function touch(resource: Revised): ScenarioStep {
  return async (client, namespace) => {
    const path = `${APPS}/${namespace}/${resource}/web`;
    const { resourceVersion } = (member(await get(client, path), "metadata") ?? {}) as JsonObject; // metadata is an object
    await merge(client, path, { metadata: { annotations: { touched: textOf(resourceVersion) } } });
  };
}

/** Creates a workload with revisions and waits for the first one. */
function newRevised(resource: Revised, spec: object): ScenarioStep {
  return async (client, namespace) => {
    const full = { selector: { matchLabels: { app: "web" } }, template: template("web"), ...spec };
    await post(client, `${APPS}/${namespace}/${resource}`, { metadata: { name: "web" }, spec: full });
    await untilEqual(
      async () => (await revisionsIn(client, namespace)).length,
      async () => 1,
    );
  };
}

/** Changes the template of a workload. */
function newTemplate(resource: Revised, image: string): ScenarioStep {
  return (client, namespace) =>
    merge(client, `${APPS}/${namespace}/${resource}/web`, { spec: { template: template("web", image) } });
}

/** Scenarios about equal revisions. */
export const REVISION_SCENARIOS: readonly ControllerScenario[] = [
  {
    name: "a daemon set whose revision is copied and used again",
    observe: revisionLook,
    touch: touch("daemonsets"),
    steps: [
      newRevised("daemonsets", {}),
      copyRevision("daemonsets"),
      newTemplate("daemonsets", "web:2"),
      newTemplate("daemonsets", "web:1"),
    ],
  },
  {
    name: "a stateful set whose revision is copied and used again",
    observe: revisionLook,
    touch: touch("statefulsets"),
    steps: [
      newRevised("statefulsets", { serviceName: "web", replicas: 0 }),
      copyRevision("statefulsets"),
      newTemplate("statefulsets", "web:2"),
      newTemplate("statefulsets", "web:1"),
    ],
  },
];
