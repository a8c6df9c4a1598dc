import { crdOf, CustomResourceDefinition, InputError, kind, s } from "@levelset/core";
import type { World } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect, test } from "vitest";
import { manager, operator } from "../manager/index.ts";
import { ok, step } from "../engine/index.ts";

const Plain = kind({ group: "test.levelset.dev", version: "v1", kind: "Plain", spec: s.object({}) });
const plains = operator(Plain, [step(Plain, "Fine", { do: () => ok() })]);

/** Installs the CRD as another client might: with or without a status subresource. */
async function install(cluster: TestCluster, withStatus: boolean): Promise<void> {
  const { metadata, spec } = crdOf(Plain);
  const versions = spec.versions.map(({ subresources: _removed, ...version }) => version);
  await cluster.apply(CustomResourceDefinition, {
    name: metadata.name,
    spec: withStatus ? spec : { ...spec, versions },
  });
}

/** Starts the operator without installing its CRD. */
function start(cluster: TestCluster, runnable: Pick<typeof plains, "start">): { readonly refusal: () => unknown } {
  let refusal: unknown;
  const run = async (world: World): Promise<void> => {
    await runnable.start(world).catch((error: unknown) => {
      refusal = error;
    });
  };
  cluster.run({ name: "plain", start: run });
  return { refusal: () => refusal };
}

test("a CRD without a status subresource is refused at start-up, with its name and the fix", async () => {
  await using cluster = await testCluster();
  await install(cluster, false);
  const { refusal } = start(cluster, plains);
  await cluster.clock.advance(10_000);
  await cluster.untilIdle();
  expect(refusal()).toBeInstanceOf(InputError);
  expect(refusal()).toMatchObject({
    message:
      "the CRD plains.test.levelset.dev has no status subresource in test.levelset.dev/v1, so the status of Plain cannot be written",
    hint: "add subresources: {status: {}} to the version v1 of the CRD, or run with --install-crds (installCrds in code)",
  });
});

test("a CRD that gets its status subresource meanwhile is accepted", async () => {
  await using cluster = await testCluster();
  await install(cluster, false);
  const { refusal } = start(cluster, plains);
  await cluster.clock.advance(1_000);
  await install(cluster, true);
  await cluster.clock.advance(10_000);
  await cluster.apply(Plain, { name: "a", spec: {} });
  expect(await cluster.untilSettled(Plain, "a")).toBeReady();
  expect(refusal()).toBeUndefined();
});

test("a manager that installs CRDs adds the status subresource", async () => {
  await using cluster = await testCluster();
  await install(cluster, false);
  const { refusal } = start(cluster, manager([plains], { installCrds: true }));
  await cluster.clock.advance(10_000);
  await cluster.apply(Plain, { name: "a", spec: {} });
  expect(await cluster.untilSettled(Plain, "a")).toBeReady();
  expect(refusal()).toBeUndefined();
});

test("the check sends one request, and the operator starts even if it fails", async () => {
  await using cluster = await testCluster({ kinds: [Plain] });
  const isDiscovery = ({ path }: { readonly path: string }): boolean => path === "/apis/test.levelset.dev/v1";
  cluster.faults.failNth(1, { kind: "status", reason: "Forbidden" }, isDiscovery);
  start(cluster, plains);
  await cluster.apply(Plain, { name: "a", spec: {} });
  expect(await cluster.untilSettled(Plain, "a")).toBeReady();
  expect(cluster.faults.count(isDiscovery)).toBe(1);
});
