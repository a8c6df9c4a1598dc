import type { JsonObject } from "@levelset/core";
import { decideCreate, decidePatch, labelProblems, nameProblems } from "../resource/index.ts";
import type { FieldProblem, FleetKind, TextMap } from "../resource/index.ts";
import type { StoredResource } from "../store/index.ts";
import { withChild } from "./ancestors.ts";
import type { Caller } from "./caller.ts";
import {
  rejectSystemCaller,
  checkGeneration,
  journalEntryOf,
  idempotentResponseFor,
  kindOfResource,
  loadVisible,
  describeTarget,
  unchangedDecision,
} from "./fleet-context.ts";
import type { FleetContext, MutationOptions, VersionedResource, ResourceTarget } from "./fleet-context.ts";
import { FleetError, invalidFields } from "./fleet-error.ts";
import type { MutationDecision, MutationResult } from "./mutation.ts";
import { resolveReferences, requestedReferenceProblems } from "./references.ts";
import type { RequestedReferences } from "./references.ts";

/** The maximum number of labels per resource. */
export const LABELS_MAX = 128;

/** A resource to create. */
export interface Declaration {
  readonly kind: FleetKind;
  /** The parent, for kinds that have one. */
  readonly parent: ResourceTarget | undefined;
  readonly name: string;
  readonly spec: JsonObject;
  readonly labels: TextMap;
  readonly references: RequestedReferences;
}

/** A requested change. Each field replaces its previous value as a whole. */
export interface RequestedPatch {
  readonly spec?: JsonObject;
  readonly labels?: TextMap;
  readonly references?: RequestedReferences;
}

/** Creates a resource. Rejects with a `FleetError`. */
export async function createResource(
  context: FleetContext,
  caller: Caller,
  declaration: Declaration,
  options: MutationOptions,
): Promise<MutationResult<VersionedResource>> {
  rejectSystemCaller(caller);
  const { kind, name, parent } = declaration;
  check(kind, declaration, nameProblems(kind, name));
  const id = context.ids.next();
  return context.mutations.run({
    lockKey: parent?.id ?? id,
    subject: `${kind.kind} with name '${name}'`,
    idempotency: options.idempotency,
    decide: async () => {
      const above = parent === undefined ? undefined : await loadVisible(context, caller, parent);
      return decideOnCreate(context, caller, { declaration, id, above, options });
    },
  });
}

async function decideOnCreate(
  context: FleetContext,
  caller: Caller,
  input: {
    readonly declaration: Declaration;
    readonly id: string;
    readonly above: StoredResource | undefined;
    readonly options: MutationOptions;
  },
): Promise<MutationDecision<VersionedResource>> {
  const { declaration, id, above, options } = input;
  const { kind, name, spec, labels } = declaration;
  const tenancy = above?.resource.tenancy ?? caller.tenancy;
  const { references, touched } = await resolveReferences(context, kind, declaration.references, { own: id, tenancy });
  const now = context.clock.now();
  const decision = decideCreate(
    { kind, id, name, spec, labels, references, tenancy, parent: above?.resource, basePath: context.basePath },
    { by: caller.identity, now },
  );
  if (decision.kind === "refused") throw finalizing(above?.resource ?? { kind: kind.kind, id });
  const { resource } = decision;
  const versioned: VersionedResource = { resource, revision: 1 };
  const parents = above === undefined ? undefined : withChild(context, above, now);
  return {
    kind: "commit",
    change: {
      entry: journalEntryOf(context, caller, resource, { action: "create", time: now }),
      created: [resource],
      updated: parents?.updated ?? [],
      touched: [...(parents?.touched ?? []), ...touched.filter((target) => target.id !== above?.resource.id)],
      work: [...(parents?.work ?? []), context.planner.work({ kind, resource, statuses: [] }, "create")],
      ...idempotentResponseFor(options.idempotency, versioned, now),
    },
    result: versioned,
  };
}

/** Changes a resource's declaration. Rejects with a `FleetError`. */
export async function patchResource(
  context: FleetContext,
  caller: Caller,
  target: ResourceTarget,
  requested: RequestedPatch,
  options: MutationOptions,
): Promise<MutationResult<VersionedResource>> {
  rejectSystemCaller(caller);
  return context.mutations.run({
    lockKey: target.id,
    subject: describeTarget(target),
    idempotency: options.idempotency,
    decide: async () => {
      const stored = await loadVisible(context, caller, target);
      checkGeneration(stored, options);
      return decideOnPatch(context, caller, stored, requested, options);
    },
  });
}

async function decideOnPatch(
  context: FleetContext,
  caller: Caller,
  stored: StoredResource,
  { references: requested, ...members }: RequestedPatch,
  options: MutationOptions,
): Promise<MutationDecision<VersionedResource>> {
  const kind = kindOfResource(context, stored.resource);
  check(kind, { ...members, ...(requested === undefined ? {} : { references: requested }) });
  const { id, tenancy } = stored.resource;
  const found =
    requested === undefined ? undefined : await resolveReferences(context, kind, requested, { own: id, tenancy });
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
    return unchangedDecision(context, caller, "patch", { resource, revision }, options);
  }
  const versioned: VersionedResource = { resource, revision: revision + 1 };
  return {
    kind: "commit",
    change: {
      entry: journalEntryOf(context, caller, resource, { action: "patch", time: now }),
      updated: [{ resource, revision, isDeclared: true }],
      touched: found?.touched ?? [],
      work: [context.planner.work({ kind, resource, statuses }, "change")],
      ...idempotentResponseFor(options.idempotency, versioned, now),
    },
    result: versioned,
  };
}

/** Throws a `FleetError` if the declaration is invalid. */
function check(
  kind: FleetKind,
  { spec, labels, references }: RequestedPatch,
  more: readonly FieldProblem[] = [],
): void {
  const ofSpec = spec === undefined ? [] : (kind.specSchema?.problems(spec) ?? []);
  const problems = [
    ...more,
    ...(labels === undefined ? [] : labelsProblems(labels)),
    ...(references === undefined ? [] : requestedReferenceProblems(kind, references)),
    ...ofSpec,
  ];
  if (problems.length === 0) return;
  const isSpec = problems.length === ofSpec.length;
  throw invalidFields(problems, isSpec ? `Invalid ${kind.specSchema?.name ?? "spec"}` : undefined);
}

function labelsProblems(labels: TextMap): readonly FieldProblem[] {
  if (Object.keys(labels).length <= LABELS_MAX) return labelProblems(labels);
  return [{ field: "labels", message: `at most ${LABELS_MAX} labels are allowed`, constraint: "max" }];
}

function finalizing(target: ResourceTarget): FleetError {
  return new FleetError("state", `${describeTarget(target)} is being deleted`);
}
