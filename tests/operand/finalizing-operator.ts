import { Deployment, isAbort, isDeleting, kindFromCrd, StatusError } from "@levelset/core";
import type { EmbeddedObject, Kind, KubeObject, Runnable } from "@levelset/core";
import { Client } from "@levelset/operator";
import { crd } from "./manifests.ts";

/** How often the simulated operator acts. */
const TURN_MS = 200;
/** On every object that the simulated operator has seen; the object is gone only after it takes it off. */
export const HELD_BY = "example.com/held";

/** What the simulated operator works on, and what it is installed by. */
export interface OperatorOptions {
  readonly kind: Kind;
  readonly namespace: string;
  /** The Deployment that it runs in: it acts only while that is there. */
  readonly deployment: string;
}

/** A kind of the scenario's own, its CRD, and objects of it. */
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

/** Puts a finalizer on every object of a kind, and takes it off those that are being deleted, while its Deployment is there. */
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
        if (!isAbort(error) && !signal.aborted) throw error;
      }
    },
  };
}

async function settle(client: Client, kind: Kind, { metadata }: KubeObject): Promise<void> {
  const { namespace = "", name, uid, resourceVersion, finalizers = [], deletionTimestamp } = metadata;
  const isHeld = finalizers.includes(HELD_BY);
  if (isHeld === (deletionTimestamp === undefined)) return;
  if (!isHeld && deletionTimestamp !== undefined) return;
  const wanted = isHeld ? finalizers.filter((one) => one !== HELD_BY) : [...finalizers, HELD_BY];
  const change = { metadata: { uid, resourceVersion, finalizers: wanted } };
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
