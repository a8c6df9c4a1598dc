import type { PodSecurityContext, PodSpec, SeccompProfile, SecurityContext } from "@levelset/core";
import { invalidField, requiredField, unsupportedField } from "../../field.ts";
import { choiceErrors, descendingPathErrors, inRange, isBlank, optionalChoiceErrors, uniqueErrors } from "../check.ts";
import type { Errors } from "../check.ts";
import type { Loose } from "../loose.ts";

const ID_MAX = 2 ** 31 - 1;
const SECCOMP_TYPES = ["Localhost", "RuntimeDefault", "Unconfined"];

/** A user or group id, if it is there. */
function idErrors(path: string, id: number | bigint | undefined): Errors {
  return inRange(path, id, 0, ID_MAX);
}

/** What a container may do. */
export function* securityContextErrors(
  path: string,
  context: Loose<SecurityContext> | undefined,
  hostUsers: boolean,
): Errors {
  if (context === undefined) return;
  yield* idErrors(`${path}.runAsUser`, context.runAsUser);
  yield* idErrors(`${path}.runAsGroup`, context.runAsGroup);
  yield* optionalChoiceErrors(`${path}.procMount`, context.procMount, ["Default", "Unmasked"]);
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

/** What all containers of a pod may do. */
export function* podSecurityErrors(path: string, context: Loose<PodSecurityContext>, spec: Loose<PodSpec>): Errors {
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
  yield* optionalChoiceErrors(`${path}.fsGroupChangePolicy`, context.fsGroupChangePolicy, ["Always", "OnRootMismatch"]);
  yield* seccompErrors(`${path}.seccompProfile`, context.seccompProfile);
  yield* appArmorErrors(`${path}.appArmorProfile`, context.appArmorProfile);
  yield* optionalChoiceErrors(`${path}.supplementalGroupsPolicy`, context.supplementalGroupsPolicy, [
    "Merge",
    "Strict",
  ]);
  yield* optionalChoiceErrors(`${path}.seLinuxChangePolicy`, context.seLinuxChangePolicy, ["MountOption", "Recursive"]);
}

const SYSCTL = /^(?:[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/u;

function* sysctlErrors(path: string, sysctls: NonNullable<Loose<PodSecurityContext>["sysctls"]>): Errors {
  for (const [index, { name }] of sysctls.entries()) {
    const at = `${path}[${index}].name`;
    if (isBlank(name)) yield requiredField(at);
    else if (name.length > 253 || !SYSCTL.test(name)) {
      const pattern = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
      yield invalidField(at, name, `must have at most 253 characters and match regex ${pattern}`);
    }
  }
  yield* uniqueErrors(sysctls.map(({ name = "" }, index) => [`${path}[${index}].name`, name]));
}

function* seccompErrors(path: string, profile: Loose<SeccompProfile> | undefined): Errors {
  if (profile === undefined) return;
  const { type = "", localhostProfile } = profile;
  const at = `${path}.localhostProfile`;
  if (isBlank(type)) yield requiredField(`${path}.type`, "type is required when seccompProfile is set");
  else if (!SECCOMP_TYPES.includes(type)) yield unsupportedField(`${path}.type`, type, SECCOMP_TYPES);
  if (type !== "Localhost") {
    if (localhostProfile !== undefined)
      yield invalidField(at, profile, "can only be set when seccomp type is Localhost");
  } else if (localhostProfile === undefined) yield requiredField(at, "must be set when seccomp type is Localhost");
  else yield* descendingPathErrors(at, localhostProfile);
}

function* appArmorErrors(path: string, profile: Loose<SecurityContext>["appArmorProfile"]): Errors {
  if (profile === undefined) return;
  const at = `${path}.localhostProfile`;
  yield* choiceErrors(`${path}.type`, profile.type, SECCOMP_TYPES);
  if (profile.type !== "Localhost") {
    if (profile.localhostProfile !== undefined) {
      yield invalidField(at, profile.localhostProfile, "can only be set when AppArmor type is Localhost");
    }
  } else if (isBlank(profile.localhostProfile)) {
    yield requiredField(at, "must be set when AppArmor type is Localhost");
  }
}
