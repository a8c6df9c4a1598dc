import { isAbortError } from "@levelset/core";
import { toError } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";
import { isCurrent, isResourceReady, adapterConditionOf, resourceState } from "@levelset/fleet/client";
import type { FleetClient, WireResource } from "@levelset/fleet/client";
import { escapeControlChars, STATE_SYMBOLS } from "../terminal/index.ts";
import { formatResourceArg, matchKind } from "../fleet/index.ts";

/** Maximum number of initially Ready resources that are listed; more are counted. */
const LISTED_MAX = 5;

/** Prints a line for each state change of a resource until the signal aborts. Does not reject. */
export async function printResources(
  client: FleetClient,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  print: (line: string) => void,
): Promise<void> {
  const shown = new Map<string, string>();
  const resources = client.collection({ kind: "Resource", plural: "resources" });
  const time = (): string => new Date(clock.now()).toTimeString().slice(0, 8);
  try {
    const kinds = await client.kinds({ signal });
    const adaptersOf = ({ kind }: WireResource): readonly string[] => matchKind(kinds, kind)?.requiredAdapters ?? [];
    let initial: WireResource[] | undefined = [];
    for await (const event of resources.watch({ signal })) {
      if (event.kind === "synced" && initial !== undefined) {
        for (const line of readyLines(initial)) print(`${time()}  ${line}`);
        initial = undefined;
      }
      if (event.kind !== "present" && event.kind !== "gone") continue;
      const { resource } = event;
      const state = event.kind === "gone" ? "deleted" : describeResource(resource, adaptersOf(resource));
      if (shown.get(resource.id) === state) continue;
      shown.set(resource.id, state);
      if (event.kind === "gone") shown.delete(resource.id);
      // Printed together once the initial list is complete.
      if (initial !== undefined && event.kind === "present" && isResourceReady(resource)) initial.push(resource);
      else print(`${time()}  ${formatResourceArg(resource)}  ${state}`);
    }
  } catch (error) {
    if (!isAbortError(error) && !signal.aborted) print(`watch failed: ${toError(error).message}`);
  }
}

/** Formats the initially Ready resources, one per line, or their number per kind. */
function readyLines(resources: readonly WireResource[]): readonly string[] {
  const byKind = Map.groupBy(resources, ({ kind }) => kind.toLowerCase());
  return [...byKind].flatMap(([kind, those]) =>
    those.length > LISTED_MAX
      ? [`${kind}  ✓ ${those.length} Ready`]
      : those.map((resource) => `${formatResourceArg(resource)}  ${describeResource(resource, [])}`),
  );
}

/** Formats the state of a resource as one line: state, generation and reason. */
function describeResource(resource: WireResource, adapters: readonly string[]): string {
  const state = resourceState(resource, adapters);
  const text = `${STATE_SYMBOLS[state]} ${state}   generation ${resource.generation}`;
  return state === "Ready" || state === "Deleting" ? text : `${text}   ${obstacles(resource, adapters)}`;
}

/** Lists the failed adapters and those without a result for the latest generation. */
function obstacles(resource: WireResource, adapters: readonly string[]): string {
  const results = adapters.map((adapter) => ({ adapter, result: adapterConditionOf(resource, adapter) }));
  const failed = results
    .filter(({ result }) => isCurrent(resource, result) && result?.status === "False")
    .map(({ adapter, result }) => `${adapter} ✗ ${[result?.reason, result?.message].filter(Boolean).join(": ")}`);
  const pending = results.filter(({ result }) => !isCurrent(resource, result)).map(({ adapter }) => adapter);
  return escapeControlChars(
    [...failed, ...(pending.length === 0 ? [] : [`waits for ${pending.join(", ")}`])].join("   "),
  );
}
