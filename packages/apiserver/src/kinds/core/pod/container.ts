import type { Container, EphemeralContainer } from "@levelset/core";
import {
  duplicateField,
  forbiddenField,
  invalidField,
  notFoundField,
  requiredField,
  unsupportedField,
} from "../../../resource/index.ts";
import {
  enumErrors,
  isEmptyString,
  labelNameErrors,
  requiredStringErrors,
  portNameProblems,
  portNumberErrors,
  PROTOCOLS,
} from "../../field-checks.ts";
import type { FieldErrors } from "../../field-checks.ts";
import { resourceRequirementsErrors } from "../resources.ts";
import type { Unvalidated } from "../../unvalidated.ts";
import { envErrors, envFromErrors } from "./env.ts";
import { deviceErrors, mountErrors } from "./mount.ts";
import type { Volumes } from "./mount.ts";
import { lifecycleErrors, probeErrors } from "./probe.ts";
import { securityContextErrors } from "./security.ts";

type LooseContainer = Unvalidated<Container>;

/** Pod-level context of container validation. */
export interface PodValidationContext {
  readonly volumes: Volumes;
  /** Names of the pod's resource claims. */
  readonly claims: readonly string[];
  readonly restartPolicy: string;
  readonly graceSeconds: number | bigint;
  readonly os: string | undefined;
  readonly hostUsers: boolean;
}

const PROBES = ["livenessProbe", "readinessProbe", "startupProbe"] as const;

/** Validates `containers`. */
export function* containersErrors(
  path: string,
  containers: readonly LooseContainer[],
  scope: PodValidationContext,
): FieldErrors {
  if (containers.length === 0) yield requiredField(path);
  const names = new Set<string>();
  for (const [index, container] of containers.entries()) {
    const at = `${path}[${index}]`;
    const { name = "" } = container;
    yield* commonErrors(at, container, scope);
    if (names.has(name)) yield duplicateField(`${at}.name`, name);
    names.add(name);
    yield* hookErrors(at, container, scope);
    yield* restartErrors(at, container);
  }
  yield* hostPortErrors(path, containers);
}

/** Validates `initContainers`. Only sidecars can have hooks and probes. */
export function* initContainersErrors(
  path: string,
  containers: readonly LooseContainer[],
  others: readonly LooseContainer[],
  scope: PodValidationContext,
): FieldErrors {
  const names = new Set(others.map(({ name = "" }) => name));
  for (const [index, container] of containers.entries()) {
    const at = `${path}[${index}]`;
    const { name = "" } = container;
    yield* commonErrors(at, container, scope);
    yield* restartErrors(at, container);
    if (names.has(name)) yield duplicateField(`${at}.name`, name);
    else if (name !== "") names.add(name);
    yield* hostPortErrors(path, [container]);
    if (container.restartPolicy === "Always") yield* hookErrors(at, container, scope);
    else {
      for (const field of ["lifecycle", ...PROBES] as const) {
        if (container[field] === undefined) continue;
        yield forbiddenField(`${at}.${field}`, "may not be set for init containers without restartPolicy=Always");
      }
    }
  }
}

/** Fields that are forbidden in ephemeral containers. */
const NOT_EPHEMERAL = [
  "ports",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
  "resizePolicy",
] as const;

/** Validates `ephemeralContainers`. */
export function* ephemeralContainersErrors(
  path: string,
  containers: readonly Unvalidated<EphemeralContainer>[],
  others: readonly LooseContainer[],
  scope: PodValidationContext,
): FieldErrors {
  const targets = others.map(({ name = "" }) => name);
  const names = new Set(targets);
  for (const [index, container] of containers.entries()) {
    const at = `${path}[${index}]`;
    const { name = "", targetContainerName: target } = container;
    yield* commonErrors(at, container, scope);
    yield* imageWhitespaceErrors(at, container);
    if (names.has(name)) yield duplicateField(`${at}.name`, name);
    names.add(name);
    if (!isEmptyString(target) && !targets.includes(target)) yield notFoundField(`${at}.targetContainerName`, target);
    const why = "cannot be set for an Ephemeral Container";
    for (const field of NOT_EPHEMERAL) if (container[field] !== undefined) yield forbiddenField(`${at}.${field}`, why);
    const { limits, requests } = container.resources ?? {};
    if (limits !== undefined || requests !== undefined) yield forbiddenField(`${at}.resources`, why);
    for (const [n, mount] of (container.volumeMounts ?? []).entries()) {
      if (!isEmptyString(mount.subPath)) yield forbiddenField(`${at}.volumeMounts[${n}].subPath`, why);
      if (!isEmptyString(mount.subPathExpr)) yield forbiddenField(`${at}.volumeMounts[${n}].subPathExpr`, why);
    }
  }
}

/** Validates that an image name has no leading or trailing whitespace. Applies to pods, not to templates. */
export function* imageWhitespaceErrors(path: string, { image = "" }: LooseContainer): FieldErrors {
  if (image !== image.trim()) {
    yield invalidField(`${path}.image`, image, "must not have leading or trailing whitespace");
  }
}

