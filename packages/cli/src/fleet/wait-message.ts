import type { AdapterExplanation, ResourceExplanation } from "./explain-resource.ts";

/** One-line description of what a resource waits for. */
export interface WaitMessage {
  /** The reason of the first adapter that has failed. */
  readonly reason?: string;
  readonly message: string;
  /** Whether an adapter has reported progress. */
  readonly isWorking: boolean;
}

/** Maximum number of children listed in a message. */
const CHILDREN_MAX = 5;

/**
 * Lists the adapters that have failed at a generation with their reasons, and those without a result with their last
 * progress report. Returns undefined if all of them have succeeded.
 */
export function adapterMessage(adapters: readonly AdapterExplanation[], generation: number): WaitMessage | undefined {
  const failed = adapters.filter(({ state }) => state === "failed");
  const pending = adapters.filter(({ state }) => state === "behind" || state === "silent");
  if (failed.length + pending.length === 0) return undefined;
  const texts = [
    ...failed.map(({ adapter, ...report }) => [adapter, reportText(report)].filter((text) => text !== "").join(": ")),
    ...(pending.length === 0
      ? []
      : [`no result for generation ${generation} from ${pending.map(withProgress).join(", ")}`]),
  ];
  return { ...reasonOf(failed), message: texts.join("; "), isWorking: isWorking(adapters) };
}

/** Lists the adapters that have not finalized a deletion, else the remaining children. */
export function deletionMessage(
  adapters: readonly AdapterExplanation[],
  remaining: ResourceExplanation["children"],
): WaitMessage {
  const pending = adapters.filter(({ state }) => state !== "done");
  if (pending.length > 0) {
    const message = `waiting for ${pending.map(withProgress).join(", ")} to finalize`;
    return { ...reasonOf(pending), message, isWorking: isWorking(adapters) };
  }
  const names = remaining.map(({ kind, name }) => `${kind.toLowerCase()}/${name}`);
  const more = names.length > CHILDREN_MAX ? ` and ${names.length - CHILDREN_MAX} more` : "";
  const children = `waiting for its children: ${names.slice(0, CHILDREN_MAX).join(", ")}${more}`;
  return { message: names.length === 0 ? "all adapters have finalized" : children, isWorking: false };
}

function isWorking(adapters: readonly AdapterExplanation[]): boolean {
  return adapters.some(({ progress }) => progress !== undefined);
}

function reasonOf(adapters: readonly AdapterExplanation[]): Pick<WaitMessage, "reason"> {
  const reason = adapters.find((adapter) => adapter.reason !== undefined)?.reason;
  return reason === undefined ? {} : { reason };
}

/** Formats an adapter and its last progress: `dns (CreatingZone: 2 of 3 records)`. */
function withProgress({ adapter, progress, ...report }: AdapterExplanation): string {
  const text = reportText(progress ?? report);
  return text === "" ? adapter : `${adapter} (${text})`;
}

function reportText({ reason = "", message = "" }: { readonly reason?: string; readonly message?: string }): string {
  return [reason, message].filter((text) => text !== "").join(": ");
}
