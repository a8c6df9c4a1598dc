import { CLUSTER_ORIGIN } from "@levelset/core/internal";
import type { Fetch, KubeObject } from "@levelset/core";

/** The fields of a discovery response that are used here. */
interface Group {
  readonly name: string;
  readonly preferredVersion: { readonly groupVersion: string };
}

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

interface Listed {
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
}

/** Every object of a cluster, of every kind that it lists, as `GET` returns it: sorted by kind, namespace and name. */
export async function exportCluster(fetch: Fetch): Promise<readonly KubeObject[]> {
  const objects: KubeObject[] = [];
  for (const { path, apiVersion, kind } of await listedKinds(fetch)) {
    const { items } = await get<{ readonly items: readonly Omit<KubeObject, "apiVersion" | "kind">[] }>(fetch, path);
    // Items of a list have neither apiVersion nor kind.
    for (const item of items) objects.push({ apiVersion, kind, ...item });
  }
  const key = ({ apiVersion, kind, metadata }: KubeObject): string =>
    [apiVersion, kind, metadata.namespace ?? "", metadata.name].join("/");
  return objects.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The resources that can be listed, each in the preferred version of its group. */
async function listedKinds(fetch: Fetch): Promise<readonly Listed[]> {
  const { groups } = await get<{ readonly groups: readonly Group[] }>(fetch, "/apis");
  const roots = groups
    // The same Events as in v1.
    .filter(({ name }) => name !== "events.k8s.io")
    .map(({ preferredVersion }) => ({
      root: `/apis/${preferredVersion.groupVersion}`,
      apiVersion: preferredVersion.groupVersion,
    }));
  const found: Listed[] = [];
  for (const { root, apiVersion } of [{ root: "/api/v1", apiVersion: "v1" }, ...roots]) {
    const { resources } = await get<{ readonly resources: readonly Resource[] }>(fetch, root);
    for (const { name, kind, verbs } of resources) {
      if (verbs.includes("list")) found.push({ path: `${root}/${name}`, apiVersion, kind });
    }
  }
  return found;
}

/** Returns a JSON response of the API without validating it; a missing field fails the test that reads it. */
async function get<Body>(fetch: Fetch, path: string): Promise<Body> {
  const response = await fetch(new Request(CLUSTER_ORIGIN + path));
  if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Body;
}
