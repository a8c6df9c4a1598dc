import { kept, list, message, one } from "./table.ts";
import type { Message } from "./table.ts";

const seLinuxOptions: Message = message({
  user: one("string", 1),
  role: one("string", 2),
  type: one("string", 3),
  level: one("string", 4),
});

const windowsSecurityContextOptions: Message = message({
  gmsaCredentialSpecName: kept("string", 1),
  gmsaCredentialSpec: kept("string", 2),
  runAsUserName: kept("string", 3),
  hostProcess: kept("bool", 4),
});

const profile: Message = message({ type: kept("string", 1), localhostProfile: kept("string", 2) });

export const securityContext: Message = message({
  capabilities: one(message({ add: list("string", 1), drop: list("string", 2) }), 1),
  privileged: kept("bool", 2),
  seLinuxOptions: one(seLinuxOptions, 3),
  runAsUser: kept("int64", 4),
  runAsNonRoot: kept("bool", 5),
  readOnlyRootFilesystem: kept("bool", 6),
  allowPrivilegeEscalation: kept("bool", 7),
  runAsGroup: kept("int64", 8),
  procMount: kept("string", 9),
  windowsOptions: one(windowsSecurityContextOptions, 10),
  seccompProfile: one(profile, 11),
  appArmorProfile: one(profile, 12),
});

export const podSecurityContext: Message = message({
  seLinuxOptions: one(seLinuxOptions, 1),
  runAsUser: kept("int64", 2),
  runAsNonRoot: kept("bool", 3),
  supplementalGroups: list("int64", 4),
  fsGroup: kept("int64", 5),
  runAsGroup: kept("int64", 6),
  sysctls: list(message({ name: kept("string", 1), value: kept("string", 2) }), 7),
  windowsOptions: one(windowsSecurityContextOptions, 8),
  fsGroupChangePolicy: kept("string", 9),
  seccompProfile: one(profile, 10),
  appArmorProfile: one(profile, 11),
  supplementalGroupsPolicy: kept("string", 12),
  seLinuxChangePolicy: kept("string", 13),
});
