import type { ApiObject } from "@levelset/apiserver";
import type { KubeObject } from "@levelset/core";
import type { PlannedFault } from "../fault/index.ts";
import type { Violation } from "../violation/index.ts";
import type { History, Operation } from "../history/index.ts";
import type { Effort } from "../oracle/index.ts";
import type { Subject } from "../subject/index.ts";
import type { Snapshot } from "../world/index.ts";
import type { Properties } from "./properties.ts";
import type { WhyReport } from "./why-report.ts";

/** Options of a run. */
export interface RunOptions {
  readonly subject: Subject;
  readonly history: History;
  readonly faults: readonly PlannedFault[];
  /** Seed of names, uids and jitter. */
  readonly seed: number;
  /** Milliseconds by which the run starts later. */
  readonly laterMs?: number;
  /**
   * `watch`: checks everything that can be checked without faults. `learn`: only creates the objects. `faults`: compares
   * the end only, because reports may be late during faults.
   */
  readonly mode: "watch" | "learn" | "faults";
  /** Additional time before the state at rest is read. Default: none. */
  readonly extraMs?: number;
  /** Whether the process is restarted at rest, if the mode is `watch`. Default: true. */
  readonly isRestarted?: boolean;
  readonly properties: Properties;
  /** Paths that differ between equal worlds: writes of them at rest have no effect. Default: none. */
  readonly noise?: ReadonlySet<string>;
  /** Whether the result can explain violations. Default: false, because the states for it cost time and memory. */
  readonly isExplained?: boolean;
  /** Called with every object that is written. */
  readonly onObject?: (object: KubeObject) => void;
}

/** An event of a run, for its story. */
export interface StoryEvent {
  /** Virtual milliseconds since the start of the run. */
  readonly atMs: number;
  readonly kind: "operation" | "fault" | "write" | "status" | "process" | "violation";
  readonly text: string;
}

/** What a run did. */
export interface RunResult {
  /** The operations with the children that they selected. */
  readonly operations: readonly Operation[];
  /** The operations that the server refused, with its message, or that had no target, with an empty one. */
  readonly refused: ReadonlyMap<number, string>;
  /** Write requests of the processes during each operation, deletions at the end included. */
  readonly writes: readonly number[];
  /** What the processes did during each operation, deletions at the end included. */
  readonly efforts: readonly Effort[];
  /** Their read requests during each operation. */
  readonly reads: readonly number[];
  /** The planned faults that have occurred. */
  readonly fired: readonly PlannedFault[];
  /** The state at rest. */
  readonly rest: Snapshot;
  /** The state after a restart at rest, or after the time of one, if the mode is `watch`. */
  readonly restarted: Snapshot | undefined;
  /** Child → the number of objects that had its name, at rest. */
  readonly incarnations: ReadonlyMap<string, number>;
  /** Whether the operator reports Ready only if its workloads are ready; undefined if that was not observed. */
  readonly isGated: boolean | undefined;
  /** The objects that operators had created, at rest. */
  readonly children: readonly ApiObject[];
  readonly violations: readonly Violation[];
  readonly events: readonly StoryEvent[];
  /** `operator step phase` of all runs. */
  readonly covered: ReadonlySet<string>;
  /** `operator step phase fault` of the phases that ran beside faults. */
  readonly phaseFaults: ReadonlySet<string>;
  readonly requests: number;
  /** Explains the custom resources that a violation concerns, when it was found. Undefined if the run is not explained. */
  readonly why: (violation: Violation) => Promise<WhyReport | undefined>;
}
