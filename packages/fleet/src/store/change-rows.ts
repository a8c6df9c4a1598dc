import { canonicalJson, stringifyJson } from "@levelset/core/internal";
import { findResourceCondition, storedConditions } from "../resource/index.ts";
import type { Resource, ResourceCondition } from "../resource/index.ts";
import type { ChangeSet, ExpectedRevision, ResourceUpdate } from "./change-set.ts";
import type { JournalEntry } from "./journal.ts";
import { mutableColumns, declaredColumns, storableText, immutableColumns } from "./resource-row.ts";
import type { SqlValue } from "./sql-row.ts";

/** The parts of a change, in the order in which the SQL statements take them. */
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
 * A change as table rows. Each part is a JSON array of objects; `entry` and `answer` are single objects; an empty part
 * is null. JSON-valued columns are encoded as strings.
 */
export type ChangeRows = {
  readonly id: string;
  /** The only resource that changes, if only its status changes; otherwise undefined. */
  readonly reportedId: string | undefined;
} & {
  readonly [Part in (typeof CHANGE_PARTS)[number]]: string | null;
};

type Row = Readonly<Record<string, SqlValue>>;

/** Converts a change to table rows. */
export function changeRows(change: ChangeSet): ChangeRows {
  const { entry, created = [], updated = [], touched = [], removed = [], response } = change;
  const declared = [...created, ...updated.filter(({ isDeclared }) => isDeclared).map(({ resource }) => resource)];
  const settled = [...created, ...updated.map(({ resource }) => resource)];
  const removedIds = new Set(removed.map(({ resource }) => resource.id));
  const isKept = ({ resourceId }: { readonly resourceId: string }): boolean => !removedIds.has(resourceId);
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
        ...immutableColumns(resource),
        ...mutableColumns(resource),
        ...declaredColumns(resource),
      })),
    ),
    updated: listText(
      updated.map(({ resource, revision, isDeclared }) => ({
        ...mutableColumns(resource),
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
    answer: response === undefined ? null : objectText({ ...response, headers: stringifyJson(response.headers) }),
  };
}

/** Returns true if a change affects only the status of one resource, which is the common case. */
function isReport({ created = [], updated = [], touched = [], removed = [], response }: ChangeSet): boolean {
  const isOfOne = created.length + removed.length === 0 && touched.length + updated.length <= 1;
  return isOfOne && response === undefined && updated.every(changesOnlyConditions);
}

/** Returns true if only conditions change and the set of condition types stays the same. */
function changesOnlyConditions({ resource, before, isDeclared }: ResourceUpdate): boolean {
  if (isDeclared || before === undefined) return false;
  const { conditions } = resource;
  return (
    (["generation", "updatedBy", "updatedTime"] as const).every((member) => before[member] === resource[member]) &&
    before.deletion?.time === resource.deletion?.time &&
    before.conditions.length === conditions.length &&
    before.conditions.every(({ type }, index) => type === conditions[index]?.type)
  );
}

/** Converts planned work to a row of `due_work`. */
export function workRow(work: NonNullable<ChangeSet["work"]>[number]): Row {
  return {
    resource_id: work.resourceId,
    kind: work.kind,
    urgent_time: work.urgent?.time ?? null,
    urgent_cause: work.urgent?.cause ?? null,
    // Deadlines with jitter are fractional.
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

function expectedOf({ resource: { id }, revision }: ResourceUpdate): ExpectedRevision {
  return { id, revision };
}

/** The indexed fields of a condition. */
const INDEXED_FIELDS = ["status", "observedGeneration", "lastUpdatedTime", "lastTransitionTime"] as const;

function labelRows({ id, labels }: Resource): readonly Row[] {
  return Object.entries(labels).map(([key, value]) => ({ resource_id: id, key, value }));
}

function conditionRows({ id, conditions }: Resource, before?: Resource): readonly Row[] {
  const isNew = (condition: ResourceCondition): boolean => {
    const earlier = before === undefined ? undefined : findResourceCondition(before.conditions, condition.type);
    return earlier === undefined || INDEXED_FIELDS.some((member) => earlier[member] !== condition[member]);
  };
  return storedConditions(conditions)
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

/** Encodes rows as a JSON array; null if there are none. */
export function listText(rows: readonly Row[]): string | null {
  return rows.length === 0 ? null : `[${rows.map(objectText).join(",")}]`;
}

/** Matches a lone surrogate or U+0000 as written in JSON. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

function objectText(row: Row): string {
  const text = JSON.stringify(row);
  if (!UNSTORABLE.test(text)) return text;
  return JSON.stringify(row, (_name, value: unknown) => (typeof value === "string" ? storableText(value) : value));
}
