import { localObjectReference } from "./meta.ts";
import { lifecycle, probe } from "./probe.ts";
import { securityContext } from "./security.ts";
import { embeddedField, presentField, repeatedField, mapField, messageTable, omitEmptyField } from "./message-table.ts";
import type { MessageTable } from "./message-table.ts";
import { objectFieldSelector, resourceFieldSelector } from "./volume.ts";

const optionalReference: MessageTable = messageTable({
  localObjectReference: embeddedField(localObjectReference, 1),
  optional: presentField("bool", 2),
});

const keySelector: MessageTable = messageTable({
  localObjectReference: embeddedField(localObjectReference, 1),
  key: presentField("string", 2),
  optional: presentField("bool", 3),
});

const envVarSource: MessageTable = messageTable({
  fieldRef: omitEmptyField(objectFieldSelector, 1),
  resourceFieldRef: omitEmptyField(resourceFieldSelector, 2),
  configMapKeyRef: omitEmptyField(keySelector, 3),
  secretKeyRef: omitEmptyField(keySelector, 4),
  fileKeyRef: omitEmptyField(
    messageTable({
      volumeName: presentField("string", 1),
      path: presentField("string", 2),
      key: presentField("string", 3),
      optional: presentField("bool", 4),
    }),
    5,
  ),
});

export const resourceRequirements: MessageTable = messageTable({
  limits: mapField("quantity", 1),
  requests: mapField("quantity", 2),
  claims: repeatedField(messageTable({ name: presentField("string", 1), request: omitEmptyField("string", 2) }), 3),
});

const volumeMount: MessageTable = messageTable({
  name: presentField("string", 1),
  readOnly: omitEmptyField("bool", 2),
  mountPath: presentField("string", 3),
  subPath: omitEmptyField("string", 4),
  mountPropagation: presentField("string", 5),
  subPathExpr: omitEmptyField("string", 6),
  recursiveReadOnly: presentField("string", 7),
});

export const container: MessageTable = messageTable({
  name: presentField("string", 1),
  image: omitEmptyField("string", 2),
  command: repeatedField("string", 3),
  args: repeatedField("string", 4),
  workingDir: omitEmptyField("string", 5),
  ports: repeatedField(
    messageTable({
      name: omitEmptyField("string", 1),
      hostPort: omitEmptyField("int32", 2),
      containerPort: presentField("int32", 3),
      protocol: omitEmptyField("string", 4),
      hostIP: omitEmptyField("string", 5),
    }),
    6,
  ),
  env: repeatedField(
    messageTable({
      name: presentField("string", 1),
      value: omitEmptyField("string", 2),
      valueFrom: omitEmptyField(envVarSource, 3),
    }),
    7,
  ),
  resources: omitEmptyField(resourceRequirements, 8),
  volumeMounts: repeatedField(volumeMount, 9),
  livenessProbe: omitEmptyField(probe, 10),
  readinessProbe: omitEmptyField(probe, 11),
  lifecycle: omitEmptyField(lifecycle, 12),
  terminationMessagePath: omitEmptyField("string", 13),
  imagePullPolicy: omitEmptyField("string", 14),
  securityContext: omitEmptyField(securityContext, 15),
  stdin: omitEmptyField("bool", 16),
  stdinOnce: omitEmptyField("bool", 17),
  tty: omitEmptyField("bool", 18),
  envFrom: repeatedField(
    messageTable({
      prefix: omitEmptyField("string", 1),
      configMapRef: omitEmptyField(optionalReference, 2),
      secretRef: omitEmptyField(optionalReference, 3),
    }),
    19,
  ),
  terminationMessagePolicy: omitEmptyField("string", 20),
  volumeDevices: repeatedField(
    messageTable({ name: presentField("string", 1), devicePath: presentField("string", 2) }),
    21,
  ),
  startupProbe: omitEmptyField(probe, 22),
  resizePolicy: repeatedField(
    messageTable({ resourceName: presentField("string", 1), restartPolicy: presentField("string", 2) }),
    23,
  ),
  restartPolicy: presentField("string", 24),
  restartPolicyRules: repeatedField(
    messageTable({
      action: omitEmptyField("string", 1),
      exitCodes: omitEmptyField(
        messageTable({ operator: omitEmptyField("string", 1), values: repeatedField("int32", 2) }),
        2,
      ),
    }),
    25,
  ),
});

export const ephemeralContainer: MessageTable = messageTable({
  ephemeralContainerCommon: embeddedField(container, 1),
  targetContainerName: omitEmptyField("string", 2),
});
