import type { KubeObject, ObjectOf } from "@levelset/core";
import type { Client } from "../../client/index.ts";
import { SERVICE_ACCOUNT } from "./labels-and-annotations.ts";
import type { Operand } from "./operand-kinds.ts";

/**
 * Returns the client for the objects of a set. It has the rights of the Operand's service account; without one, those of
 * `client`. All requests about objects of a set use it. Operands, inventories and revisions are read and written with
 * `client`.
 */
export function setClient(client: Client, operand: Pick<ObjectOf<Operand>, "spec">): Client {
  return clientAs(client, accountOf(operand));
}

/** The same for an inventory. If its Operand is gone, the inventory states the service account. */
export function setClientOfInventory(
  client: Client,
  inventory: KubeObject,
  operand: Pick<ObjectOf<Operand>, "spec"> | undefined,
): Client {
  if (operand !== undefined) return setClient(client, operand);
  return clientAs(client, inventory.metadata.annotations?.[SERVICE_ACCOUNT]);
}

function clientAs(client: Client, account: string | undefined): Client {
  if (account === undefined) return client;
  return client.as(`system:serviceaccount:${account.replace("/", ":")}`);
}

/** Returns the service account of an Operand as `NAMESPACE/NAME`; undefined if it has none. */
export function accountOf({ spec }: Pick<ObjectOf<Operand>, "spec">): string | undefined {
  const { serviceAccountName: name, serviceAccountNamespace: namespace } = spec;
  return name === undefined || namespace === undefined ? undefined : `${namespace}/${name}`;
}
