import type { AdapterFact, FleetAnswer } from "./why-facts.ts";

/** What a resource waits for, in one line. */
export interface WaitMessage {
  /** The reason of the first adapter that has failed. */
  readonly reason?: string;
  readonly message: string;
  /** Whether an adapter has reported that it works on it. */
  readonly isWorking: boolean;
}

/** How many children a message names. */
const CHILDREN_MAX = 5;

/**
 * Names the adapters that have failed at a generation, with their reasons, and those without a result for it, with what they last said about
 * their work. Undefined if all of them have succeeded.
 */
export function adapterMessage(facts: readonly AdapterFact[], generation: number): WaitMessage | undefined {
  const failed = facts.filter(({ state }) => state === "failed");
  const pending = facts.filter(({ state }) => state === "behind" || state === "silent");
  if (failed.length + pending.length === 0) return undefined;
  const texts = [
    ...failed.map(({ adapter, ...words }) => [adapter, wordsOf(words)].filter((text) => text !== "").join(": ")),
    ...(pending.length === 0
      ? []
      : [`no result for generation ${generation} from ${pending.map(withWork).join(", ")}`]),
  ];
  return { ...reasonOf(failed), message: texts.join("; "), isWorking: isWorking(facts) };
}

/** Names the adapters that have not finalized a deletion, else the children that are left. */
export function deletionMessage(facts: readonly AdapterFact[], below: FleetAnswer["children"]): WaitMessage {
  const pending = facts.filter(({ state }) => state !== "done");
  if (pending.length > 0) {
    const message = `waiting for ${pending.map(withWork).join(", ")} to finalize`;
    return { ...reasonOf(pending), message, isWorking: isWorking(facts) };
  }
  const names = below.map(({ kind, name }) => `${kind.toLowerCase()}/${name}`);
  const more = names.length > CHILDREN_MAX ? ` and ${names.length - CHILDREN_MAX} more` : "";
  const children = `waiting for its children: ${names.slice(0, CHILDREN_MAX).join(", ")}${more}`;
  return { message: names.length === 0 ? "all adapters have finalized" : children, isWorking: false };
}

function isWorking(facts: readonly AdapterFact[]): boolean {
  return facts.some(({ progress }) => progress !== undefined);
}

function reasonOf(facts: readonly AdapterFact[]): Pick<WaitMessage, "reason"> {
  const reason = facts.find((fact) => fact.reason !== undefined)?.reason;
  return reason === undefined ? {} : { reason };
}

/** `dns (CreatingZone: 2 of 3 records)`: an adapter and what it said last. */
function withWork({ adapter, progress, ...words }: AdapterFact): string {
  const said = wordsOf(progress ?? words);
  return said === "" ? adapter : `${adapter} (${said})`;
}

function wordsOf({ reason = "", message = "" }: { readonly reason?: string; readonly message?: string }): string {
  return [reason, message].filter((text) => text !== "").join(": ");
}
