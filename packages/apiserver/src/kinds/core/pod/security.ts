import type { PodSecurityContext, PodSpec, SeccompProfile, SecurityContext } from "@levelset/core";
import { invalidField, requiredField, unsupportedField } from "../../../resource/index.ts";
import {
  enumErrors,
  localDescendingPathErrors,
  rangeErrors,
  isEmptyString,
  optionalEnumErrors,
  duplicateErrors,
} from "../../field-checks.ts";
import type { FieldErrors } from "../../field-checks.ts";
import type { Unvalidated } from "../../unvalidated.ts";

const ID_MAX = 2 ** 31 - 1;
const SECCOMP_TYPES = ["Localhost", "RuntimeDefault", "Unconfined"];

/** Validates an optional user or group ID. */
function idErrors(path: string, id: number | bigint | undefined): FieldErrors {
  return rangeErrors(path, id, 0, ID_MAX);
}

/** Validates the securityContext of a container. */
export function* securityContextErrors(
  path: string,
  context: Unvalidated<SecurityContext> | undefined,
  hostUsers: boolean,
): FieldErrors {
  if (context === undefined) return;
  yield* idErrors(`${path}.runAsUser`, context.runAsUser);
  yield* idErrors(`${path}.runAsGroup`, context.runAsGroup);
  yield* optionalEnumErrors(`${path}.procMount`, context.procMount, ["Default", "Unmasked"]);
  if (hostUsers && context.procMount === "Unmasked") {
    yield invalidField(`${path}.procMount`, context.procMount, "`hostUsers` must be false to use `Unmasked`");
  }
  yield* seccompErrors(`${path}.seccompProfile`, context.seccompProfile);
  if (context.allowPrivilegeEscalation === false) {
    if (context.privileged === true) {
      yield invalidField(path, context, "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
    }
    if (context.capabilities?.add?.includes("CAP_SYS_ADMIN") === true) {
      yield invalidField(
        path,
        context,
        "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN",
      );
    }
  }
  yield* appArmorErrors(`${path}.appArmorProfile`, context.appArmorProfile);
}

/** Validates the securityContext of a pod. */
export function* podSecurityErrors(
  path: string,
  context: Unvalidated<PodSecurityContext>,
  spec: Unvalidated<PodSpec>,
): FieldErrors {
  yield* idErrors(`${path}.fsGroup`, context.fsGroup);
  yield* idErrors(`${path}.runAsUser`, context.runAsUser);
  yield* idErrors(`${path}.runAsGroup`, context.runAsGroup);
  for (const [index, group] of (context.supplementalGroups ?? []).entries()) {
    yield* idErrors(`${path}.supplementalGroups[${index}]`, group);
  }
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    yield invalidField(
      `${path}.shareProcessNamespace`,
      true,
      "ShareProcessNamespace and HostPID cannot both be enabled",
    );
  }
  yield* sysctlErrors(`${path}.sysctls`, context.sysctls ?? []);
  yield* optionalEnumErrors(`${path}.fsGroupChangePolicy`, context.fsGroupChangePolicy, ["Always", "OnRootMismatch"]);
  yield* seccompErrors(`${path}.seccompProfile`, context.seccompProfile);
  yield* appArmorErrors(`${path}.appArmorProfile`, context.appArmorProfile);
  yield* optionalEnumErrors(`${path}.supplementalGroupsPolicy`, context.supplementalGroupsPolicy, ["Merge", "Strict"]);
  yield* optionalEnumErrors(`${path}.seLinuxChangePolicy`, context.seLinuxChangePolicy, ["MountOption", "Recursive"]);
}

const SYSCTL = /^(?:[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/u;

function* sysctlErrors(path: string, sysctls: NonNullable<Unvalidated<PodSecurityContext>["sysctls"]>): FieldErrors {
  for (const [index, { name }] of sysctls.entries()) {
    const at = `${path}[${index}].name`;
    if (isEmptyString(name)) yield requiredField(at);
    else if (name.length > 253 || !SYSCTL.test(name)) {
      const pattern = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
      yield invalidField(at, name, `must have at most 253 characters and match regex ${pattern}`);
    }
  }
  yield* duplicateErrors(sysctls.map(({ name = "" }, index) => [`${path}[${index}].name`, name]));
}

function* seccompErrors(path: string, profile: Unvalidated<SeccompProfile> | undefined): FieldErrors {
  if (profile === undefined) return;
  const { type = "", localhostProfile } = profile;
  const at = `${path}.localhostProfile`;
  if (isEmptyString(type)) yield requiredField(`${path}.type`, "type is required when seccompProfile is set");
  else if (!SECCOMP_TYPES.includes(type)) yield unsupportedField(`${path}.type`, type, SECCOMP_TYPES);
  if (type !== "Localhost") {
    if (localhostProfile !== undefined)
      yield invalidField(at, profile, "can only be set when seccomp type is Localhost");
  } else if (localhostProfile === undefined) yield requiredField(at, "must be set when seccomp type is Localhost");
  else yield* localDescendingPathErrors(at, localhostProfile);
}

function* appArmorErrors(path: string, profile: Unvalidated<SecurityContext>["appArmorProfile"]): FieldErrors {
  if (profile === undefined) return;
  const at = `${path}.localhostProfile`;
  yield* enumErrors(`${path}.type`, profile.type, SECCOMP_TYPES);
  if (profile.type !== "Localhost") {
    if (profile.localhostProfile !== undefined) {
      yield invalidField(at, profile.localhostProfile, "can only be set when AppArmor type is Localhost");
    }
  } else if (isEmptyString(profile.localhostProfile)) {
    yield requiredField(at, "must be set when AppArmor type is Localhost");
  }
}
