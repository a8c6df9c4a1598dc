import { signOfQuantity } from "@levelset/core";
import type { Volume } from "@levelset/core";
import { duplicateField, forbiddenField, invalidField, requiredField } from "../../field.ts";
import {
  dnsSubdomainErrors,
  fileModeErrors,
  isBlank,
  labelNameErrors,
  neededText,
  noBackstepErrors,
  optionalChoiceErrors,
} from "../check.ts";
import type { Errors } from "../check.ts";
import { amountOf } from "../core/resources.ts";
import type { Loose } from "../loose.ts";
import { claimSpecErrors } from "../storage/claim-spec.ts";
import { oneSourceErrors } from "../one-source.ts";
import type { SourceChecks } from "../one-source.ts";
import { projectedErrors } from "./projected.ts";
import { downwardFileErrors, itemErrors } from "./volume-file.ts";

/** A volume as decoding leaves it. */
export type LooseVolume = Loose<Volume>;

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

const SOURCES: SourceChecks<Omit<LooseVolume, "name">> = {
  emptyDir: emptyDirErrors,
  hostPath: hostPathErrors,
  nfs: nfsErrors,
  secret: secretErrors,
  configMap: configMapErrors,
  persistentVolumeClaim: (path, { claimName }) => neededText(`${path}.claimName`, claimName),
  downwardAPI: downwardErrors,
  projected: projectedErrors,
  csi: (path, { driver }) => driverErrors(`${path}.driver`, driver),
  ephemeral: ephemeralErrors,
  image: (path, { reference }) => neededText(`${path}.reference`, reference),
};

/** Everything wrong with a pod's volumes. Those without fault go into `sound`, by name. */
export function* volumeErrors(path: string, volumes: readonly LooseVolume[], sound: Map<string, LooseVolume>): Errors {
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

function* emptyDirErrors(path: string, { sizeLimit }: NonNullable<LooseVolume["emptyDir"]>): Errors {
  if (sizeLimit !== undefined && signOfQuantity(amountOf(sizeLimit)) < 0) {
    yield forbiddenField(`${path}.sizeLimit`, "SizeLimit field must be a valid resource quantity");
  }
}

/** A path of the node. */
export function* hostPathErrors(path: string, source: NonNullable<LooseVolume["hostPath"]>): Errors {
  if (isBlank(source.path)) {
    yield requiredField(`${path}.path`);
    return;
  }
  yield* noBackstepErrors(`${path}.path`, source.path);
  yield* optionalChoiceErrors(`${path}.type`, source.type, HOST_PATH_TYPES);
}

/** A directory of an NFS server. */
export function* nfsErrors(path: string, source: NonNullable<LooseVolume["nfs"]>): Errors {
  yield* neededText(`${path}.server`, source.server);
  yield* neededText(`${path}.path`, source.path);
  if (source.path?.startsWith("/") !== true)
    yield invalidField(`${path}.path`, source.path ?? "", "must be an absolute path");
}

function* secretErrors(path: string, source: NonNullable<LooseVolume["secret"]>): Errors {
  yield* neededText(`${path}.secretName`, source.secretName);
  yield* fileModeErrors(`${path}.defaultMode`, source.defaultMode);
  yield* itemErrors(`${path}.items`, source.items ?? []);
}

function* configMapErrors(path: string, source: NonNullable<LooseVolume["configMap"]>): Errors {
  yield* neededText(`${path}.name`, source.name);
  yield* fileModeErrors(`${path}.defaultMode`, source.defaultMode);
  yield* itemErrors(`${path}.items`, source.items ?? []);
}

function* downwardErrors(path: string, source: NonNullable<LooseVolume["downwardAPI"]>): Errors {
  yield* fileModeErrors(`${path}.defaultMode`, source.defaultMode);
  // The real server forgets to say which item it means.
  for (const item of source.items ?? []) yield* downwardFileErrors(path, item);
}

/** The name of a storage driver. */
export function* driverErrors(path: string, driver: string | undefined): Errors {
  if (isBlank(driver)) yield requiredField(path);
  else yield* dnsSubdomainErrors(path, driver.toLowerCase());
}

function* ephemeralErrors(path: string, source: NonNullable<LooseVolume["ephemeral"]>): Errors {
  const at = `${path}.volumeClaimTemplate`;
  if (source.volumeClaimTemplate === undefined) yield requiredField(at);
  else yield* claimSpecErrors(`${at}.spec`, source.volumeClaimTemplate.spec ?? {});
}
