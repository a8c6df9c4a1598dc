import { deepEqual } from "../json/index.ts";
import { orderChanges } from "./crd-change.ts";
import type { ChangeSeverity, CrdChange } from "./crd-change.ts";
import type { CrdNames, CrdSpec, CrdVersion } from "./crd.ts";
import { diffSchemas } from "./schema-diff.ts";

/** Options of {@link diffCrds}. */
export interface CrdDiffOptions {
  /** Whether to list compatible changes too. Default: false. */
  readonly includeCompatible?: boolean;
}

/**
 * Lists the changes between two definitions of a kind that affect existing objects and programs, worst first. Returns
 * an empty list for equal definitions. If a valid value becomes invalid, at least one listed change states why. CEL
 * rules, alternatives and patterns are compared as text.
 */
export function diffCrds(before: CrdSpec, after: CrdSpec, options: CrdDiffOptions = {}): readonly CrdChange[] {
  const versions = [...new Set([...before.versions, ...after.versions].map(({ name }) => name))];
  const changes = [
    ...identityChanges(before, after),
    ...nameChanges(before.names, after.names),
    ...storageChanges(before, after),
    ...before.versions.flatMap((version) => versionChanges(version, after)),
    ...addedVersions(before, after),
  ];
  const listed = changes.filter(({ severity }) => severity !== "compatible" || options.includeCompatible === true);
  return orderChanges(listed, versions);
}

function change(severity: ChangeSeverity, path: string, message: string, version?: string): CrdChange {
  return { severity, version, path, message };
}

const ANOTHER_KIND = "the field is immutable: declare a new kind and migrate the objects";

function identityChanges(before: CrdSpec, after: CrdSpec): readonly CrdChange[] {
  const fields: readonly (readonly [string, string, string])[] = [
    ["spec.group", before.group, after.group],
    ["spec.scope", before.scope, after.scope],
    ["spec.names.kind", before.names.kind, after.names.kind],
    ["spec.names.plural", before.names.plural, after.names.plural],
  ];
  return fields
    .filter(([, was, is]) => was !== is)
    .map(([path, was, is]) => change("breaking", path, `changed from ${was} to ${is}: ${ANOTHER_KIND}`));
}

function nameChanges(before: CrdNames, after: CrdNames): readonly CrdChange[] {
  const [wasSingular, isSingular] = [before, after].map(({ singular, kind }) => singular ?? kind.toLowerCase());
  const [wasList, isList] = [before, after].map(({ listKind, kind }) => listKind ?? `${kind}List`);
  return [
    ...(wasSingular === isSingular
      ? []
      : [
          change(
            "risky",
            "spec.names.singular",
            `changed from ${wasSingular} to ${isSingular}: scripts may use the old name`,
          ),
        ]),
    ...(wasList === isList
      ? []
      : [
          change(
            "risky",
            "spec.names.listKind",
            `changed from ${wasList} to ${isList}: programs that read lists may check it`,
          ),
        ]),
    ...wordChanges("spec.names.shortNames", before.shortNames ?? [], after.shortNames ?? []),
    ...wordChanges("spec.names.categories", before.categories ?? [], after.categories ?? []),
  ];
}

function wordChanges(path: string, before: readonly string[], after: readonly string[]): readonly CrdChange[] {
  const removed = before.filter((word) => !after.includes(word));
  const added = after.filter((word) => !before.includes(word));
  return [
    ...removed.map((word) => change("risky", path, `${word} was removed: people and scripts may use it: keep it`)),
    ...added.map((word) => change("compatible", path, `${word} was added`)),
  ];
}

function storageChanges(before: CrdSpec, after: CrdSpec): readonly CrdChange[] {
  const [was, is] = [before, after].map(({ versions }) => versions.find(({ storage }) => storage)?.name);
  if (was === is || was === undefined || is === undefined) return [];
  const message = `objects are stored as ${is} from now on, not as ${was}: migrate all stored objects before ${was} is removed`;
  return [change("risky", "spec.versions", message)];
}

