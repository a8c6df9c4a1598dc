import type { AnyCustomKind } from "@levelset/core";
import type { SimulationRule } from "@levelset/simulation";
import type { TestCluster } from "@levelset/apiserver/testing";
import type { Program } from "./program.ts";
import type { Harness } from "./harness.ts";

/** The checks of a simulation that need no code of the user. */
export type Oracle =
  /** Ends as the run without faults does, regardless of the path. */
  | "converges"
  /** Never reports Ready beside a world that does not match, or beside an older generation. */
  | "truth"
  /** No writes at rest, and no requeue storms. */
  | "quiet"
  /** Leaves no object and no finalizer after deletion, and does not touch foreign objects. */
  | "clean"
  /** Does not repeat an effect beyond its key, and has at most one live child for each intent. */
  | "once"
  /** No unhandled error, no undeclared right, no refused write. */
  | "defects";

/** An operator with a single bug, and the same operator without it. */
export interface SimulationBug {
  /** The name of its file. */
  readonly name: string;
  /** The public description of the bug that this one is modelled on. */
  readonly source: string;
  /** The check that finds it. */
  readonly oracle: Oracle;
  /** The history or the fault that exposes it. Without that, both programs behave alike. */
  readonly needs: string;
  readonly kind: AnyCustomKind;
  /** Creates the object `a` in the namespace `default`, and its inputs. */
  readonly create: (cluster: TestCluster) => Promise<unknown>;
  /** Both create a program in a new world. */
  readonly buggy: () => Program;
  readonly fixed: () => Program;
  /** Runs the shortest history that exposes the bug, and returns what is to be seen at its end. */
  readonly expose: (harness: Harness) => Promise<string>;
  /** Rules that both programs violate, because their steps are written without the safeguards of `child`. */
  readonly accepts?: readonly SimulationRule[];
  /** The result of `expose` for each of the two programs. */
  readonly ends: { readonly buggy: string; readonly fixed: string };
}
