import type { CellState, FleetCell, FleetRow } from "./row.ts";
import type { YamlLine } from "./object-document.ts";

/** What one adapter last said, and what it is doing since. */
export interface AdapterView extends FleetCell {
  readonly reportedAt?: string;
  readonly conditions: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason: string;
    readonly message: string;
    readonly since: string;
  }[];
  /** Work under way since the verdict. */
  readonly progress?: {
    readonly generation: number;
    readonly at: string;
    readonly message: string;
    /** Whether it could judge: its Health is not False. */
    readonly isHealthy: boolean;
  };
}

/** One report, or one change of the declaration. */
export interface JournalView {
  readonly id: string;
  readonly time: string;
  readonly action: string;
  readonly by: string;
  readonly generation: number;
  readonly adapter?: string;
  /** How the report was: what its cell would be. Absent for changes. */
  readonly state?: CellState;
}

/** When adapters were last asked about a resource, and when they are next unless they report before. */
export interface PulseView {
  readonly lastAt?: string;
  readonly nextAt?: string;
  /** Why it is next. */
  readonly reason?: string;
  readonly adapters: readonly { readonly adapter: string; readonly dueAt: string }[];
}

/** A resource beside another one. */
export interface FleetRelative {
  readonly plural: string;
  readonly id: string;
  readonly kind: string;
  readonly name: string;
}

/** All that is known about one resource of a fleet. */
export interface ClusterDocument {
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
  /** How it stands, as in the matrix. */
  readonly state: FleetRow["state"];
  readonly message: string;
  /** Absent where the fleet does not tell. */
  readonly pulse?: PulseView;
  /** All but the verdicts of its adapters. */
  readonly conditions: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason: string;
    readonly message: string;
    readonly generation: number;
    readonly since: string;
  }[];
  readonly adapters: readonly AdapterView[];
  /** The newest first; the latest few hundred. */
  readonly journal: readonly JournalView[];
  readonly parent?: FleetRelative;
  readonly children: readonly FleetRelative[];
  readonly yaml: readonly YamlLine[];
  /** The declaration as text; absent where editing it here would lose something. */
  readonly editable?: string;
}
