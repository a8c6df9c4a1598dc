import { isReady } from "@levelset/core";
import type { KubeObject, ManagedFieldsEntry } from "@levelset/core";
import { deepEqual } from "@levelset/core/internal";
import type { StoreEvent } from "@levelset/apiserver";
import { formatId, idOf } from "../history/index.ts";
import { isOperatorManager } from "../world/index.ts";
import type { SimulatedCluster } from "../world/index.ts";
import type { StoryEvent } from "./run-options.ts";

const EVENTS_MAX = 400;

/** Records the events of a run that its story shows. */
export class RunStory {
  readonly events: StoryEvent[] = [];
  readonly #cluster: SimulatedCluster;
  readonly #isRootKind: (object: KubeObject) => boolean;
  readonly #ready = new Map<string, boolean>();

  constructor(cluster: SimulatedCluster, isRootKind: (object: KubeObject) => boolean) {
    this.#cluster = cluster;
    this.#isRootKind = isRootKind;
    cluster.journal.subscribe((event) => this.#observe(event));
  }

  /** Adds an event. Returns a function that replaces its text. */
  add(kind: StoryEvent["kind"], text: string): (text: string) => void {
    const atMs = this.#cluster.elapsedMs;
    const index = this.events.push({ atMs, kind, text }) - 1;
    return (changed) => {
      this.events[index] = { atMs, kind, text: changed };
    };
  }

  /** Adds changes of readiness, writes of children, and what happens to the objects of users. */
  #observe(event: StoreEvent): void {
    if (this.events.length >= EVENTS_MAX) return;
    const { kind, record } = event;
    const { object } = record;
    const id = formatId(idOf(object));
    if (this.#isRootKind(object)) {
      const ready = kind !== "deleted" && isReady(object);
      if (this.#ready.get(id) !== ready && kind !== "created") {
        this.add("status", kind === "deleted" ? `${id} is gone` : `${id} is ${ready ? "Ready" : "not Ready"}`);
      }
      this.#ready.set(id, ready);
    } else if (this.#cluster.journal.isOfUser(record)) {
      if (kind === "deleted" || isChangedByOperator(event)) this.add("write", `${id} is ${WORDS[kind]}`);
    } else if (kind !== "updated" && this.#cluster.journal.isChild({ resource: record.key.resource, object })) {
      this.add("write", `${id} is ${WORDS[kind]}`);
    }
  }
}

const WORDS = { created: "created", updated: "changed by an operator", deleted: "deleted" } as const;

/** Reports whether the write of an operator changed its fields of an object. */
function isChangedByOperator(event: StoreEvent): boolean {
  if (event.kind !== "updated") return false;
  const [before = [], after = []] = [event.previous, event.record].map(({ object }) => object.metadata.managedFields);
  const isNew = (entry: ManagedFieldsEntry): boolean => !before.some((other) => deepEqual(other, entry));
  return after.some((entry) => isOperatorManager(entry.manager ?? "") && isNew(entry));
}
