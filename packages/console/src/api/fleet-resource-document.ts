import type { WireJournalEntry, WirePulse } from "@levelset/fleet/client";
import type { CellState, AdapterCell, FleetRow } from "./row.ts";
import type { YamlLine } from "./object-document.ts";

/** Last result and current progress of an adapter. */
export interface AdapterView extends AdapterCell {
  readonly reportedAt?: string;
  readonly conditions: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason: string;
    readonly message: string;
    readonly since: string;
  }[];
  /** Progress reported after the result. */
  readonly progress?: {
    readonly generation: number;
    readonly at: string;
    readonly message: string;
    /** Whether its Health condition is not False. */
    readonly isHealthy: boolean;
  };
}

/** A report or a spec change. */
export interface JournalEntryView {
  readonly id: string;
  readonly time: string;
  readonly action: WireJournalEntry["action"];
  readonly by: string;
  readonly generation: number;
  readonly adapter?: string;
  /** The state in the report. Absent for spec changes. */
  readonly state?: CellState;
}

/** Times of the last and the next pulse of a resource. */
export interface PulseView {
  readonly lastAt?: string;
  readonly nextAt?: string;
  /** Reason of the next pulse. */
  readonly reason?: NonNullable<WirePulse["reason"]>;
  readonly adapters: readonly { readonly adapter: string; readonly dueAt: string }[];
}

/** A reference to a related resource. */
export interface RelatedResource {
  readonly plural: string;
  readonly id: string;
  readonly kind: string;
  readonly name: string;
}

/** Page of a fleet resource. */
export interface FleetResourceDocument {
  readonly id: string;
  readonly kind: string;
  readonly plural: string;
  readonly name: string;
  readonly generation: number;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly updatedAt: string;
  readonly updatedBy: string;
  readonly deletedAt?: string;
  /** State, as in the matrix. */
  readonly state: FleetRow["state"];
  readonly message: string;
  /** Absent if the fleet does not report pulses. */
  readonly pulse?: PulseView;
  /** Conditions other than those of adapters. */
  readonly conditions: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason: string;
    readonly message: string;
    readonly generation: number;
    readonly since: string;
  }[];
  readonly adapters: readonly AdapterView[];
  /** Reports and spec changes, newest first; limited to the latest. */
  readonly journal: readonly JournalEntryView[];
  readonly parent?: RelatedResource;
  readonly children: readonly RelatedResource[];
  readonly yaml: readonly YamlLine[];
  /** Labels and spec as YAML; absent if editing would lose data. */
  readonly editable?: string;
}
