import { presentField, repeatedField, messageTable, omitEmptyField } from "./message-table.ts";
import type { MessageTable } from "./message-table.ts";

const seLinuxOptions: MessageTable = messageTable({
  user: omitEmptyField("string", 1),
  role: omitEmptyField("string", 2),
  type: omitEmptyField("string", 3),
  level: omitEmptyField("string", 4),
});

const windowsSecurityContextOptions: MessageTable = messageTable({
  gmsaCredentialSpecName: presentField("string", 1),
  gmsaCredentialSpec: presentField("string", 2),
  runAsUserName: presentField("string", 3),
  hostProcess: presentField("bool", 4),
});

const profile: MessageTable = messageTable({
  type: presentField("string", 1),
  localhostProfile: presentField("string", 2),
});

export const securityContext: MessageTable = messageTable({
  capabilities: omitEmptyField(messageTable({ add: repeatedField("string", 1), drop: repeatedField("string", 2) }), 1),
  privileged: presentField("bool", 2),
  seLinuxOptions: omitEmptyField(seLinuxOptions, 3),
  runAsUser: presentField("int64", 4),
  runAsNonRoot: presentField("bool", 5),
  readOnlyRootFilesystem: presentField("bool", 6),
  allowPrivilegeEscalation: presentField("bool", 7),
  runAsGroup: presentField("int64", 8),
  procMount: presentField("string", 9),
  windowsOptions: omitEmptyField(windowsSecurityContextOptions, 10),
  seccompProfile: omitEmptyField(profile, 11),
  appArmorProfile: omitEmptyField(profile, 12),
});

export const podSecurityContext: MessageTable = messageTable({
  seLinuxOptions: omitEmptyField(seLinuxOptions, 1),
  runAsUser: presentField("int64", 2),
  runAsNonRoot: presentField("bool", 3),
  supplementalGroups: repeatedField("int64", 4),
  fsGroup: presentField("int64", 5),
  runAsGroup: presentField("int64", 6),
  sysctls: repeatedField(messageTable({ name: presentField("string", 1), value: presentField("string", 2) }), 7),
  windowsOptions: omitEmptyField(windowsSecurityContextOptions, 8),
  fsGroupChangePolicy: presentField("string", 9),
  seccompProfile: omitEmptyField(profile, 10),
  appArmorProfile: omitEmptyField(profile, 11),
  supplementalGroupsPolicy: presentField("string", 12),
  seLinuxChangePolicy: presentField("string", 13),
});
