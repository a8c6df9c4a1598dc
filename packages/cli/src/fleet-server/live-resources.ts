import { isAbort, toError } from "@levelset/core";
import type { Clock } from "@levelset/core";
import { isCurrent, isResourceReady, readyOf, verdictOf } from "@levelset/fleet/client";
import type { FleetClient, WireResource } from "@levelset/fleet/client";
import { printable } from "../paint.ts";
import { isSettled, kindIn, resourceWord } from "../fleet/index.ts";

/** More than this that are well from the start are counted. */
const LISTED_MAX = 5;

/** Prints a line whenever a resource is another one than before, until the signal aborts. Does not reject. */
export async function printResources(
  client: FleetClient,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  print: (line: string) => void,
): Promise<void> {
  const shown = new Map<string, string>();
  const everything = client.collection({ kind: "Resource", plural: "resources" });
  const time = (): string => new Date(clock.now()).toTimeString().slice(0, 8);
  try {
    const kinds = await client.kinds({ signal });
    const adaptersOf = ({ kind }: WireResource): readonly string[] => kindIn(kinds, kind)?.requiredAdapters ?? [];
    let first: WireResource[] | undefined = [];
    for await (const event of everything.watch({ signal })) {
      if (event.kind === "synced" && first !== undefined) {
        for (const line of wellLines(first)) print(`${time()}  ${line}`);
        first = undefined;
      }
      if (event.kind !== "present" && event.kind !== "gone") continue;
      const { resource } = event;
      const state = event.kind === "gone" ? "gone" : describeResource(resource, adaptersOf(resource));
      if (shown.get(resource.id) === state) continue;
      shown.set(resource.id, state);
      if (event.kind === "gone") shown.delete(resource.id);
      // Told of with the others, when all are known.
      if (first !== undefined && event.kind === "present" && isSettled(resource)) first.push(resource);
      else print(`${time()}  ${resourceWord(resource)}  ${state}`);
    }
  } catch (error) {
    if (!isAbort(error) && !signal.aborted) print(`changes can no longer be followed: ${toError(error).message}`);
  }
}

/** What is well: each for itself, or of many how many. */
function wellLines(resources: readonly WireResource[]): readonly string[] {
  const byKind = Map.groupBy(resources, ({ kind }) => kind.toLowerCase());
  return [...byKind].flatMap(([kind, those]) =>
    those.length > LISTED_MAX
      ? [`${kind}  ✓ ${those.length} ready`]
      : those.map((resource) => `${resourceWord(resource)}  ${describeResource(resource, [])}`),
  );
}

/** Where a resource stands, in one line: generation, whether the latest declaration has been reached, and why not. */
function describeResource(resource: WireResource, adapters: readonly string[]): string {
  const { generation, deleted_time: deleted } = resource;
  const ready = readyOf(resource);
  const at = `generation ${generation}`;
  if (deleted !== undefined) return `… being deleted   ${at}`;
  if (ready === undefined) return `✓ declared   ${at}`;
  return isResourceReady(resource) ? `✓ ready   ${at}` : `✗ not ready   ${at}   ${obstacles(resource, adapters)}`;
}

/** What keeps a resource from being ready: adapters that failed, and those that have not judged it. */
function obstacles(resource: WireResource, adapters: readonly string[]): string {
  const verdicts = adapters.map((adapter) => ({ adapter, verdict: verdictOf(resource, adapter) }));
  const failed = verdicts
    .filter(({ verdict }) => isCurrent(resource, verdict) && verdict?.status === "False")
    .map(({ adapter, verdict }) => `${adapter} ✗ ${[verdict?.reason, verdict?.message].filter(Boolean).join(": ")}`);
  const awaited = verdicts.filter(({ verdict }) => !isCurrent(resource, verdict)).map(({ adapter }) => adapter);
  return printable([...failed, ...(awaited.length === 0 ? [] : [`waits for ${awaited.join(", ")}`])].join("   "));
}
