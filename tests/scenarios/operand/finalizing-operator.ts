import { Deployment, isAbortError, isDeleting, kindFromCrd, StatusError } from "@levelset/core";
import type { EmbeddedObject, Kind, KubeObject, Runnable } from "@levelset/core";
import { Client } from "@levelset/operator";
import { crd } from "./manifests.ts";

/** Interval between runs of the simulated operator. */
const TURN_MS = 200;
/** Finalizer that the simulated operator sets on every object, and removes on deletion. */
export const HELD_BY = "example.com/held";

/** Options of {@link finalizingOperator}. */
export interface OperatorOptions {
  readonly kind: Kind;
  readonly namespace: string;
  /** Deployment of the simulated operator: it acts only while the Deployment exists. */
  readonly deployment: string;
}

/** Returns a kind of this scenario, its CRD, and a manifest of it. */
export function gadgets(namespace: string): {
  readonly declaration: EmbeddedObject;
  readonly kind: Kind;
  readonly gadget: (name: string, annotations?: Readonly<Record<string, string>>) => EmbeddedObject;
} {
  const group = `${namespace}.example.com`;
  const declaration = crd(group, "Gadget");
  return {
    declaration,
    kind: kindFromCrd(declaration),
    gadget: (name, annotations = {}) => ({
      apiVersion: `${group}/v1`,
      kind: "Gadget",
      metadata: { name, namespace, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) },
      spec: {},
    }),
  };
}

/**
 * Sets a finalizer on every object of a kind, and removes it from objects that are being deleted, while its Deployment
 * exists.
 */
export function finalizingOperator({ kind, namespace, deployment }: OperatorOptions): Runnable {
  return {
    name: "finalizing-operator",
    start: async ({ fetch, clock, signal }) => {
      const client = new Client({ fetch, fieldManager: "finalizing-operator" });
      const turn = async (): Promise<void> => {
        const running = await unlessRefused(client.get(Deployment, { namespace, name: deployment }, { signal }));
        if (running === undefined || isDeleting(running)) return;
        const { items } = (await unlessRefused(client.list(kind, { namespace, signal }))) ?? { items: [] };
        for (const object of items) await unlessRefused(settle(client, kind, object));
      };
      try {
        for (; !signal.aborted; await clock.sleep(TURN_MS, signal)) await turn();
      } catch (error) {
        if (!isAbortError(error) && !signal.aborted) throw error;
      }
    },
  };
}

async function settle(client: Client, kind: Kind, { metadata }: KubeObject): Promise<void> {
  const { namespace = "", name, uid, resourceVersion, finalizers = [], deletionTimestamp } = metadata;
  const isHeld = finalizers.includes(HELD_BY);
  if (isHeld === (deletionTimestamp === undefined)) return;
  if (!isHeld && deletionTimestamp !== undefined) return;
  const desired = isHeld ? finalizers.filter((one) => one !== HELD_BY) : [...finalizers, HELD_BY];
  const change = { metadata: { uid, resourceVersion, finalizers: desired } };
  await client.mergePatch(kind, { namespace, name }, change);
}

/** Returns undefined for any error response of the server: the next turn retries, as a controller does. */
async function unlessRefused<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return undefined;
  }
}
