import { canonicalJson, stringifyJson } from "@levelset/core";
import { conditionOf, keptConditions } from "../resource/index.ts";
import type { Resource, ResourceCondition } from "../resource/index.ts";
import type { ChangeSet, Expected, Update } from "./change-set.ts";
import type { JournalEntry } from "./journal.ts";
import { changingColumns, declaredColumns, holdableText, lastingColumns } from "./resource-row.ts";
import type { SqlValue } from "./sql-row.ts";

/** The parts of a change, in the order in which databases take them. */
export const CHANGE_PARTS = [
  "entry",
  "expected",
  "touched",
  "created",
  "updated",
  "labels",
  "conditions",
  "links",
  "statuses",
  "removed",
  "shown",
  "work",
  "answer",
] as const;

/**
 * A change as rows of tables: each part is a list of objects in JSON, `entry` and `answer` one object; null where there is nothing.
 * Values that are JSON themselves are texts in it.
 */
export type ChangeRows = {
  readonly id: string;
  /** The one resource whose status is all that changes; undefined if anything else does. */
  readonly reportedId: string | undefined;
} & {
  readonly [Part in (typeof CHANGE_PARTS)[number]]: string | null;
};

type Row = Readonly<Record<string, SqlValue>>;

/** The rows of a change. */
export function changeRows(change: ChangeSet): ChangeRows {
  const { entry, created = [], updated = [], touched = [], removed = [], answer } = change;
  const declared = [...created, ...updated.filter(({ isDeclared }) => isDeclared).map(({ resource }) => resource)];
  const settled = [...created, ...updated.map(({ resource }) => resource)];
  const gone = new Set(removed.map(({ resource }) => resource.id));
  const isKept = ({ resourceId }: { readonly resourceId: string }): boolean => !gone.has(resourceId);
  return {
    id: entry.id,
    reportedId: isReport(change) ? entry.resourceId : undefined,
    entry: objectText(entryRow(entry)),
    expected: listText(
      [...touched, ...[...updated, ...removed].map(expectedOf)].map(({ id, revision }) => ({ id, revision })),
    ),
    touched: listText(touched.map(({ id, revision }) => ({ id, revision }))),
    created: listText(
      created.map((resource) => ({
        ...lastingColumns(resource),
        ...changingColumns(resource),
        ...declaredColumns(resource),
      })),
    ),
    updated: listText(
      updated.map(({ resource, revision, isDeclared }) => ({
        ...changingColumns(resource),
        revision,
        is_declared: isDeclared ? 1 : 0,
        ...(isDeclared ? declaredColumns(resource) : {}),
      })),
    ),
    labels: listText(declared.flatMap(labelRows)),
    conditions: listText([
      ...created.flatMap((resource) => conditionRows(resource)),
      ...updated.flatMap(({ resource, before }) => conditionRows(resource, before)),
    ]),
    links: listText(declared.flatMap(linkRows)),
    statuses: listText(
      (change.statuses ?? []).filter(isKept).map(({ resourceId, status }) => {
        return { resource_id: resourceId, adapter: status.adapter, body: stringifyJson(status) };
      }),
    ),
    removed: listText(
      removed.map(({ resource, revision }) => {
        return { ...shownRow(resource), revision, time: entry.time, gone: stringifyJson(resource) };
      }),
    ),
    shown: listText(settled.map(shownRow)),
    work: listText((change.work ?? []).filter(isKept).map(workRow)),
    answer: answer === undefined ? null : objectText({ ...answer, headers: stringifyJson(answer.headers) }),
  };
}

/** Whether a change is about the status of one resource and nothing else, as most are. */
function isReport({ created = [], updated = [], touched = [], removed = [], answer }: ChangeSet): boolean {
  const isOfOne = created.length + removed.length === 0 && touched.length + updated.length <= 1;
  return isOfOne && answer === undefined && updated.every(isOfConditions);
}

/** Whether nothing but conditions changes, and these have the types that they had. */
function isOfConditions({ resource, before, isDeclared }: Update): boolean {
  if (isDeclared || before === undefined) return false;
  const { conditions } = resource;
  return (
    (["generation", "updatedBy", "updatedTime"] as const).every((member) => before[member] === resource[member]) &&
    before.deletion?.time === resource.deletion?.time &&
    before.conditions.length === conditions.length &&
    before.conditions.every(({ type }, index) => type === conditions[index]?.type)
  );
}

/** Work as a row of its table. */
export function workRow(work: NonNullable<ChangeSet["work"]>[number]): Row {
  return {
    resource_id: work.resourceId,
    kind: work.kind,
    urgent_time: work.urgent?.time ?? null,
    urgent_cause: work.urgent?.cause ?? null,
    // Deadlines with jitter have fractions.
    refresh_time: work.refreshTime === undefined ? null : Math.ceil(work.refreshTime),
  };
}

function entryRow(entry: JournalEntry): Row {
  return {
    id: entry.id,
    time: entry.time,
    action: entry.action,
    resource_id: entry.resourceId,
    kind: entry.kind,
    name: entry.name,
    tenancy: canonicalJson(entry.tenancy),
    by_whom: entry.by,
    request_id: entry.requestId,
    generation: entry.generation,
    adapter: entry.adapter ?? null,
    details: entry.details === undefined ? null : stringifyJson(entry.details),
  };
}

function expectedOf({ resource: { id }, revision }: Update): Expected {
  return { id, revision };
}

/** What of a condition can be searched for. */
const SHOWN = ["status", "observedGeneration", "lastUpdatedTime", "lastTransitionTime"] as const;

function labelRows({ id, labels }: Resource): readonly Row[] {
  return Object.entries(labels).map(([key, value]) => ({ resource_id: id, key, value }));
}

function conditionRows({ id, conditions }: Resource, before?: Resource): readonly Row[] {
  const isNew = (condition: ResourceCondition): boolean => {
    const earlier = before === undefined ? undefined : conditionOf(before.conditions, condition.type);
    return earlier === undefined || SHOWN.some((member) => earlier[member] !== condition[member]);
  };
  return keptConditions(conditions)
    .filter(isNew)
    .map((condition) => ({
      resource_id: id,
      type: condition.type,
      status: condition.status,
      observed_generation: condition.observedGeneration,
      last_updated_time: condition.lastUpdatedTime,
      last_transition_time: condition.lastTransitionTime,
    }));
}

function linkRows({ id, references }: Resource): readonly Row[] {
  return Object.entries(references).flatMap(([type, targets]) =>
    targets.map((target, ordinal) => {
      return { resource_id: id, type, ordinal, target_id: target.id, kind: target.kind, href: target.href };
    }),
  );
}

function shownRow({ id, kind, tenancy }: Resource): Row {
  return { id, kind, tenancy: canonicalJson(tenancy) };
}

/** A list of rows in JSON; null for none. */
export function listText(rows: readonly Row[]): string | null {
  return rows.length === 0 ? null : `[${rows.map(objectText).join(",")}]`;
}

/** How JSON writes half of a character, or the character of code 0. */
const UNHOLDABLE = /\\u(?:0000|d[89a-f])/;

function objectText(row: Row): string {
  const text = JSON.stringify(row);
  if (!UNHOLDABLE.test(text)) return text;
  return JSON.stringify(row, (_name, value: unknown) => (typeof value === "string" ? holdableText(value) : value));
}
