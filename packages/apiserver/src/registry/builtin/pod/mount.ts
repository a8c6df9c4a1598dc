import type { Container } from "@levelset/core";
import { forbiddenField, invalidField, notFoundField, unsupportedField } from "../../field.ts";
import { descendingPathErrors, isBlank, neededText, noBackstepErrors, optionalChoiceErrors } from "../check.ts";
import type { Errors } from "../check.ts";
import type { Loose } from "../loose.ts";
import type { LooseVolume } from "./volume.ts";

type LooseContainer = Loose<Container>;
type Mount = NonNullable<LooseContainer["volumeMounts"]>[number];

/** Volumes by name. */
export type Volumes = ReadonlyMap<string, LooseVolume>;

/** Where volumes show up in a container: known volumes, each place once. */
export function* mountErrors(path: string, container: LooseContainer, volumes: Volumes): Errors {
  const devices = container.volumeDevices ?? [];
  const places = new Set<string>();
  for (const [index, mount] of (container.volumeMounts ?? []).entries()) {
    const at = `${path}[${index}]`;
    const { name = "", mountPath = "" } = mount;
    yield* neededText(`${at}.name`, name);
    if (!volumes.has(name)) yield notFoundField(`${at}.name`, name);
    yield* neededText(`${at}.mountPath`, mountPath);
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

function* subPathErrors(path: string, at: string, mount: Mount): Errors {
  const { subPath, subPathExpr } = mount;
  if (!isBlank(subPath)) yield* descendingPathErrors(`${path}.subPath`, subPath);
  if (isBlank(subPathExpr)) return;
  if (!isBlank(subPath)) {
    yield invalidField(`${at}.subPathExpr`, subPathExpr, "subPathExpr and subPath are mutually exclusive");
  }
  yield* descendingPathErrors(`${path}.subPathExpr`, subPathExpr);
}

function* propagationErrors(path: string, mount: Mount, privileged: boolean): Errors {
  const { mountPropagation, recursiveReadOnly, readOnly = false } = mount;
  const modes = ["Bidirectional", "HostToContainer", "None"];
  yield* optionalChoiceErrors(`${path}.mountPropagation`, mountPropagation, modes);
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

/** Block volumes in a container: claims only, each name and each place once. */
export function* deviceErrors(path: string, container: LooseContainer, volumes: Volumes): Errors {
  const mounts = container.volumeMounts ?? [];
  const names = new Set<string>();
  const places = new Set<string>();
  for (const [index, { name = "", devicePath = "" }] of (container.volumeDevices ?? []).entries()) {
    const at = `${path}[${index}]`;
    const volume = volumes.get(name);
    yield* neededText(`${at}.name`, name);
    if (names.has(name)) yield invalidField(`${at}.name`, name, "must be unique");
    if (volume === undefined) yield notFoundField(`${at}.name`, name);
    else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined) {
      const why = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
      yield invalidField(`${at}.name`, name, why);
    }
    yield* neededText(`${at}.devicePath`, devicePath);
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
