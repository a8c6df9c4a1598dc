import { kind, s } from "@levelset/core";
import { expect } from "vitest";
import type { Scenarios } from "../../support/cluster/scenario.ts";

/** Defaults at two depths, and a number whose zero is meaningful. */
const Server = kind({
  group: "scenarios.levelset.dev",
  version: "v1",
  kind: "Server",
  spec: s.object({
    replicas: s.int32().default(1),
    passwordSelectors: s
      .object({ database: s.string().default("DatabasePassword"), service: s.string().default("ServicePassword") })
      .default({}),
  }),
});

/** Scenarios about declarations on the server. */
export const DEFAULTS: Scenarios = {
  "defaults: an absent struct gets all of them, a set field keeps the others, an explicit 0 stays": async (cluster) => {
    await cluster.install(Server);
    const absent = await cluster.create(Server, { metadata: { name: "a" }, spec: {} });
    const both = { database: "DatabasePassword", service: "ServicePassword" };
    expect(absent.spec).toEqual({ replicas: 1, passwordSelectors: both });
    const one = await cluster.create(Server, {
      metadata: { name: "b" },
      spec: { passwordSelectors: { database: "X" } },
    });
    expect(one.spec.passwordSelectors).toEqual({ ...both, database: "X" });
    const none = await cluster.create(Server, { metadata: { name: "c" }, spec: { replicas: 0 } });
    expect(none.spec.replicas).toBe(0);
  },
};
