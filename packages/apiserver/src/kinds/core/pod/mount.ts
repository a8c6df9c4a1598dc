import type { Container } from "@levelset/core";
import { forbiddenField, invalidField, notFoundField, unsupportedField } from "../../../resource/index.ts";
import {
  localDescendingPathErrors,
  isEmptyString,
  requiredStringErrors,
  noBackstepErrors,
  optionalEnumErrors,
} from "../../field-checks.ts";
import type { FieldErrors } from "../../field-checks.ts";
import type { Unvalidated } from "../../unvalidated.ts";
import type { UnvalidatedVolume } from "./volume.ts";

type LooseContainer = Unvalidated<Container>;
type Mount = NonNullable<LooseContainer["volumeMounts"]>[number];

/** Volumes by name. */
export type Volumes = ReadonlyMap<string, UnvalidatedVolume>;

/** Validates `volumeMounts`: existing volumes and unique mount paths. */
export function* mountErrors(path: string, container: LooseContainer, volumes: Volumes): FieldErrors {
  const devices = container.volumeDevices ?? [];
  const places = new Set<string>();
  for (const [index, mount] of (container.volumeMounts ?? []).entries()) {
    const at = `${path}[${index}]`;
    const { name = "", mountPath = "" } = mount;
    yield* requiredStringErrors(`${at}.name`, name);
    if (!volumes.has(name)) yield notFoundField(`${at}.name`, name);
    yield* requiredStringErrors(`${at}.mountPath`, mountPath);
    if (places.has(mountPath)) yield invalidField(`${at}.mountPath`, mountPath, "must be unique");
    places.add(mountPath);
    if (devices.some((device) => device.name === name)) {
      yield invalidField(`${at}.name`, name, "must not already exist in volumeDevices");
    }
    if (devices.some((device) => device.devicePath === mountPath)) {
      yield invalidField(`${at}.mountPath`, mountPath, "must not already exist as a path in volumeDevices");
    }
    yield* subPathErrors(path, at, mount);
    yield* propagationErrors(path, mount, container.securityContext?.privileged === true);
  }
}

function* subPathErrors(path: string, at: string, mount: Mount): FieldErrors {
  const { subPath, subPathExpr } = mount;
  if (!isEmptyString(subPath)) yield* localDescendingPathErrors(`${path}.subPath`, subPath);
  if (isEmptyString(subPathExpr)) return;
  if (!isEmptyString(subPath)) {
    yield invalidField(`${at}.subPathExpr`, subPathExpr, "subPathExpr and subPath are mutually exclusive");
  }
  yield* localDescendingPathErrors(`${path}.subPathExpr`, subPathExpr);
}

function* propagationErrors(path: string, mount: Mount, privileged: boolean): FieldErrors {
  const { mountPropagation, recursiveReadOnly, readOnly = false } = mount;
  const modes = ["Bidirectional", "HostToContainer", "None"];
  yield* optionalEnumErrors(`${path}.mountPropagation`, mountPropagation, modes);
  if (mountPropagation === "Bidirectional" && !privileged) {
    const why = "Bidirectional mount propagation is available only to privileged containers";
    yield forbiddenField(`${path}.mountPropagation`, why);
  }
  const at = `${path}.recursiveReadOnly`;
  if (recursiveReadOnly === "Enabled" || recursiveReadOnly === "IfPossible") {
    if (!readOnly) yield forbiddenField(at, "may only be specified when readOnly is true");
    if (mountPropagation !== undefined && mountPropagation !== "None") {
      yield forbiddenField(at, "may only be specified when mountPropagation is None or not specified");
    }
  } else if (recursiveReadOnly !== undefined && recursiveReadOnly !== "Disabled") {
    yield unsupportedField(at, recursiveReadOnly, ["Disabled", "Enabled", "IfPossible"]);
  }
}

/** Validates `volumeDevices`: only claims, with unique names and paths. */
export function* deviceErrors(path: string, container: LooseContainer, volumes: Volumes): FieldErrors {
  const mounts = container.volumeMounts ?? [];
  const names = new Set<string>();
  const places = new Set<string>();
  for (const [index, { name = "", devicePath = "" }] of (container.volumeDevices ?? []).entries()) {
    const at = `${path}[${index}]`;
    const volume = volumes.get(name);
    yield* requiredStringErrors(`${at}.name`, name);
    if (names.has(name)) yield invalidField(`${at}.name`, name, "must be unique");
    if (volume === undefined) yield notFoundField(`${at}.name`, name);
    else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined) {
      const why = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
      yield invalidField(`${at}.name`, name, why);
    }
    yield* requiredStringErrors(`${at}.devicePath`, devicePath);
    if (places.has(devicePath)) yield invalidField(`${at}.devicePath`, devicePath, "must be unique");
    if ([...noBackstepErrors("", devicePath)].length > 0) {
      yield invalidField(`${at}.devicePath`, devicePath, "can not contain backsteps ('..')");
    } else places.add(devicePath);
    if (mounts.some((mount) => mount.name === name)) {
      yield invalidField(`${at}.name`, name, "must not already exist in volumeMounts");
    }
    if (mounts.some((mount) => mount.mountPath === devicePath)) {
      yield invalidField(`${at}.devicePath`, devicePath, "must not already exist as a path in volumeMounts");
    }
    names.add(name);
  }
}
