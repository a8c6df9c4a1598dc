import { Pod as PodKind } from "@levelset/core";
import type { Kind, ObjectOf } from "@levelset/core";
import type { ApiObject, StoreEvent } from "../../store/index.ts";
import type { ControllerHarness } from "../controller-harness.fixture.ts";
import type { Pod } from "./pod/pod.ts";

/** Returns a pod template with the label `app`. */
export function template(
  app: string,
  options: {
    readonly image?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly restartPolicy?: "Always" | "Never" | "OnFailure";
  } = {},
): {
  readonly metadata: object;
  readonly spec: { readonly containers: readonly { readonly name: string; readonly image: string }[] };
} {
  const { image = "web:1", annotations, restartPolicy } = options;
  return {
    metadata: { labels: { app }, ...(annotations === undefined ? {} : { annotations }) },
    spec: { ...(restartPolicy === undefined ? {} : { restartPolicy }), containers: [{ name: "main", image }] },
  };
}

/** Returns the pods with a label `app`, sorted by name. */
export function podsOf(cluster: ControllerHarness, app: string): readonly Pod[] {
  return cluster.actor.list(PodKind, "default").filter(({ metadata }) => metadata.labels?.["app"] === app);
}

/** Calls `check` after every write of a resource with all its objects. */
export function onEachWrite(
  cluster: ControllerHarness,
  resource: string,
  check: (objects: readonly ApiObject[], event: StoreEvent) => void,
): () => void {
  const watch = cluster.store.watch({ resource }, cluster.store.revision, () => {
    if (watch.kind === "compacted") return;
    for (const event of watch.take(Number.MAX_SAFE_INTEGER)) {
      const listing = cluster.store.list({ resource });
      if (listing.kind === "listing")
        check(
          listing.records.map(({ object }) => object),
          event,
        );
    }
  });
  return () => {
    if (watch.kind === "watch") watch.close();
  };
}

/** Returns an object, or throws if it is missing. */
export function mustGet<K extends Kind>(cluster: ControllerHarness, kind: K, name: string): ObjectOf<K> {
  const found = cluster.get(kind, name);
  if (found === undefined) throw new Error(`${kind.kind} ${name} not found`);
  return found;
}
