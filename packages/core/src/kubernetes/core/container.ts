import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import {
  s,
  optionalEnum,
  optionalBoolean,
  requiredString,
  int32,
  optional,
  withPatchStrategy,
  protocol,
  resourceList,
  optionalString,
  optionalStrings,
} from "../field-builders.ts";
import { lifecycle, probe } from "./probe.ts";
import { configMapKeySelector, objectFieldSelector, resourceFieldSelector, secretKeySelector } from "./reference.ts";
import { securityContext } from "./security.ts";

const envVarFields = {
  name: requiredString("Name of the variable."),
  value: optionalString("Its value; $(NAME) stands for another variable."),
  valueFrom: optional(
    s.object({
      configMapKeyRef: optional(configMapKeySelector, "A key of a config map."),
      secretKeyRef: optional(secretKeySelector, "A key of a secret."),
      fieldRef: optional(objectFieldSelector, "A field of the pod."),
      resourceFieldRef: optional(resourceFieldSelector, "A resource amount of a container."),
      fileKeyRef: optional(
        s
          .object({
            volumeName: requiredString("The volume that holds the file."),
            path: requiredString("The file, relative to the volume."),
            key: requiredString("The variable in the file."),
            optional: s.boolean().describe("Whether the file or the key may be missing.").default(false),
          })
          .atomic(),
        "A variable in a file on a volume.",
      ),
    }),
    "Source of its value, if value is not set.",
  ),
};

/** An environment variable. */
export interface EnvVar extends ObjectIn<typeof envVarFields> {}

/** The schema of `EnvVar`. */
const envVar: ObjectSchema<EnvVar, EnvVar> = s.object(envVarFields);

const envFromSourceFields = {
  prefix: optionalString("Prefix of each name."),
  configMapRef: optional(
    s.object({
      name: optionalString("Name of the config map."),
      optional: optionalBoolean("Whether it may be missing."),
    }),
    "All keys of a config map.",
  ),
  secretRef: optional(
    s.object({ name: optionalString("Name of the secret."), optional: optionalBoolean("Whether it may be missing.") }),
    "All keys of a secret.",
  ),
};

/** Environment variables from all keys of a ConfigMap or Secret. */
export interface EnvFromSource extends ObjectIn<typeof envFromSourceFields> {}

/** The schema of `EnvFromSource`. */
const envFromSource: ObjectSchema<EnvFromSource, EnvFromSource> = s.object(envFromSourceFields);

const containerPortFields = {
  name: optionalString("A name for services and probes to use."),
  containerPort: s.int32().describe("Number of the port."),
  protocol: protocol.describe("Defaults to TCP.").default("TCP"),
  hostPort: int32("Port of the node that forwards to this port."),
  hostIP: optionalString("Address of the node that hostPort binds to."),
};

/** A port that a container listens on. */
export interface ContainerPort extends ObjectIn<typeof containerPortFields> {}

/** The schema of `ContainerPort`. */
export const containerPort: ObjectSchema<ContainerPort, ContainerPort> = s.object(containerPortFields);

const resourceRequirementsFields = {
  limits: resourceList("Maximum resources."),
  requests: resourceList("Minimum resources; defaults to its limits."),
  claims: optional(
    s
      .array(
        s.object({
          name: requiredString("One of the pod's resource claims."),
          request: optionalString("One request of that claim; defaults to all of them."),
        }),
      )
      .keyedBy("name"),
    "Devices it uses, from the pod's claims.",
  ),
};

/** Resource requests and limits of a container. */
export interface ResourceRequirements extends ObjectIn<typeof resourceRequirementsFields> {}

/** The schema of `ResourceRequirements`. */
export const resourceRequirements: ObjectSchema<ResourceRequirements, ResourceRequirements> =
  s.object(resourceRequirementsFields);

const volumeMountFields = {
  name: requiredString("Name of the volume."),
  mountPath: requiredString("Directory in the container."),
  subPath: optionalString("Part of the volume to mount."),
  subPathExpr: optionalString("The same with $(NAME) for environment variables."),
  readOnly: optionalBoolean("Whether it is mounted read-only."),
  recursiveReadOnly: optionalEnum("Whether nested mounts are read-only too.", "Disabled", "Enabled", "IfPossible"),
  mountPropagation: optionalEnum(
    "How mounts are propagated between node and container; defaults to None.",
    "None",
    "HostToContainer",
    "Bidirectional",
  ),
};

