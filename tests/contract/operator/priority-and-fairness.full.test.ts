import { ClusterRoleBinding, ConfigMap, isReady, kind, s } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { Client, installCrd, manager, ok, operator, step } from "@levelset/operator";
import type { Operator } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { onRealCluster } from "../../support/real-cluster.ts";
import { connectSession } from "../../support/test-server.ts";

const Widget = kind({ group: "test.levelset.dev", version: "v1", kind: "Widget", spec: s.object({}) });
/** Returns an operator that sends many requests at once, until the server has rejected one. */
function widgets(isRejected: () => boolean): Operator<typeof Widget> {
  return operator(Widget, [
    step(Widget, "Read", {
      do: async ({ client, signal }) => {
        do {
          await Promise.all(Array.from({ length: 20 }, () => client.list(ConfigMap, { signal })));
        } while (!isRejected());
        return ok();
      },
    }),
  ]);
}

const USER = "throttled";
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/u);

const RULES = [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"], namespaces: ["*"], clusterScope: true }];

/** Creates an object of priority and fairness; core does not declare its kinds. */
async function createFlowControl(fetch: Fetch, path: string, body: object): Promise<void> {
  const url = `http://cluster.local/apis/flowcontrol.apiserver.k8s.io/v1/${path}`;
  const headers = { "content-type": "application/json" };
  const response = await fetch(new Request(url, { method: "POST", headers, body: JSON.stringify(body) }));
  expect(response.status).toBe(201);
}

/**
 * A priority level without seats: the server executes one request at a time and rejects those that arrive meanwhile
 * (`canAccommodateSeatsLocked` in k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing/queueset/queueset.go).
 */
const limited = { nominalConcurrencyShares: 0, borrowingLimitPercent: 0, limitResponse: { type: "Reject" } };

await onRealCluster("priority and fairness", (start) => {
  describe("priority and fairness", () => {
    test("an operator that sends more at once than the server accepts holds back, and becomes ready", async () => {
      await using target = await start();
      await using session = await connectSession(target);
      const { fetch, ...world } = session.world;
      const admin = new Client({ fetch, fieldManager: "test" });
      await installCrd(admin, Widget, world);
      const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" } as const;
      const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: USER } as const];
      await admin.create(ClusterRoleBinding, { metadata: { name: USER }, roleRef, subjects });
      const metadata = { name: USER };
      await createFlowControl(fetch, "prioritylevelconfigurations", { metadata, spec: { type: "Limited", limited } });
      const priorityLevelConfiguration = { name: USER };
      const rules = [{ subjects: [{ kind: "User", user: { name: USER } }], resourceRules: RULES }];
      const spec = { priorityLevelConfiguration, matchingPrecedence: 2, rules };
      await createFlowControl(fetch, "flowschemas", { metadata, spec });

      const rejected: (string | null)[] = [];
      const asUser: Fetch = async (request) => {
        const headers = new Headers(request.headers);
        headers.set("impersonate-user", USER);
        const response = await fetch(new Request(request, { headers }));
        const { status } = response;
        const names = ["retry-after", "x-kubernetes-pf-flowschema-uid", "x-kubernetes-pf-prioritylevel-uid"];
        if (status === 429) rejected.push(...names.map((name) => response.headers.get(name)));
        return response;
      };
      // The server applies the configuration a moment after it is stored.
      const user = new Client({ fetch: asUser, fieldManager: "test" });
      const burst = async (): Promise<number> => {
        await Promise.allSettled(Array.from({ length: 20 }, () => user.list(ConfigMap)));
        return rejected.length;
      };
      await expect.poll(burst, { timeout: 60_000 }).toBeGreaterThan(0);
      expect(rejected.slice(0, 3)).toEqual(["1", UUID, UUID]);

      const before = rejected.length;
      const stop = new AbortController();
      const running = manager([widgets(() => rejected.length > before)]).start({
        ...world,
        fetch: asUser,
        signal: stop.signal,
      });
      const key = { namespace: "default", name: "a" };
      await admin.create(Widget, { metadata: key, spec: {} });
      await expect.poll(async () => isReady(await admin.get(Widget, key)), { timeout: 60_000 }).toBe(true);
      stop.abort();
      await running;
    });
  });
});
