import { describeTrigger } from "./trigger.ts";
import type { Trigger, TriggerKind } from "./trigger.ts";

/** How many triggers of one pending run are described. The first of each kind is described beyond that. */
const DESCRIBED_MAX = 10;

/**
 * The triggers of one pending run. It keeps every kind, however many triggers came before, because decisions depend on
 * kinds. It keeps a bounded number of descriptions, because they are only shown.
 */
export class PendingTriggers {
  readonly #kinds = new Set<TriggerKind>();
  readonly #described = new Map<string, TriggerKind>();
  #omitted = 0;

  /** Every kind of trigger that was added. */
  get kinds(): ReadonlySet<TriggerKind> {
    return this.#kinds;
  }

  /** Distinct descriptions in order of arrival; the last entry states how many more there were. */
  get descriptions(): readonly string[] {
    const more = this.#omitted === 0 ? [] : [`and ${this.#omitted} more`];
    return [...this.#described.keys(), ...more];
  }

  add(trigger: Trigger): void {
    this.#add(trigger.kind, describeTrigger(trigger));
  }

  /** Adds the triggers of another pending run. */
  join(other: PendingTriggers): void {
    for (const [text, kind] of other.#described) this.#add(kind, text);
    this.#omitted += other.#omitted;
  }

  #add(kind: TriggerKind, text: string): void {
    const isFirst = !this.#kinds.has(kind);
    this.#kinds.add(kind);
    if (this.#described.has(text)) return;
    if (isFirst || this.#described.size < DESCRIBED_MAX) this.#described.set(text, kind);
    else this.#omitted++;
  }
}
