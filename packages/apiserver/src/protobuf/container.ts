import { localObjectReference } from "./meta.ts";
import { lifecycle, probe } from "./probe.ts";
import { securityContext } from "./security.ts";
import { inline, kept, list, map, message, one } from "./table.ts";
import type { Message } from "./table.ts";
import { objectFieldSelector, resourceFieldSelector } from "./volume.ts";

const optionalReference: Message = message({
  localObjectReference: inline(localObjectReference, 1),
  optional: kept("bool", 2),
});

const keySelector: Message = message({
  localObjectReference: inline(localObjectReference, 1),
  key: kept("string", 2),
  optional: kept("bool", 3),
});

const envVarSource: Message = message({
  fieldRef: one(objectFieldSelector, 1),
  resourceFieldRef: one(resourceFieldSelector, 2),
  configMapKeyRef: one(keySelector, 3),
  secretKeyRef: one(keySelector, 4),
  fileKeyRef: one(
    message({
      volumeName: kept("string", 1),
      path: kept("string", 2),
      key: kept("string", 3),
      optional: kept("bool", 4),
    }),
    5,
  ),
});

export const resourceRequirements: Message = message({
  limits: map("quantity", 1),
  requests: map("quantity", 2),
  claims: list(message({ name: kept("string", 1), request: one("string", 2) }), 3),
});

const volumeMount: Message = message({
  name: kept("string", 1),
  readOnly: one("bool", 2),
  mountPath: kept("string", 3),
  subPath: one("string", 4),
  mountPropagation: kept("string", 5),
  subPathExpr: one("string", 6),
  recursiveReadOnly: kept("string", 7),
});

export const container: Message = message({
  name: kept("string", 1),
  image: one("string", 2),
  command: list("string", 3),
  args: list("string", 4),
  workingDir: one("string", 5),
  ports: list(
    message({
      name: one("string", 1),
      hostPort: one("int32", 2),
      containerPort: kept("int32", 3),
      protocol: one("string", 4),
      hostIP: one("string", 5),
    }),
    6,
  ),
  env: list(message({ name: kept("string", 1), value: one("string", 2), valueFrom: one(envVarSource, 3) }), 7),
  resources: one(resourceRequirements, 8),
  volumeMounts: list(volumeMount, 9),
  livenessProbe: one(probe, 10),
  readinessProbe: one(probe, 11),
  lifecycle: one(lifecycle, 12),
  terminationMessagePath: one("string", 13),
  imagePullPolicy: one("string", 14),
  securityContext: one(securityContext, 15),
  stdin: one("bool", 16),
  stdinOnce: one("bool", 17),
  tty: one("bool", 18),
  envFrom: list(
    message({
      prefix: one("string", 1),
      configMapRef: one(optionalReference, 2),
      secretRef: one(optionalReference, 3),
    }),
    19,
  ),
  terminationMessagePolicy: one("string", 20),
  volumeDevices: list(message({ name: kept("string", 1), devicePath: kept("string", 2) }), 21),
  startupProbe: one(probe, 22),
  resizePolicy: list(message({ resourceName: kept("string", 1), restartPolicy: kept("string", 2) }), 23),
  restartPolicy: kept("string", 24),
  restartPolicyRules: list(
    message({
      action: one("string", 1),
      exitCodes: one(message({ operator: one("string", 1), values: list("int32", 2) }), 2),
    }),
    25,
  ),
});

export const ephemeralContainer: Message = message({
  ephemeralContainerCommon: inline(container, 1),
  targetContainerName: one("string", 2),
});
