import type { PersistentVolumeClaimSpec } from "@levelset/core";
import { forbiddenField, requiredField, unsupportedField, dnsSubdomainProblems } from "../../resource/index.ts";
import { isEmptyString, requiredStringErrors, optionalEnumErrors, stringErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { positiveQuantityErrors } from "./resources.ts";
import { selectorErrors } from "./selector.ts";
import type { Unvalidated } from "../unvalidated.ts";

const ACCESS_MODES = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** Volume modes. */
export const VOLUME_MODES: readonly string[] = ["Block", "Filesystem"];

/** Validates the spec of a claim. */
export function* claimSpecErrors(path: string, spec: Unvalidated<PersistentVolumeClaimSpec>): FieldErrors {
  const { accessModes = [], resources } = spec;
  if (accessModes.length === 0) yield requiredField(`${path}.accessModes`, "at least 1 access mode is required");
  yield* selectorErrors(`${path}.selector`, spec.selector);
  yield* accessModeErrors(`${path}.accessModes`, accessModes);
  const storage = resources?.requests?.["storage"];
  if (storage === undefined) yield requiredField(`${path}.resources[storage]`);
  else yield* positiveQuantityErrors(`${path}.resources[storage]`, storage);
  for (const field of ["storageClassName", "volumeAttributesClassName"] as const) {
    const name = spec[field];
    if (!isEmptyString(name)) yield* stringErrors(`${path}.${field}`, name, dnsSubdomainProblems);
  }
  yield* optionalEnumErrors(`${path}.volumeMode`, spec.volumeMode, VOLUME_MODES);
  for (const field of ["dataSource", "dataSourceRef"] as const) {
    const source = spec[field];
    if (source === undefined) continue;
    yield* requiredStringErrors(`${path}.${field}.name`, source.name);
    yield* requiredStringErrors(`${path}.${field}.kind`, source.kind);
  }
}

/** Validates access modes. ReadWriteOncePod excludes all other modes. */
export function* accessModeErrors(path: string, modes: readonly string[]): FieldErrors {
  for (const mode of modes) if (!ACCESS_MODES.includes(mode)) yield unsupportedField(path, mode, ACCESS_MODES);
  if (
    modes.includes("ReadWriteOncePod") &&
    modes.some((mode) => mode !== "ReadWriteOncePod" && ACCESS_MODES.includes(mode))
  ) {
    yield forbiddenField(path, "may not use ReadWriteOncePod with other access modes");
  }
}
