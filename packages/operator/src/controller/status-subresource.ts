import { apiVersionOf, InputError, kindId, StatusError, TransportError } from "@levelset/core";
import type { AnyCustomKind, Clock } from "@levelset/core";
import { Discovery } from "../client/index.ts";
import type { Client, ServedKind } from "../client/index.ts";

/** An API server may publish a changed CRD with a delay. */
const PUBLISHED = { pollMs: 500, tries: 10 } as const;

/**
 * Rejects with an `InputError` if the CRD of a kind has no status subresource: status writes would get 404, as for a
 * deleted object. Reads the discovery document, which needs no permission. Resolves if that is not available.
 */
export async function checkStatusSubresource(
  client: Client,
  kind: AnyCustomKind,
  options: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const { clock, signal } = options;
  for (let tries = 1; ; tries++) {
    const served = await find(client, kind, signal);
    if (served?.plural !== kind.plural || served.hasStatus) return;
    if (tries === PUBLISHED.tries) break;
    await clock.sleep(PUBLISHED.pollMs, signal);
  }
  throw new InputError(
    `the CRD ${kindId(kind)} has no status subresource in ${apiVersionOf(kind)}, so the status of ${kind.kind} cannot be written`,
    {
      hint: `add subresources: {status: {}} to the version ${kind.version} of the CRD, or run with --install-crds (installCrds in code)`,
    },
  );
}

async function find(client: Client, kind: AnyCustomKind, signal: AbortSignal): Promise<ServedKind | undefined> {
  try {
    return await new Discovery(client).kindOf({ apiVersion: apiVersionOf(kind), kind: kind.kind }, { signal });
  } catch (error) {
    const isUnknown = error instanceof InputError || error instanceof StatusError || error instanceof TransportError;
    if (isUnknown) return undefined;
    throw error;
  }
}
