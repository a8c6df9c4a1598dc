import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import {
  s,
  optionalEnum,
  optionalBoolean,
  requiredString,
  int64,
  optional,
  optionalString,
  optionalStrings,
} from "../field-builders.ts";

const seLinuxOptionsFields = {
  level: optionalString("The level part of the label."),
  role: optionalString("The role part of the label."),
  type: optionalString("The type part of the label."),
  user: optionalString("The user part of the label."),
};

/** The SELinux label of a process. */
export interface SeLinuxOptions extends ObjectIn<typeof seLinuxOptionsFields> {}

/** The schema of `SeLinuxOptions`. */
export const seLinuxOptions: ObjectSchema<SeLinuxOptions, SeLinuxOptions> = s.object(seLinuxOptionsFields);

const seccompProfileFields = {
  type: s.enum("Localhost", "RuntimeDefault", "Unconfined").describe("Source of the profile."),
  localhostProfile: optionalString("File on the node, for Localhost."),
};

/** Seccomp profile of a process. */
export interface SeccompProfile extends ObjectIn<typeof seccompProfileFields> {}

/** The schema of `SeccompProfile`. */
export const seccompProfile: ObjectSchema<SeccompProfile, SeccompProfile> = s.object(seccompProfileFields);

const appArmorProfileFields = {
  type: s.enum("Localhost", "RuntimeDefault", "Unconfined").describe("Source of the profile."),
  localhostProfile: optionalString("Name of the profile on the node, for Localhost."),
};

/** AppArmor profile of a process. */
export interface AppArmorProfile extends ObjectIn<typeof appArmorProfileFields> {}

/** The schema of `AppArmorProfile`. */
export const appArmorProfile: ObjectSchema<AppArmorProfile, AppArmorProfile> = s.object(appArmorProfileFields);

const windowsOptionsFields = {
  gmsaCredentialSpec: optionalString("The group managed service account's credential spec, in full."),
  gmsaCredentialSpecName: optionalString("Name of the credential spec to fill in."),
  hostProcess: optionalBoolean("Whether the container runs as a process of the host."),
  runAsUserName: optionalString("User that runs the process."),
};

/** Identity of a process on Windows. */
export interface WindowsSecurityContextOptions extends ObjectIn<typeof windowsOptionsFields> {}

/** The schema of `WindowsSecurityContextOptions`. */
export const windowsOptions: ObjectSchema<WindowsSecurityContextOptions, WindowsSecurityContextOptions> =
  s.object(windowsOptionsFields);

const securityContextFields = {
  allowPrivilegeEscalation: optionalBoolean("Whether a process may gain more privileges than its parent."),
  appArmorProfile: optional(appArmorProfile, "AppArmor confinement."),
  capabilities: optional(
    s.object({ add: optionalStrings("Capabilities to grant."), drop: optionalStrings("Capabilities to drop.") }),
    "Linux capabilities to add to or drop from the defaults of the runtime.",
  ),
  privileged: optionalBoolean("Whether the container is privileged."),
  procMount: optionalEnum("How /proc is mounted.", "Default", "Unmasked"),
  readOnlyRootFilesystem: optionalBoolean("Whether the root file system is read-only."),
  runAsUser: int64("User id of the process."),
  runAsGroup: int64("Group id of the process."),
  runAsNonRoot: optionalBoolean("Whether the container must not run as user 0."),
  seLinuxOptions: optional(seLinuxOptions, "SELinux label."),
  seccompProfile: optional(seccompProfile, "Allowed system calls."),
  windowsOptions: optional(windowsOptions, "Settings for Windows."),
};

/** Security settings of a container. They override those of its pod. */
export interface SecurityContext extends ObjectIn<typeof securityContextFields> {}

/** The schema of `SecurityContext`. */
export const securityContext: ObjectSchema<SecurityContext, SecurityContext> = s.object(securityContextFields);

const podSecurityContextFields = {
  appArmorProfile: optional(appArmorProfile, "AppArmor confinement."),
  fsGroup: int64("Group that owns the files of volumes which support it."),
  fsGroupChangePolicy: optionalEnum(
    "When to change the owner of a volume's files; defaults to Always.",
    "Always",
    "OnRootMismatch",
  ),
  runAsUser: int64("User id of the processes."),
  runAsGroup: int64("Group id of the processes."),
  runAsNonRoot: optionalBoolean("Whether the container must not run as user 0."),
  seLinuxChangePolicy: optionalEnum("How volumes get their SELinux label.", "MountOption", "Recursive"),
  seLinuxOptions: optional(seLinuxOptions, "SELinux label."),
  seccompProfile: optional(seccompProfile, "Allowed system calls."),
  supplementalGroups: optional(s.array(s.int64()).atomic(), "Further groups of the processes."),
  supplementalGroupsPolicy: optionalEnum(
    "Whether groups from the image are added; defaults to Merge.",
    "Merge",
    "Strict",
  ),
  sysctls: optional(
    s.array(s.object({ name: requiredString("Name of the parameter."), value: requiredString("Its value.") })).atomic(),
    "Kernel parameters of the pod's namespaces.",
  ),
  windowsOptions: optional(windowsOptions, "Settings for Windows."),
};

/** Security settings of all containers of a pod. */
export interface PodSecurityContext extends ObjectIn<typeof podSecurityContextFields> {}

/** The schema of `PodSecurityContext`. */
export const podSecurityContext: ObjectSchema<PodSecurityContext, PodSecurityContext> =
  s.object(podSecurityContextFields);
