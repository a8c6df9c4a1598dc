import { signOfQuantity } from "@levelset/core/schema";
import type { Volume } from "@levelset/core";
import { duplicateField, forbiddenField, invalidField, requiredField } from "../../../resource/index.ts";
import {
  dnsSubdomainErrors,
  fileModeErrors,
  isEmptyString,
  labelNameErrors,
  requiredStringErrors,
  noBackstepErrors,
  optionalEnumErrors,
} from "../../field-checks.ts";
import type { FieldErrors } from "../../field-checks.ts";
import { toQuantity } from "../resources.ts";
import type { Unvalidated } from "../../unvalidated.ts";
import { claimSpecErrors } from "../claim-spec.ts";
import { oneSourceErrors } from "../../one-source.ts";
import type { SourceChecks } from "../../one-source.ts";
import { projectedErrors } from "./projected.ts";
import { downwardFileErrors, itemErrors } from "./volume-file.ts";

/** A decoded, unvalidated volume. */
export type UnvalidatedVolume = Unvalidated<Volume>;

const HOST_PATH_TYPES = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

const SOURCES: SourceChecks<Omit<UnvalidatedVolume, "name">> = {
  emptyDir: emptyDirErrors,
  hostPath: hostPathErrors,
  nfs: nfsErrors,
  secret: secretErrors,
  configMap: configMapErrors,
  persistentVolumeClaim: (path, { claimName }) => requiredStringErrors(`${path}.claimName`, claimName),
  downwardAPI: downwardErrors,
  projected: projectedErrors,
  csi: (path, { driver }) => driverErrors(`${path}.driver`, driver),
  ephemeral: ephemeralErrors,
  image: (path, { reference }) => requiredStringErrors(`${path}.reference`, reference),
};

/** Validates the volumes of a pod. Adds valid volumes to `sound` by name. */
export function* volumeErrors(
  path: string,
  volumes: readonly UnvalidatedVolume[],
  sound: Map<string, UnvalidatedVolume>,
): FieldErrors {
  for (const [index, volume] of volumes.entries()) {
    const at = `${path}[${index}]`;
    const { name = "" } = volume;
    const { name: _name, ...sources } = volume;
    const errors = [...oneSourceErrors(at, sources, SOURCES), ...labelNameErrors(`${at}.name`, name)];
    if (sound.has(name)) errors.push(duplicateField(`${at}.name`, name));
    if (errors.length === 0) sound.set(name, volume);
    yield* errors;
  }
}

function* emptyDirErrors(path: string, { sizeLimit }: NonNullable<UnvalidatedVolume["emptyDir"]>): FieldErrors {
  if (sizeLimit !== undefined && signOfQuantity(toQuantity(sizeLimit)) < 0) {
    yield forbiddenField(`${path}.sizeLimit`, "SizeLimit field must be a valid resource quantity");
  }
}

/** Validates a hostPath volume. */
export function* hostPathErrors(path: string, source: NonNullable<UnvalidatedVolume["hostPath"]>): FieldErrors {
  if (isEmptyString(source.path)) {
    yield requiredField(`${path}.path`);
    return;
  }
  yield* noBackstepErrors(`${path}.path`, source.path);
  yield* optionalEnumErrors(`${path}.type`, source.type, HOST_PATH_TYPES);
}

/** Validates an NFS volume. */
export function* nfsErrors(path: string, source: NonNullable<UnvalidatedVolume["nfs"]>): FieldErrors {
  yield* requiredStringErrors(`${path}.server`, source.server);
  yield* requiredStringErrors(`${path}.path`, source.path);
  if (source.path?.startsWith("/") !== true)
    yield invalidField(`${path}.path`, source.path ?? "", "must be an absolute path");
}

function* secretErrors(path: string, source: NonNullable<UnvalidatedVolume["secret"]>): FieldErrors {
  yield* requiredStringErrors(`${path}.secretName`, source.secretName);
  yield* fileModeErrors(`${path}.defaultMode`, source.defaultMode);
  yield* itemErrors(`${path}.items`, source.items ?? []);
}

function* configMapErrors(path: string, source: NonNullable<UnvalidatedVolume["configMap"]>): FieldErrors {
  yield* requiredStringErrors(`${path}.name`, source.name);
  yield* fileModeErrors(`${path}.defaultMode`, source.defaultMode);
  yield* itemErrors(`${path}.items`, source.items ?? []);
}

function* downwardErrors(path: string, source: NonNullable<UnvalidatedVolume["downwardAPI"]>): FieldErrors {
  yield* fileModeErrors(`${path}.defaultMode`, source.defaultMode);
  // The field path has no item index, as in pkg/apis/core/validation/validation.go (Kubernetes 1.36).
  for (const item of source.items ?? []) yield* downwardFileErrors(path, item);
}

/** Validates the name of a CSI driver. */
export function* driverErrors(path: string, driver: string | undefined): FieldErrors {
  if (isEmptyString(driver)) yield requiredField(path);
  else yield* dnsSubdomainErrors(path, driver.toLowerCase());
}

function* ephemeralErrors(path: string, source: NonNullable<UnvalidatedVolume["ephemeral"]>): FieldErrors {
  const at = `${path}.volumeClaimTemplate`;
  if (source.volumeClaimTemplate === undefined) yield requiredField(at);
  else yield* claimSpecErrors(`${at}.spec`, source.volumeClaimTemplate.spec ?? {});
}
