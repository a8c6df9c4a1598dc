import { Namespace } from "@levelset/core";
import type { EmbeddedObject } from "@levelset/core";
import { Operand } from "@levelset/operator";
import { config, deployment, service } from "../../scenarios/operand/manifests.ts";
import type { DurableCluster } from "./durable-cluster.ts";

/** The namespace of everything that the Operands apply. */
export const OPERAND_NAMESPACE = "platform";

const cm = (name: string, version: string): EmbeddedObject => config(OPERAND_NAMESPACE, name, { version });
/** Its pods never become ready. */
const BROKEN = deployment(OPERAND_NAMESPACE, "stuck", ["example.com/app:does-not-exist"]);

/** The names of the Operands, by the state that they are in when the fixture is recorded. */
export const OPERANDS = {
  /** Ready in its second version. */
  ready: "ready",
  /** Its first version is ready; the second one waits for a Deployment, so there are two inventories. */
  changing: "changing",
  /** Ready; an object that is no longer desired is pruned an hour later. */
  deferred: "deferred",
  /** Ready; an object that is no longer desired waits for a confirmation. */
  confirm: "confirm",
  /** Ready, then suspended before a change. */
  suspended: "suspended",
} as const;

/** Installs the first version of all Operands, then changes each; `settle` lets the operators work. */
export async function installOperands({ client }: DurableCluster, settle: () => Promise<void>): Promise<void> {
  await client.create(Namespace, { metadata: { name: OPERAND_NAMESPACE } });
  const create = (name: string, spec: object, steadyState: readonly EmbeddedObject[]): Promise<unknown> =>
    client.create(Operand, { metadata: { name }, spec: { ...spec, steadyState } });
  const web = (image: string): EmbeddedObject => deployment(OPERAND_NAMESPACE, "web", [image]);
  await create(OPERANDS.ready, { postInstall: [cm("ready-after", "1")] }, [
    cm("ready-a", "1"),
    cm("ready-old", "1"),
    web("example.com/app:1"),
    service(OPERAND_NAMESPACE, "web"),
  ]);
  await create(OPERANDS.changing, {}, [cm("changing-a", "1"), cm("changing-old", "1")]);
  await create(OPERANDS.deferred, { prune: { mode: "Deferred", after: "1h" } }, [
    cm("deferred-a", "1"),
    cm("deferred-old", "1"),
  ]);
  await create(OPERANDS.confirm, { prune: { mode: "Confirm" } }, [cm("confirm-a", "1"), cm("confirm-old", "1")]);
  await create(OPERANDS.suspended, {}, [cm("suspended-a", "1")]);
  await settle();
  const change = (name: string, spec: object): Promise<unknown> => client.mergePatch(Operand, { name }, { spec });
  await change(OPERANDS.ready, {
    steadyState: [cm("ready-a", "2"), web("example.com/app:2"), service(OPERAND_NAMESPACE, "web")],
  });
  await change(OPERANDS.changing, { steadyState: [cm("changing-a", "2"), BROKEN] });
  await change(OPERANDS.deferred, { steadyState: [cm("deferred-a", "2")] });
  await change(OPERANDS.confirm, { steadyState: [cm("confirm-a", "2")] });
  await change(OPERANDS.suspended, { suspend: true, steadyState: [cm("suspended-a", "2")] });
  await settle();
}
