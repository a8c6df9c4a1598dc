import { Pod as PodKind } from "@levelset/core";
import type { Kind, ObjectOf } from "@levelset/core";
import type { ApiObject, StoreEvent } from "../../store/index.ts";
import type { Cluster } from "../cluster.fixture.ts";
import type { Pod } from "./pod.ts";

/** A template of pods with the label `app`. */
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

/** The pods of a label `app` that are there, by name. */
export function podsOf(cluster: Cluster, app: string): readonly Pod[] {
  return cluster.actor.list(PodKind, "default").filter(({ metadata }) => metadata.labels?.["app"] === app);
}

/** Calls `check` after every write of a resource, with all its objects at that moment. */
export function onEvery(
  cluster: Cluster,
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

/** An object that must be there. */
export function seen<K extends Kind>(cluster: Cluster, kind: K, name: string): ObjectOf<K> {
  const found = cluster.get(kind, name);
  if (found === undefined) throw new Error(`${kind.kind} ${name} is not there`);
  return found;
}
