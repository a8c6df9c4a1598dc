import { controllerReference, kind, s, Service } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import { expect, test } from "vitest";
import { Campaign } from "../campaign/index.ts";
import type { Manifest, Operation } from "../history/index.ts";

const group = "equal.levelset.dev";
const Shop = kind({
  group,
  version: "v1",
  kind: "Shop",
  spec: s.object({}),
  status: s.object({ isExposed: s.boolean().optional() }),
});
/** Has the name of a kind of Kubernetes. */
const OwnService = kind({ group, version: "v1", kind: "Service", spec: s.object({}) });

function manifest(name: string): Manifest {
  const metadata = { name: "a", namespace: "default" };
  return { apiVersion: `${group}/v1`, kind: name, metadata, spec: {} };
}

/** Does not restore the Service that it has created. */
const expose = step(Shop, "Expose", {
  owns: [Service],
  preserveStatus: ["isExposed"],
  do: async ({ object, client, status }) => {
    if (status.isExposed === true) return ok();
    const metadata = { namespace: "default", name: "a", ownerReferences: [controllerReference(object)] };
    await client.apply(Service, { metadata, spec: { ports: [{ port: 80 }] } }, { force: true });
    status.isExposed = true;
    return ok();
  },
});
const shops = () => [operator(Shop, [expose]), operator(OwnService, [step(OwnService, "Nothing", { do: () => ok() })])];

test("a deleted child is found beside a custom resource of the same name whose kind has the name of its kind", async () => {
  const samples = [manifest("Shop"), manifest("Service")];
  const target = { apiVersion: "v1", kind: "Service", namespace: "default", name: "a" };
  const operations: readonly Operation[] = [
    ...samples.map((object): Operation => ({ do: "create", object, afterMs: 60_000 })),
    { do: "delete-child", pick: 0, target, afterMs: 60_000 },
  ];
  const campaign = await Campaign.prepare(shops, { samples });
  const { violation, why } = await campaign.replay({ seed: 1, faults: [], history: { operations } });
  expect(violation).toMatchObject({
    rule: "path-changes-the-end",
    message: "Service default/a is missing after this history.",
    differences: [{ object: "Service default/a", path: "", actual: undefined }],
  });
  expect(why?.objects.map((each) => each.kind).toSorted()).toEqual(["Service", "Shop"]);
});