/** Mount of a volume in a container. */
export interface VolumeMount extends ObjectIn<typeof volumeMountFields> {}

/** The schema of `VolumeMount`. */
export const volumeMount: ObjectSchema<VolumeMount, VolumeMount> = s.object(volumeMountFields);

const volumeDeviceFields = {
  name: requiredString("Name of the volume's claim in the pod."),
  devicePath: requiredString("Path of the device in the container."),
};

/** A block volume in a container. */
export interface VolumeDevice extends ObjectIn<typeof volumeDeviceFields> {}

/** The schema of `VolumeDevice`. */
const volumeDevice: ObjectSchema<VolumeDevice, VolumeDevice> = s.object(volumeDeviceFields);

const containerFields = {
  name: requiredString("Name of the container, once in a pod."),
  image: optionalString("The image to run."),
  imagePullPolicy: optionalEnum(
    "Image pull policy; defaults to Always for the tag latest, otherwise IfNotPresent.",
    "Always",
    "IfNotPresent",
    "Never",
  ),
  command: optionalStrings("The program instead of the image's entry point."),
  args: optionalStrings("Its arguments instead of the image's."),
  workingDir: optionalString("Directory to start in."),
  env: withPatchStrategy("merge", optional(s.array(envVar).keyedBy("name"), "Environment variables."), "name"),
  envFrom: optional(s.array(envFromSource).atomic(), "Environment variables from config maps and secrets."),
  ports: withPatchStrategy(
    "merge",
    optional(s.array(containerPort).keyedBy("containerPort", "protocol"), "Ports that it listens on."),
    "containerPort",
  ),
  resources: optional(resourceRequirements, "Computing resources."),
  resizePolicy: optional(
    s
      .array(
        s.object({
          resourceName: requiredString("The resource, such as cpu."),
          restartPolicy: s.enum("NotRequired", "RestartContainer").describe("Whether a change restarts the container."),
        }),
      )
      .atomic(),
    "How resource changes are applied.",
  ),
  volumeMounts: withPatchStrategy(
    "merge",
    optional(s.array(volumeMount).keyedBy("mountPath"), "Volumes to mount."),
    "mountPath",
  ),
  volumeDevices: withPatchStrategy(
    "merge",
    optional(s.array(volumeDevice).keyedBy("devicePath"), "Block volumes to attach."),
    "devicePath",
  ),
  livenessProbe: optional(probe, "Liveness probe."),
  readinessProbe: optional(probe, "Readiness probe."),
  startupProbe: optional(probe, "Startup probe."),
  lifecycle: optional(lifecycle, "Lifecycle hooks."),
  restartPolicy: optionalEnum(
    "Whether it is restarted after it exits. Always makes an init container a sidecar.",
    "Always",
    "OnFailure",
    "Never",
  ),
  restartPolicyRules: optional(
    s
      .array(
        s.object({
          action: requiredString("Action if the rule matches, such as Restart."),
          exitCodes: optional(
            s.object({
              operator: s.enum("In", "NotIn").describe("Whether the exit code must be in the values or not."),
              values: optional(s.array(s.int32()).set(), "The exit codes."),
            }),
            "The exit codes to which the rule applies.",
          ),
        }),
      )
      .atomic(),
    "Exceptions to restartPolicy by exit code.",
  ),
  securityContext: optional(securityContext, "Security context."),
  stdin: optionalBoolean("Whether it has a standard input."),
  stdinOnce: optionalBoolean("Whether standard input is closed after the first client detaches."),
  tty: optionalBoolean("Whether it has a terminal."),
  terminationMessagePath: optionalString("File with its termination message; defaults to /dev/termination-log."),
  terminationMessagePolicy: optionalEnum(
    "Whether the end of its log is used if the file is empty and the container failed.",
    "File",
    "FallbackToLogsOnError",
  ),
};

/** A program that runs in a pod, from an image. */
export interface Container extends ObjectIn<typeof containerFields> {}

/** The schema of `Container`. */
export const container: ObjectSchema<Container, Container> = s.object(containerFields);

const ephemeralContainerFields = {
  ...containerFields,
  targetContainerName: optionalString("The container whose processes it sees."),
};

/** A container added to a running pod for debugging. */
export interface EphemeralContainer extends ObjectIn<typeof ephemeralContainerFields> {}

/** The schema of `EphemeralContainer`. */
export const ephemeralContainer: ObjectSchema<EphemeralContainer, EphemeralContainer> =
  s.object(ephemeralContainerFields);
