import { kind, s } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { Client } from "./client.ts";
import { Discovery } from "./discovery.ts";

const Widget = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Widget",
  shortNames: ["wd"],
  scope: "Cluster",
  spec: s.object({}),
});

function discovery(fetch: Fetch): Discovery {
  return new Discovery(new Client({ fetch, fieldManager: "test" }));
}

describe("discovery", () => {
  test("lists every kind once, in the preferred version, with its verbs", async () => {
    await using cluster = await testCluster({ kinds: [Widget] });
    const kinds = await discovery(cluster.fetch).kinds();
    const named = (name: string) => kinds.filter((each) => each.kind === name);
    const { group, version, plural, singular, shortNames, scope, hasStatus } = Widget;
    const verbs = expect.arrayContaining(["get", "list"]);
    expect(named("Widget")).toMatchObject([{ group, version, plural, singular, shortNames, scope, hasStatus, verbs }]);
    expect(named("HorizontalPodAutoscaler")).toMatchObject([{ group: "autoscaling", version: "v2", hasStatus: true }]);
    expect(named("Pod")).toMatchObject([{ group: "", version: "v1", plural: "pods", scope: "Namespaced" }]);
    expect(named("TokenReview")[0]?.verbs).toEqual(["create"]);
  });

  test("skips a group whose server is unavailable, and fails if the API server is", async () => {
    await using cluster = await testCluster({ kinds: [Widget] });
    const down = Response.json({ kind: "Status", status: "Failure", code: 503 }, { status: 503 });
    const partly: Fetch = (request) =>
      request.url.includes("/apis/apps/") ? Promise.resolve(down.clone()) : cluster.fetch(request);
    const kinds = (await discovery(partly).kinds()).map((each) => each.kind);
    expect(kinds).toContain("Widget");
    expect(kinds).not.toContain("Deployment");
    await expect(discovery(() => Promise.resolve(down)).kinds()).rejects.toThrow("/apis");
  });

  test("serves concurrent callers even if the first one aborts", async () => {
    await using cluster = await testCluster({ kinds: [Widget] });
    const gate = Promise.withResolvers<void>();
    const late = discovery(async (request) => {
      await gate.promise;
      return cluster.fetch(request);
    });
    const gone = new AbortController();
    const pod = { apiVersion: "v1", kind: "Pod" };
    const first = late.kindOf(pod, { signal: gone.signal });
    const second = late.kindOf(pod);
    gone.abort();
    await expect(first).rejects.toThrow("aborted");
    gate.resolve();
    expect((await second).plural).toBe("pods");
  });
});
