import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import { choice, flag, given, int64, optional, s, text, texts } from "./field.ts";

const seLinuxOptionsFields = {
  level: text("The level part of the label."),
  role: text("The role part of the label."),
  type: text("The type part of the label."),
  user: text("The user part of the label."),
};

/** The SELinux label of a process. */
export interface SeLinuxOptions extends ObjectIn<typeof seLinuxOptionsFields> {}

/** The schema of `SeLinuxOptions`. */
export const seLinuxOptions: ObjectSchema<SeLinuxOptions, SeLinuxOptions> = s.object(seLinuxOptionsFields);

const seccompProfileFields = {
  type: s.enum("Localhost", "RuntimeDefault", "Unconfined").describe("Where the profile comes from."),
  localhostProfile: text("File on the node, for Localhost."),
};

/** Which system calls a process may make. */
export interface SeccompProfile extends ObjectIn<typeof seccompProfileFields> {}

/** The schema of `SeccompProfile`. */
export const seccompProfile: ObjectSchema<SeccompProfile, SeccompProfile> = s.object(seccompProfileFields);

const appArmorProfileFields = {
  type: s.enum("Localhost", "RuntimeDefault", "Unconfined").describe("Where the profile comes from."),
  localhostProfile: text("Name of the profile on the node, for Localhost."),
};

/** The AppArmor confinement of a process. */
export interface AppArmorProfile extends ObjectIn<typeof appArmorProfileFields> {}

/** The schema of `AppArmorProfile`. */
export const appArmorProfile: ObjectSchema<AppArmorProfile, AppArmorProfile> = s.object(appArmorProfileFields);

const windowsOptionsFields = {
  gmsaCredentialSpec: text("The group managed service account's credential spec, in full."),
  gmsaCredentialSpecName: text("Name of the credential spec to fill in."),
  hostProcess: flag("Whether the container runs as a process of the host."),
  runAsUserName: text("User that runs the process."),
};

/** Identity of a process on Windows. */
export interface WindowsOptions extends ObjectIn<typeof windowsOptionsFields> {}

/** The schema of `WindowsOptions`. */
export const windowsOptions: ObjectSchema<WindowsOptions, WindowsOptions> = s.object(windowsOptionsFields);

const securityContextFields = {
  allowPrivilegeEscalation: flag("Whether a process may gain more rights than its parent."),
  appArmorProfile: optional(appArmorProfile, "AppArmor confinement."),
  capabilities: optional(
    s.object({ add: texts("Capabilities to grant."), drop: texts("Capabilities to take away.") }),
    "Linux capabilities beyond or short of the runtime's usual ones.",
  ),
  privileged: flag("Whether the container is as good as root on the node."),
  procMount: choice("How /proc is mounted.", "Default", "Unmasked"),
  readOnlyRootFilesystem: flag("Whether the root file system cannot be written."),
  runAsUser: int64("User id of the process."),
  runAsGroup: int64("Group id of the process."),
  runAsNonRoot: flag("Refuse to start as user 0."),
  seLinuxOptions: optional(seLinuxOptions, "SELinux label."),
  seccompProfile: optional(seccompProfile, "Allowed system calls."),
  windowsOptions: optional(windowsOptions, "Settings for Windows."),
};

/** What a container may do. What is given here goes before what its pod says. */
export interface SecurityContext extends ObjectIn<typeof securityContextFields> {}

/** The schema of `SecurityContext`. */
export const securityContext: ObjectSchema<SecurityContext, SecurityContext> = s.object(securityContextFields);

const podSecurityContextFields = {
  appArmorProfile: optional(appArmorProfile, "AppArmor confinement."),
  fsGroup: int64("Group that owns the files of volumes which support it."),
  fsGroupChangePolicy: choice(
    "When to change the owner of a volume's files; Always unless given.",
    "Always",
    "OnRootMismatch",
  ),
  runAsUser: int64("User id of the processes."),
  runAsGroup: int64("Group id of the processes."),
  runAsNonRoot: flag("Refuse to start as user 0."),
  seLinuxChangePolicy: choice("How volumes get their SELinux label.", "MountOption", "Recursive"),
  seLinuxOptions: optional(seLinuxOptions, "SELinux label."),
  seccompProfile: optional(seccompProfile, "Allowed system calls."),
  supplementalGroups: optional(s.array(s.int64()).atomic(), "Further groups of the processes."),
  supplementalGroupsPolicy: choice(
    "Whether groups that the image names count too; Merge unless given.",
    "Merge",
    "Strict",
  ),
  sysctls: optional(
    s.array(s.object({ name: given("Name of the parameter."), value: given("Its value.") })).atomic(),
    "Kernel parameters of the pod's namespaces.",
  ),
  windowsOptions: optional(windowsOptions, "Settings for Windows."),
};

/** What all containers of a pod may do. */
export interface PodSecurityContext extends ObjectIn<typeof podSecurityContextFields> {}

/** The schema of `PodSecurityContext`. */
export const podSecurityContext: ObjectSchema<PodSecurityContext, PodSecurityContext> =
  s.object(podSecurityContextFields);