function* commonErrors(path: string, container: LooseContainer, scope: PodValidationContext): FieldErrors {
  yield* labelNameErrors(`${path}.name`, container.name);
  yield* requiredStringErrors(`${path}.image`, container.image);
  yield* enumErrors(`${path}.terminationMessagePolicy`, container.terminationMessagePolicy, [
    "File",
    "FallbackToLogsOnError",
  ]);
  yield* portsErrors(`${path}.ports`, container.ports ?? []);
  yield* envErrors(`${path}.env`, container.env ?? []);
  yield* envFromErrors(`${path}.envFrom`, container.envFrom ?? []);
  yield* mountErrors(`${path}.volumeMounts`, container, scope.volumes);
  yield* deviceErrors(`${path}.volumeDevices`, container, scope.volumes);
  yield* enumErrors(`${path}.imagePullPolicy`, container.imagePullPolicy, ["Always", "IfNotPresent", "Never"]);
  yield* resourceRequirementsErrors(`${path}.resources`, container.resources, scope.claims);
  yield* resizeErrors(`${path}.resizePolicy`, container.resizePolicy ?? [], scope.restartPolicy);
  yield* securityContextErrors(`${path}.securityContext`, container.securityContext, scope.hostUsers);
}

function* hookErrors(path: string, container: LooseContainer, scope: PodValidationContext): FieldErrors {
  if (container.lifecycle !== undefined) {
    yield* lifecycleErrors(`${path}.lifecycle`, container.lifecycle, scope.graceSeconds, scope.os);
  }
  for (const role of PROBES) {
    const probe = container[role];
    if (probe !== undefined) yield* probeErrors(`${path}.${role}`, role, probe);
  }
}

function* restartErrors(path: string, container: LooseContainer): FieldErrors {
  const { restartPolicy, restartPolicyRules = [] } = container;
  if (restartPolicy === undefined) {
    if (restartPolicyRules.length > 0) {
      yield requiredField(`${path}.restartPolicy`, "must specify restartPolicy when restart rules are used");
    }
  } else if (!["Always", "Never", "OnFailure"].includes(restartPolicy)) {
    yield unsupportedField(`${path}.restartPolicy`, restartPolicy, ["Always", "Never", "OnFailure"]);
  }
  for (const [index, { action = "", exitCodes }] of restartPolicyRules.entries()) {
    const at = `${path}.restartPolicyRules[${index}]`;
    const actions = ["Restart", "RestartAllContainers"];
    if (!actions.includes(action)) yield unsupportedField(`${at}.action`, action, actions);
    if (exitCodes === undefined) yield requiredField(`${at}.exitCodes`, "must be specified");
    else if (exitCodes.operator !== "In" && exitCodes.operator !== "NotIn") {
      yield unsupportedField(`${at}.exitCodes.operator`, exitCodes.operator ?? "", ["In", "NotIn"]);
    }
  }
}

type Ports = NonNullable<LooseContainer["ports"]>;

function* portsErrors(path: string, ports: Ports): FieldErrors {
  const names = new Set<string>();
  for (const [index, { name, containerPort = 0, hostPort = 0, protocol }] of ports.entries()) {
    const at = `${path}[${index}]`;
    if (!isEmptyString(name)) {
      const problems = portNameProblems(name);
      for (const problem of problems) yield invalidField(`${at}.name`, name, problem);
      if (problems.length === 0 && names.has(name)) yield duplicateField(`${at}.name`, name);
      names.add(name);
    }
    if (containerPort === 0) yield requiredField(`${at}.containerPort`);
    else yield* portNumberErrors(`${at}.containerPort`, containerPort);
    if (hostPort !== 0) yield* portNumberErrors(`${at}.hostPort`, hostPort);
    yield* enumErrors(`${at}.protocol`, protocol, PROTOCOLS);
  }
}

function* hostPortErrors(path: string, containers: readonly LooseContainer[]): FieldErrors {
  const taken = new Set<string>();
  for (const [index, { ports = [] }] of containers.entries()) {
    for (const [n, { hostPort = 0, hostIP = "", protocol = "" }] of ports.entries()) {
      if (hostPort === 0) continue;
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(key)) yield duplicateField(`${path}[${index}].ports[${n}].hostPort`, key);
      taken.add(key);
    }
  }
}

type ResizePolicies = NonNullable<LooseContainer["resizePolicy"]>;

function* resizeErrors(path: string, policies: ResizePolicies, podRestartPolicy: string): FieldErrors {
  const seen = new Set<string>();
  for (const [index, { resourceName = "", restartPolicy = "" }] of policies.entries()) {
    if (seen.has(resourceName)) yield duplicateField(`${path}[${index}]`, resourceName);
    seen.add(resourceName);
    yield* enumErrors(path, resourceName, ["cpu", "memory"]);
    yield* enumErrors(path, restartPolicy, ["NotRequired", "RestartContainer"]);
    if (podRestartPolicy === "Never" && restartPolicy !== "NotRequired") {
      yield invalidField(path, restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
    }
  }
}
