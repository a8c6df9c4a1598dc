import type { PersistentVolumeClaimSpec } from "@levelset/core";
import { forbiddenField, requiredField, unsupportedField } from "../../field.ts";
import { dnsSubdomainProblems } from "../../names.ts";
import { isBlank, neededText, optionalChoiceErrors, textErrors } from "../check.ts";
import type { Errors } from "../check.ts";
import { positiveAmountErrors } from "../core/resources.ts";
import { selectorErrors } from "../core/selector.ts";
import type { Loose } from "../loose.ts";

const ACCESS_MODES = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** Whether a volume is a file system or a raw device. */
export const VOLUME_MODES: readonly string[] = ["Block", "Filesystem"];

/** Everything wrong with the storage that a claim wants. */
export function* claimSpecErrors(path: string, spec: Loose<PersistentVolumeClaimSpec>): Errors {
  const { accessModes = [], resources } = spec;
  if (accessModes.length === 0) yield requiredField(`${path}.accessModes`, "at least 1 access mode is required");
  yield* selectorErrors(`${path}.selector`, spec.selector);
  yield* accessModeErrors(`${path}.accessModes`, accessModes);
  const storage = resources?.requests?.["storage"];
  if (storage === undefined) yield requiredField(`${path}.resources[storage]`);
  else yield* positiveAmountErrors(`${path}.resources[storage]`, storage);
  for (const field of ["storageClassName", "volumeAttributesClassName"] as const) {
    const name = spec[field];
    if (!isBlank(name)) yield* textErrors(`${path}.${field}`, name, dnsSubdomainProblems);
  }
  yield* optionalChoiceErrors(`${path}.volumeMode`, spec.volumeMode, VOLUME_MODES);
  for (const field of ["dataSource", "dataSourceRef"] as const) {
    const source = spec[field];
    if (source === undefined) continue;
    yield* neededText(`${path}.${field}.name`, source.name);
    yield* neededText(`${path}.${field}.kind`, source.kind);
  }
}

/** How nodes and pods share a volume; a volume for one pod is for nothing else. */
export function* accessModeErrors(path: string, modes: readonly string[]): Errors {
  for (const mode of modes) if (!ACCESS_MODES.includes(mode)) yield unsupportedField(path, mode, ACCESS_MODES);
  if (
    modes.includes("ReadWriteOncePod") &&
    modes.some((mode) => mode !== "ReadWriteOncePod" && ACCESS_MODES.includes(mode))
  ) {
    yield forbiddenField(path, "may not use ReadWriteOncePod with other access modes");
  }
}
