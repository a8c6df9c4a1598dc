import type { JsonObject } from "@levelset/core";
import { decideCreate, decidePatch, labelProblems, nameProblems } from "../resource/index.ts";
import type { FieldProblem, FleetKind, TextMap } from "../resource/index.ts";
import type { Stored } from "../store/index.ts";
import { withChild } from "./ancestors.ts";
import type { Caller } from "./caller.ts";
import {
  checkDeclares,
  checkGeneration,
  entryOf,
  keptAnswer,
  kindOf,
  loadFor,
  subjectOf,
  unchanged,
} from "./context.ts";
import type { FleetContext, MutationOptions, Seen, Target } from "./context.ts";
import { FleetError, invalid } from "./fleet-error.ts";
import type { Decision, Done } from "./mutation.ts";
import { findReferences, wantedProblems } from "./references.ts";
import type { WantedReferences } from "./references.ts";

/** The most labels of a resource. */
export const LABELS_MAX = 128;

/** What a caller wants to exist. */
export interface Declaration {
  readonly kind: FleetKind;
  /** The parent, for the kinds that have one. */
  readonly parent: Target | undefined;
  readonly name: string;
  readonly spec: JsonObject;
  readonly labels: TextMap;
  readonly references: WantedReferences;
}

/** What a caller wants to be different. Each member replaces the one before as a whole. */
export interface WantedPatch {
  readonly spec?: JsonObject;
  readonly labels?: TextMap;
  readonly references?: WantedReferences;
}

/** Creates a resource. */
export async function create(
  context: FleetContext,
  caller: Caller,
  declaration: Declaration,
  options: MutationOptions,
): Promise<Done<Seen>> {
  checkDeclares(caller);
  const { kind, name, parent } = declaration;
  check(kind, declaration, nameProblems(kind, name));
  const id = context.ids.next();
  return context.mutations.run({
    lane: parent?.id ?? id,
    subject: `${kind.kind} with name '${name}'`,
    once: options.once,
    decide: async () => {
      const above = parent === undefined ? undefined : await loadFor(context, caller, parent);
      return decideOnCreate(context, caller, { declaration, id, above, options });
    },
  });
}

async function decideOnCreate(
  context: FleetContext,
  caller: Caller,
  given: {
    readonly declaration: Declaration;
    readonly id: string;
    readonly above: Stored | undefined;
    readonly options: MutationOptions;
  },
): Promise<Decision<Seen>> {
  const { declaration, id, above, options } = given;
  const { kind, name, spec, labels } = declaration;
  const tenancy = above?.resource.tenancy ?? caller.tenancy;
  const { references, touched } = await findReferences(context, kind, declaration.references, { own: id, tenancy });
  const now = context.clock.now();
  const decision = decideCreate(
    { kind, id, name, spec, labels, references, tenancy, parent: above?.resource, basePath: context.basePath },
    { by: caller.identity, now },
  );
  if (decision.kind === "refused") throw finalizing(above?.resource ?? { kind: kind.kind, id });
  const { resource } = decision;
  const seen: Seen = { resource, revision: 1 };
  const parents = above === undefined ? undefined : withChild(context, above, now);
  return {
    kind: "commit",
    change: {
      entry: entryOf(context, caller, resource, { action: "create", time: now }),
      created: [resource],
      updated: parents?.updated ?? [],
      touched: [...(parents?.touched ?? []), ...touched.filter((target) => target.id !== above?.resource.id)],
      work: [...(parents?.work ?? []), context.planner.work({ kind, resource, statuses: [] }, "create")],
      ...keptAnswer(options.once, seen, now),
    },
    result: seen,
  };
}

/** Changes a resource's declaration. */
export async function patch(
  context: FleetContext,
  caller: Caller,
  target: Target,
  wanted: WantedPatch,
  options: MutationOptions,
): Promise<Done<Seen>> {
  checkDeclares(caller);
  return context.mutations.run({
    lane: target.id,
    subject: subjectOf(target),
    once: options.once,
    decide: async () => {
      const stored = await loadFor(context, caller, target);
      checkGeneration(stored, options);
      return decideOnPatch(context, caller, stored, wanted, options);
    },
  });
}

async function decideOnPatch(
  context: FleetContext,
  caller: Caller,
  stored: Stored,
  { references: wanted, ...members }: WantedPatch,
  options: MutationOptions,
): Promise<Decision<Seen>> {
  const kind = kindOf(context, stored.resource);
  check(kind, { ...members, ...(wanted === undefined ? {} : { references: wanted }) });
  const { id, tenancy } = stored.resource;
  const found = wanted === undefined ? undefined : await findReferences(context, kind, wanted, { own: id, tenancy });
  const now = context.clock.now();
  const { resource: before, statuses, children, revision } = stored;
  const decision = decidePatch(
    { kind, resource: before, statuses, children },
    { ...members, ...(found === undefined ? {} : { references: found.references }) },
    { by: caller.identity, now },
  );
  if (decision.kind === "refused") throw finalizing(before);
  const { resource } = decision;
  if (decision.kind === "unchanged") {
    return unchanged(context, caller, "patch", { resource, revision }, options);
  }
  const seen: Seen = { resource, revision: revision + 1 };
  return {
    kind: "commit",
    change: {
      entry: entryOf(context, caller, resource, { action: "patch", time: now }),
      updated: [{ resource, revision, isDeclared: true }],
      touched: found?.touched ?? [],
      work: [context.planner.work({ kind, resource, statuses }, "change")],
      ...keptAnswer(options.once, seen, now),
    },
    result: seen,
  };
}

/** Throws if anything is wrong with what is declared. */
function check(kind: FleetKind, { spec, labels, references }: WantedPatch, more: readonly FieldProblem[] = []): void {
  const ofSpec = spec === undefined ? [] : (kind.specSchema?.problems(spec) ?? []);
  const problems = [
    ...more,
    ...(labels === undefined ? [] : labelsProblems(labels)),
    ...(references === undefined ? [] : wantedProblems(kind, references)),
    ...ofSpec,
  ];
  if (problems.length === 0) return;
  const isSpec = problems.length === ofSpec.length;
  throw invalid(problems, isSpec ? `Invalid ${kind.specSchema?.name ?? "spec"}` : undefined);
}

function labelsProblems(labels: TextMap): readonly FieldProblem[] {
  if (Object.keys(labels).length <= LABELS_MAX) return labelProblems(labels);
  return [{ field: "labels", message: `at most ${LABELS_MAX} labels are allowed`, constraint: "max" }];
}

function finalizing(target: Target): FleetError {
  return new FleetError("state", `${subjectOf(target)} is being deleted`);
}