function addedVersions(before: CrdSpec, after: CrdSpec): readonly CrdChange[] {
  return after.versions
    .filter(({ name }) => !before.versions.some((version) => version.name === name))
    .map(({ name }) => change("compatible", "", "the version was added", name));
}

function versionChanges(before: CrdVersion, spec: CrdSpec): readonly CrdChange[] {
  const { name } = before;
  const after = spec.versions.find((version) => version.name === name);
  if (after === undefined) {
    return before.served
      ? [change("breaking", "", "the version was removed: programs that use it fail: mark it deprecated first", name)]
      : [change("risky", "", "the version was removed: objects may still be stored in it: migrate them first", name)];
  }
  const schemas = [before, after].map(({ schema }) => schema?.openAPIV3Schema ?? {});
  return [
    ...servedChanges(before, after),
    ...diffSchemas(schemas[0] ?? {}, schemas[1] ?? {}, "").map((found) => ({ ...found, version: name })),
    ...subresourceChanges(before, after),
    ...selectableChanges(before, after),
    ...cosmeticChanges(before, after),
  ];
}

function servedChanges(before: CrdVersion, after: CrdVersion): readonly CrdChange[] {
  if (before.served === after.served) return [];
  if (after.served) return [change("compatible", "", "the version is served again", after.name)];
  const message = "the version is no longer served: programs that use it fail: mark it deprecated first";
  return [change("breaking", "", message, after.name)];
}

function subresourceChanges(before: CrdVersion, after: CrdVersion): readonly CrdChange[] {
  const [was, is] = [before.subresources ?? {}, after.subresources ?? {}];
  const at = (severity: ChangeSeverity, path: string, message: string): readonly CrdChange[] => [
    change(severity, path, message, after.name),
  ];
  const [hadStatus, hasStatus] = [was.status !== undefined, is.status !== undefined];
  return [
    ...(hadStatus && !hasStatus
      ? at(
          "breaking",
          "subresources.status",
          "was removed: writers of status fail, and writers of spec overwrite it: keep it",
        )
      : []),
    ...(!hadStatus && hasStatus
      ? at(
          "risky",
          "subresources.status",
          "was added: status written with the object is ignored: write it through /status",
        )
      : []),
    ...(was.scale !== undefined && is.scale === undefined
      ? at("breaking", "subresources.scale", "was removed: kubectl scale and autoscalers fail: keep it")
      : []),
    ...(was.scale === undefined && is.scale !== undefined ? at("compatible", "subresources.scale", "was added") : []),
    ...(was.scale !== undefined && is.scale !== undefined && !deepEqual(was.scale, is.scale)
      ? at("risky", "subresources.scale", "the paths changed: autoscalers change other fields now: check them")
      : []),
  ];
}

function selectableChanges(before: CrdVersion, after: CrdVersion): readonly CrdChange[] {
  const paths = ({ selectableFields }: CrdVersion): readonly string[] =>
    selectableFields?.map(({ jsonPath }) => jsonPath) ?? [];
  const [was, is] = [paths(before), paths(after)];
  return [
    ...was
      .filter((path) => !is.includes(path))
      .map((path) => {
        const message = `${path} is no longer selectable: lists and watches that select by it fail: keep it`;
        return change("breaking", "selectableFields", message, after.name);
      }),
    ...is
      .filter((path) => !was.includes(path))
      .map((path) => change("compatible", "selectableFields", `${path} is selectable`, after.name)),
  ];
}

function cosmeticChanges(before: CrdVersion, after: CrdVersion): readonly CrdChange[] {
  return [
    ...(deepEqual(before.additionalPrinterColumns ?? [], after.additionalPrinterColumns ?? [])
      ? []
      : [change("compatible", "additionalPrinterColumns", "kubectl get shows other columns", after.name)]),
    ...((before.deprecated === true) === (after.deprecated === true) &&
    before.deprecationWarning === after.deprecationWarning
      ? []
      : [change("compatible", "deprecated", "the deprecation warning of the version changed", after.name)]),
  ];
}
