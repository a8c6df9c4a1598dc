import type { JsonObject, JsonValue } from "@levelset/core";
import type { Asked } from "../pair.ts";
import { APPS, template } from "./scene.ts";
import type { Act, Look, Scene } from "./scene.ts";
import { get, items, member, merge, post, reached, textOf } from "./server.ts";

type Revised = "daemonsets" | "statefulsets";

/** The revisions of a workload by number; only the names that a scene chose are kept. */
async function revisionsIn(asked: Asked, namespace: string): Promise<readonly JsonObject[]> {
  const found = await items(asked, `${APPS}/${namespace}/controllerrevisions`);
  return found
    .map((each) => each as JsonObject) // a list of objects
    .toSorted((a, b) => Number(a["revision"]) - Number(b["revision"]));
}

function chosenName(name: JsonValue | undefined): string {
  return name === "copy" ? "copy" : "made by the server";
}

const revisionLook: Look = async (asked, namespace) => {
  const revisions = await revisionsIn(asked, namespace);
  const [set] = await items(asked, `${APPS}/${namespace}/statefulsets`);
  return {
    revisions: revisions.map((each) => [chosenName(member(each, "metadata", "name")), each["revision"]]),
    update: chosenName(member(set, "status", "updateRevision")),
  };
};

/** Copies the newest revision under another name, with the next number. */
function copyRevision(resource: Revised): Act {
  return async (asked, namespace) => {
    const newest = (await revisionsIn(asked, namespace)).at(-1);
    await post(asked, `${APPS}/${namespace}/controllerrevisions`, {
      metadata: {
        name: "copy",
        labels: member(newest, "metadata", "labels"),
        ownerReferences: member(newest, "metadata", "ownerReferences"),
      },
      data: newest?.["data"],
      revision: Number(newest?.["revision"]) + 1,
    });
    await touch(resource)(asked, namespace);
  };
}

/**
 * Changes an annotation of a workload. The real controllers do not look at a new revision by itself, and one look may come before their
 * cache has the revision.
 */
function touch(resource: Revised): Act {
  return async (asked, namespace) => {
    const path = `${APPS}/${namespace}/${resource}/web`;
    const { resourceVersion } = (member(await get(asked, path), "metadata") ?? {}) as JsonObject; // metadata is an object
    await merge(asked, path, { metadata: { annotations: { touched: textOf(resourceVersion) } } });
  };
}

/** Creates a workload that keeps revisions, and waits for the first one. */
function newRevised(resource: Revised, spec: object): Act {
  return async (asked, namespace) => {
    const full = { selector: { matchLabels: { app: "web" } }, template: template("web"), ...spec };
    await post(asked, `${APPS}/${namespace}/${resource}`, { metadata: { name: "web" }, spec: full });
    await reached(async () => (await revisionsIn(asked, namespace)).length, 1);
  };
}

/** Gives a workload another template. */
function newTemplate(resource: Revised, image: string): Act {
  return (asked, namespace) =>
    merge(asked, `${APPS}/${namespace}/${resource}/web`, { spec: { template: template("web", image) } });
}

/** Scenes about equal revisions. */
export const REVISION_SCENES: readonly Scene[] = [
  {
    name: "a daemon set whose revision is copied, and that comes back to it",
    look: revisionLook,
    touch: touch("daemonsets"),
    acts: [
      newRevised("daemonsets", {}),
      copyRevision("daemonsets"),
      newTemplate("daemonsets", "web:2"),
      newTemplate("daemonsets", "web:1"),
    ],
  },
  {
    name: "a stateful set whose revision is copied, and that comes back to it",
    look: revisionLook,
    touch: touch("statefulsets"),
    acts: [
      newRevised("statefulsets", { serviceName: "web", replicas: 0 }),
      copyRevision("statefulsets"),
      newTemplate("statefulsets", "web:2"),
      newTemplate("statefulsets", "web:1"),
    ],
  },
];
