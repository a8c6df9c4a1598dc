import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import { choice, flag, given, int32, optional, patched, protocol, quantities, s, text, texts } from "./field.ts";
import { lifecycle, probe } from "./probe.ts";
import { configMapKeySelector, objectFieldSelector, resourceFieldSelector, secretKeySelector } from "./reference.ts";
import { securityContext } from "./security.ts";

const envVarFields = {
  name: given("Name of the variable."),
  value: text("Its value; $(NAME) stands for another variable."),
  valueFrom: optional(
    s.object({
      configMapKeyRef: optional(configMapKeySelector, "A key of a config map."),
      secretKeyRef: optional(secretKeySelector, "A key of a secret."),
      fieldRef: optional(objectFieldSelector, "A field of the pod."),
      resourceFieldRef: optional(resourceFieldSelector, "A resource amount of a container."),
      fileKeyRef: optional(
        s
          .object({
            volumeName: given("The volume that holds the file."),
            path: given("The file, relative to the volume."),
            key: given("The variable in the file."),
            optional: s.boolean().describe("Whether the file or the key may be missing.").default(false),
          })
          .atomic(),
        "A variable in a file on a volume.",
      ),
    }),
    "Where its value comes from, instead.",
  ),
};

/** An environment variable. */
export interface EnvVar extends ObjectIn<typeof envVarFields> {}

/** The schema of `EnvVar`. */
const envVar: ObjectSchema<EnvVar, EnvVar> = s.object(envVarFields);

const envFromSourceFields = {
  prefix: text("Put in front of each name."),
  configMapRef: optional(
    s.object({ name: text("Name of the config map."), optional: flag("Whether it may be missing.") }),
    "All keys of a config map.",
  ),
  secretRef: optional(
    s.object({ name: text("Name of the secret."), optional: flag("Whether it may be missing.") }),
    "All keys of a secret.",
  ),
};

/** Many environment variables at once. */
export interface EnvFromSource extends ObjectIn<typeof envFromSourceFields> {}

/** The schema of `EnvFromSource`. */
const envFromSource: ObjectSchema<EnvFromSource, EnvFromSource> = s.object(envFromSourceFields);

const containerPortFields = {
  name: text("A name for services and probes to use."),
  containerPort: s.int32().describe("Number of the port."),
  protocol: protocol.describe("TCP unless given.").default("TCP"),
  hostPort: int32("Port of the node that leads here."),
  hostIP: text("Address of the node that hostPort binds to."),
};

/** A port that a container listens on. */
export interface ContainerPort extends ObjectIn<typeof containerPortFields> {}

/** The schema of `ContainerPort`. */
export const containerPort: ObjectSchema<ContainerPort, ContainerPort> = s.object(containerPortFields);

const resourceRequirementsFields = {
  limits: quantities("The most it may use."),
  requests: quantities("What it is sure to get; its limits unless given."),
  claims: optional(
    s
      .array(
        s.object({
          name: given("One of the pod's resource claims."),
          request: text("One request of that claim; all of them unless given."),
        }),
      )
      .keyedBy("name"),
    "Devices it uses, from the pod's claims.",
  ),
};

/** The computing resources of a container. */
export interface ResourceRequirements extends ObjectIn<typeof resourceRequirementsFields> {}

/** The schema of `ResourceRequirements`. */
export const resourceRequirements: ObjectSchema<ResourceRequirements, ResourceRequirements> =
  s.object(resourceRequirementsFields);

const volumeMountFields = {
  name: given("Name of the volume."),
  mountPath: given("Directory in the container."),
  subPath: text("Part of the volume to mount."),
  subPathExpr: text("The same with $(NAME) for environment variables."),
  readOnly: flag("Whether it cannot be written."),
  recursiveReadOnly: choice("Whether mounts below it cannot be written either.", "Disabled", "Enabled", "IfPossible"),
  mountPropagation: choice(
    "Which later mounts are seen on the other side; None unless given.",
    "None",
    "HostToContainer",
    "Bidirectional",
  ),
};

