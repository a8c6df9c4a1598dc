import { createApiServer } from "@levelset/apiserver";
import { CLUSTER_ORIGIN } from "@levelset/core/internal";

interface ResourceList {
  readonly groupVersion: string;
  readonly resources: readonly { readonly kind: string; readonly group?: string; readonly version?: string }[];
}

interface GroupList {
  readonly groups: readonly { readonly versions: readonly { readonly groupVersion: string }[] }[];
}

/** apiVersion → kinds that the embedded API server serves as resources or as bodies of subresources, sorted. */
export type ServedKinds = Readonly<Record<string, readonly string[]>>;

/** Reads the built-in kinds from the discovery documents of an embedded API server. */
export async function servedKinds(): Promise<ServedKinds> {
  const server = createApiServer();
  const get = async <T>(path: string): Promise<T> => {
    const request = new Request(CLUSTER_ORIGIN + path, { headers: { accept: "application/json" } });
    const response = await server.fetch(request);
    return (await response.json()) as T;
  };
  try {
    const { groups } = await get<GroupList>("/apis");
    const versions = groups.flatMap((group) => group.versions.map(({ groupVersion }) => `/apis/${groupVersion}`));
    const kinds = new Map<string, Set<string>>();
    for (const path of ["/api/v1", ...versions]) {
      const list = await get<ResourceList>(path);
      for (const { kind, group, version } of list.resources) {
        const apiVersion = version === undefined ? list.groupVersion : [group ?? "", version].filter(Boolean).join("/");
        kinds.set(apiVersion, (kinds.get(apiVersion) ?? new Set()).add(kind));
      }
    }
    return Object.fromEntries([...kinds].map(([apiVersion, names]) => [apiVersion, [...names].toSorted()]));
  } finally {
    server.close();
  }
}
