import type {
  CampaignOptions,
  Case,
  Failure,
  Violation,
  Manifest,
  SimulationRule,
  WhyReport,
} from "@levelset/simulation";
import type { Coverable, CoverageJson, StoryEvent } from "@levelset/simulation/internal";

/** What a worker simulates. */
export interface WorkerTask {
  /** The file with the program, as the user wrote it. */
  readonly file: string;
  readonly samples: readonly Manifest[];
  /** Whether the samples replace those of the program's declaration. */
  readonly areSamplesGiven: boolean;
  readonly ignore: readonly SimulationRule[];
  /** Whether the modules are evaluated only once, as in a test. Default: for each simulated process. */
  readonly isShared?: boolean;
  /** Time between two messages that show that the worker is not blocked. */
  readonly aliveMs: number;
}

/** A message to a worker. */
export type ToWorker =
  | { readonly kind: "prepare"; readonly task: WorkerTask }
  | { readonly kind: "seeds"; readonly seeds: readonly number[] }
  | { readonly kind: "replay"; readonly case: Case };

/** Which samples a worker uses. */
export type SampleSource = "files" | "declaration" | "schemas";

/** A program that is ready to be simulated. */
export interface PreparedProgram {
  readonly coverable: Coverable;
  /** Kinds none of whose samples became ready. */
  readonly neverReady: readonly string[];
  readonly samples: SampleSource;
  /** The samples of files that are used. */
  readonly fileSamples: readonly Manifest[];
  /** Whether the modules are evaluated only once, because they use top-level await. */
  readonly isShared: boolean;
  /** Rules that the program's declaration or the command ignore. */
  readonly ignored: NonNullable<CampaignOptions["ignore"]>;
}

/** A violated rule: of a case, or of the worker process itself. */
export type SeedFailure =
  | {
      readonly kind: "case";
      readonly seed: number;
      readonly violation: Violation;
      readonly case: Case;
      /** The case without the values of Secrets, for output. */
      readonly shownCase: Case;
      readonly events: readonly StoryEvent[];
      /** When the violation was found, and the custom resources that it concerns. */
      readonly why?: WhyReport;
      readonly drawn: Failure["drawn"];
    }
  | {
      readonly kind: "process";
      readonly seed: number;
      readonly violation: Violation;
      /** The end of the output of the process. */
      readonly output: string;
    };

/** The result of a seed. */
export interface SeedOutcome {
  readonly seed: number;
  /** Simulated worlds. */
  readonly runs: number;
  readonly failure: SeedFailure | undefined;
  /** What this seed covered and no earlier seed of the same worker. */
  readonly coverage: CoverageJson;
  /** Hosts that the program tried to reach. */
  readonly network: readonly string[];
}

/** The result of a replay. */
export interface ReplayResult {
  readonly violation: Violation | undefined;
  readonly events: readonly StoryEvent[];
  /** When the violation was found, and the custom resources that it concerns. */
  readonly why?: WhyReport;
  readonly network: readonly string[];
}

/** A message from a worker. */
export type FromWorker =
  | { readonly kind: "alive" }
  /** The modules are loaded; the samples run next. */
  | { readonly kind: "loaded" }
  | { readonly kind: "prepared"; readonly program: PreparedProgram }
  | { readonly kind: "failed"; readonly message: string; readonly isInput: boolean; readonly hint: string | undefined }
  | { readonly kind: "outcome"; readonly outcome: SeedOutcome }
  /** A rule is violated. The case is not shrunk yet, or not completely. */
  | { readonly kind: "found"; readonly failure: SeedFailure }
  /** All seeds are done. `memory`: resident bytes. */
  | { readonly kind: "idle"; readonly memory: number }
  | { readonly kind: "replayed"; readonly result: ReplayResult };
