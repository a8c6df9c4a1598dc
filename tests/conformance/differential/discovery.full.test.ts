import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onRealCluster } from "../../support/real-cluster.ts";
import { rawClient, embeddedRawClient } from "./raw-clients.ts";
import type { RawClient } from "./raw-clients.ts";

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

interface Entry {
  readonly name: string;
  readonly storageVersionHash?: string;
  readonly [field: string]: unknown;
}

interface ResourceList {
  readonly resources: readonly Entry[];
}

interface GroupList {
  readonly groups: readonly { readonly name: string; readonly versions: readonly { readonly version: string }[] }[];
}

interface AggregatedList {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly {
      readonly version: string;
      readonly resources: readonly {
        readonly resource: string;
        readonly subresources?: readonly { readonly subresource: string }[];
      }[];
    }[];
  }[];
}

/** Resources that the embedded server omits: those that need a kubelet or a cloud, and others without a use. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "componentstatuses",
  "nodes/proxy",
  "pods/attach",
  "pods/exec",
  "pods/portforward",
  "pods/proxy",
  "services/proxy",
  "csinodes",
  "csistoragecapacities",
  "volumeattributesclasses",
  "ipaddresses",
  "servicecidrs",
  "servicecidrs/status",
  "mutatingadmissionpolicies",
  "mutatingadmissionpolicybindings",
]);

await onRealCluster("our discovery compared with kube-apiserver", (start) => {
  describe("our discovery compared with kube-apiserver", () => {
    let real: RawClient;
    let ours: RawClient;
    beforeAll(async () => {
      real = await rawClient(await start());
      ours = await embeddedRawClient();
    });
    afterAll(async () => {
      await real[Symbol.asyncDispose]();
      await ours[Symbol.asyncDispose]();
    });

    const body = async <T>(server: RawClient, path: string, accept?: string): Promise<T> =>
      (await server.request(path, accept === undefined ? {} : { accept })).body as T;

    test("groups have the same order and preferred versions", async () => {
      const [theirs, mine] = [await body<GroupList>(real, "/apis"), await body<GroupList>(ours, "/apis")];
      const names = new Set(mine.groups.map(({ name }) => name));
      const shared = theirs.groups.filter(({ name }) => names.has(name));
      expect(mine.groups.map(({ name }) => name)).toEqual(shared.map(({ name }) => name));
      for (const [index, group] of mine.groups.entries()) {
        const served = new Set(group.versions.map(({ version }) => version));
        const versions = shared[index]?.versions.filter(({ version }) => served.has(version));
        expect([group.name, group.versions]).toEqual([group.name, versions]);
      }
    });

    test("every resource and subresource has the same description", async () => {
      const { groups } = await body<GroupList>(ours, "/apis");
      const paths = [
        "/api/v1",
        ...groups.flatMap(({ name, versions }) => versions.map(({ version }) => `/apis/${name}/${version}`)),
      ];
      for (const path of paths) {
        const [theirs, mine] = [await body<ResourceList>(real, path), await body<ResourceList>(ours, path)];
        const plain = theirs.resources
          .filter(({ name }) => !LEFT_OUT.has(name))
          .map(({ storageVersionHash: _hash, ...rest }) => rest);
        expect([path, mine]).toEqual([path, { ...theirs, resources: plain }]);
      }
    });

    test("aggregated discovery is the same", async () => {
      for (const path of ["/api", "/apis"]) {
        const [theirs, mine] = [
          await body<AggregatedList>(real, path, AGGREGATED),
          await body<AggregatedList>(ours, path, AGGREGATED),
        ];
        const served = new Map(
          mine.items.map(({ metadata, versions }) => [metadata.name, new Set(versions.map(({ version }) => version))]),
        );
        const items = theirs.items
          .filter(({ metadata }) => served.has(metadata.name))
          .map((item) => ({
            ...item,
            versions: item.versions
              .filter(({ version }) => served.get(item.metadata.name)?.has(version))
              .map((version) => ({ ...version, resources: version.resources.flatMap(withoutLeftOut) })),
          }));
        expect([path, mine]).toEqual([path, { ...theirs, items }]);
      }
    });

    type Described = AggregatedList["items"][number]["versions"][number]["resources"][number];

    function withoutLeftOut({ subresources, ...resource }: Described): readonly Described[] {
      if (LEFT_OUT.has(resource.resource)) return [];
      const left = subresources?.filter(({ subresource }) => !LEFT_OUT.has(`${resource.resource}/${subresource}`));
      return [{ ...resource, ...(left === undefined || left.length === 0 ? {} : { subresources: left }) }];
    }
  });
});
