import { ConfigMap, Job, kind, Namespace, Pod, s, StatusError } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { App, appOperator, liveCluster, planOn } from "../upgrade.fixture.ts";

describe("the copy", () => {
  test("keeps objects whose owners are of kinds that are not copied", async () => {
    await using cluster = await liveCluster({});
    const pods = await cluster.list(Pod);
    expect(pods.length).toBe(3);
    const watching = step(App, "Look", {
      owns: [Pod],
      do: (req) => {
        req.status.note = "x";
        return ok();
      },
    });
    // The pods belong to a ReplicaSet, which the operator does not declare.
    const { plan } = await planOn(cluster, [appOperator({ more: [watching] })]);
    expect(plan.objects).toEqual([]);
    expect(plan.unchanged).toBe(5);
  });

  test("contains only the namespaces of the operator", async () => {
    await using cluster = await liveCluster({}, async (live) => {
      await live.create(Namespace, { name: "other" });
      await live.apply(App, { name: "shop", spec: {} });
      await live.apply(App, { name: "shop", namespace: "other", spec: {} });
    });
    const { plan, requests } = await planOn(cluster, [appOperator({ image: "web:2" })], { namespaces: ["other"] });
    expect(plan.objects.map(({ ref }) => ref.namespace)).toEqual(["other"]);
    expect(requests.filter((path) => path.includes("/apps/"))).toEqual([
      "GET /apis/apps/v1/namespaces/other/deployments",
    ]);
  });

  test("is read page by page", async () => {
    await using cluster = await liveCluster({}, async (live) => {
      for (let index = 0; index < 510; index++) await live.create(ConfigMap, { name: `map-${index}` });
      await live.apply(App, { name: "shop", spec: {} });
    });
    const { text, requests } = await planOn(cluster, [appOperator()]);
    expect(text).toBe("no changes; 513 objects unchanged\n");
    expect(requests.filter((path) => path === "GET /api/v1/configmaps")).toHaveLength(2);
  });
});

/** Refuses the requests whose path contains a text. */
function refusing(fetch: Fetch, part: string): { readonly fetch: Fetch } {
  return {
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      if (!pathname.includes(part)) return fetch(request);
      const error = new StatusError("Forbidden", `${pathname} is forbidden`);
      return Response.json(
        { kind: "Status", status: "Failure", reason: "Forbidden", message: error.message },
        { status: 403 },
      );
    },
  };
}

describe("a cluster that refuses", () => {
  test("a kind names the missing permission", async () => {
    await using cluster = await liveCluster({});
    const guarded = refusing(cluster.fetch, "/deployments");
    await expect(planOn(guarded, [appOperator()])).rejects.toMatchObject({
      message: "missing permission: list deployments.apps in all namespaces",
      hint: "run levelset manifests app.ts to print the required roles, or pass another --context",
    });
    await expect(planOn(guarded, [appOperator()], { namespaces: ["default"] })).rejects.toThrow(
      "missing permission: list deployments.apps in namespace default",
    );
  });

  test("the namespaces is copied with the namespaces of its objects", async () => {
    await using cluster = await liveCluster({}, async (live) => {
      await live.create(Namespace, { name: "other" });
      await live.apply(App, { name: "shop", namespace: "other", spec: {} });
    });
    const { fetch } = cluster;
    const guarded: Fetch = (request) =>
      new URL(request.url).pathname.endsWith("/namespaces") ? refusing(fetch, "").fetch(request) : fetch(request);
    const { text } = await planOn({ fetch: guarded }, [appOperator({ image: "web:2" })]);
    expect(text).toContain("  ~ Deployment  other/shop  image 1 → 2; would roll 3 pods\n");
    expect(text).toContain("note: namespaces cannot be read: the copy has other only\n");
  });
});

test("notes name what the copy lacks", async () => {
  await using cluster = await liveCluster({});
  const rule = { kind: "x", enqueue: () => [] } as never; // never called: only its presence counts
  const more = [
    step(App, "Look", {
      rbac: [{ apiGroups: [""], resources: ["nodes", "namespaces", "configmaps"], verbs: ["get"], scope: "Cluster" }],
      dynamicWatches: [rule],
      do: () => ok(),
    }),
  ];
  const { plan } = await planOn(cluster, [appOperator({ more })]);
  expect(plan.notes).toEqual([
    "step Look watches kinds that it chooses when it runs: the copy lacks them",
    "not in the copy, because steps read them without declaring the kind: nodes",
  ]);
});

test("a kind that the embedded server does not have is an error", async () => {
  await using cluster = await liveCluster({});
  const Unknown = { ...Job, version: "v9" };
  const fetch: Fetch = (request) =>
    request.url.includes("/batch/v9/")
      ? Promise.resolve(
          Response.json({ apiVersion: "batch/v9", kind: "JobList", metadata: { resourceVersion: "1" }, items: [] }),
        )
      : cluster.fetch(request);
  const own = operator(App, [step(App, "Nothing", { owns: [Unknown], do: () => ok() })]);
  await expect(planOn({ fetch }, [own])).rejects.toThrow(
    "Job (batch/v9) cannot be copied: the embedded server does not serve it",
  );
});

describe("a cluster without the kind", () => {
  const Other = kind({ group: "other.dev", version: "v1", kind: "Other", spec: s.object({}) });

  test("of the operator has no objects yet", async () => {
    await using cluster = await liveCluster({});
    const own = operator(Other, [step(Other, "Nothing", { do: () => ok() })]);
    expect((await planOn(cluster, [own])).text).toContain("note: others.other.dev is not installed in the cluster");
  });

  test("that the operator uses is an error", async () => {
    await using cluster = await liveCluster({});
    const own = operator(App, [step(App, "Nothing", { owns: [Other], do: () => ok() })]);
    await expect(planOn(cluster, [own])).rejects.toThrow("the cluster does not serve the kind Other (other.dev/v1)");
  });

  test("in the version of the operator is an error", async () => {
    await using cluster = await liveCluster({});
    const Next = kind({ group: App.group, version: "v2", kind: App.kind, spec: s.object({}) });
    const own = operator(Next, [step(Next, "Nothing", { do: () => ok() })]);
    await expect(planOn(cluster, [own])).rejects.toThrow(
      "the cluster serves App in test.levelset.dev/v1, but the operator declares test.levelset.dev/v2",
    );
  });
});
