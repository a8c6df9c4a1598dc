import { apiVersionOf } from "@levelset/core";
import type { Kind } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { ObjectFields } from "@levelset/apiserver/testing";
import type { Manifest } from "@levelset/simulation";
import type { SimulationBug } from "./simulation-bug.ts";

/** Returns the objects that `create` of a bug creates, as samples of a simulation. */
export async function samplesOf(bug: SimulationBug): Promise<readonly Manifest[]> {
  await using cluster = await testCluster({ kinds: [bug.kind] });
  const created: Manifest[] = [];
  const recorder = new Proxy(cluster, {
    get: (target, name) =>
      name === "create"
        ? <K extends Kind>(kind: K, fields: ObjectFields<K>) => {
            created.push(manifestOf(kind, fields));
            return target.create(kind, fields);
          }
        : Reflect.get(target, name),
  });
  await bug.create(recorder);
  return created;
}

function manifestOf<K extends Kind>(kind: K, fields: ObjectFields<K>): Manifest {
  const { name, namespace, labels, annotations: _a, ...rest } = fields;
  const metadata = {
    name,
    ...(kind.scope === "Namespaced" ? { namespace: namespace ?? "default" } : {}),
    ...(labels === undefined ? {} : { labels }),
  };
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...rest } as unknown as Manifest; // JSON by its kind
}