/** Where a volume shows up in a container. */
export interface VolumeMount extends ObjectIn<typeof volumeMountFields> {}

/** The schema of `VolumeMount`. */
export const volumeMount: ObjectSchema<VolumeMount, VolumeMount> = s.object(volumeMountFields);

const volumeDeviceFields = {
  name: given("Name of the volume's claim in the pod."),
  devicePath: given("Path of the device in the container."),
};

/** A block volume in a container. */
export interface VolumeDevice extends ObjectIn<typeof volumeDeviceFields> {}

/** The schema of `VolumeDevice`. */
const volumeDevice: ObjectSchema<VolumeDevice, VolumeDevice> = s.object(volumeDeviceFields);

const containerFields = {
  name: given("Name of the container, once in a pod."),
  image: text("The image to run."),
  imagePullPolicy: choice(
    "When to fetch the image; Always for the tag latest, else IfNotPresent.",
    "Always",
    "IfNotPresent",
    "Never",
  ),
  command: texts("The program instead of the image's entry point."),
  args: texts("Its arguments instead of the image's."),
  workingDir: text("Directory to start in."),
  env: patched("merge", optional(s.array(envVar).keyedBy("name"), "Environment variables."), "name"),
  envFrom: optional(s.array(envFromSource).atomic(), "Environment variables from config maps and secrets."),
  ports: patched(
    "merge",
    optional(s.array(containerPort).keyedBy("containerPort", "protocol"), "Ports that it listens on."),
    "containerPort",
  ),
  resources: optional(resourceRequirements, "Computing resources."),
  resizePolicy: optional(
    s
      .array(
        s.object({
          resourceName: given("The resource, such as cpu."),
          restartPolicy: s.enum("NotRequired", "RestartContainer").describe("What a change of it takes."),
        }),
      )
      .atomic(),
    "How changes of resources are made.",
  ),
  volumeMounts: patched("merge", optional(s.array(volumeMount).keyedBy("mountPath"), "Volumes to mount."), "mountPath"),
  volumeDevices: patched(
    "merge",
    optional(s.array(volumeDevice).keyedBy("devicePath"), "Block volumes to attach."),
    "devicePath",
  ),
  livenessProbe: optional(probe, "Restart the container when this fails."),
  readinessProbe: optional(probe, "Send it requests only while this passes."),
  startupProbe: optional(probe, "Hold back the other probes until this passes."),
  lifecycle: optional(lifecycle, "Hooks into its start and stop."),
  restartPolicy: choice(
    "Whether it is started again after an exit. Always makes an init container a sidecar.",
    "Always",
    "OnFailure",
    "Never",
  ),
  restartPolicyRules: optional(
    s
      .array(
        s.object({
          action: given("What to do when the rule applies, such as Restart."),
          exitCodes: optional(
            s.object({
              operator: s.enum("In", "NotIn").describe("Whether the code is among the values or not."),
              values: optional(s.array(s.int32()).set(), "The exit codes."),
            }),
            "The exit codes to which the rule applies.",
          ),
        }),
      )
      .atomic(),
    "Exceptions to restartPolicy by exit code.",
  ),
  securityContext: optional(securityContext, "What it may do."),
  stdin: flag("Whether it has a standard input."),
  stdinOnce: flag("Whether standard input closes after its first use."),
  tty: flag("Whether it has a terminal."),
  terminationMessagePath: text("File in which it says why it ended; /dev/termination-log unless given."),
  terminationMessagePolicy: choice(
    "Whether the end of its log may stand in for that file.",
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
  targetContainerName: text("The container whose processes it sees."),
};

/** A container that was added to a running pod to look into it. */
export interface EphemeralContainer extends ObjectIn<typeof ephemeralContainerFields> {}

/** The schema of `EphemeralContainer`. */
export const ephemeralContainer: ObjectSchema<EphemeralContainer, EphemeralContainer> =
  s.object(ephemeralContainerFields);
