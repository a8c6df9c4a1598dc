import type { Container, EphemeralContainer } from "@levelset/core";
import {
  duplicateField,
  forbiddenField,
  invalidField,
  notFoundField,
  requiredField,
  unsupportedField,
} from "../../field.ts";
import {
  choiceErrors,
  isBlank,
  labelNameErrors,
  neededText,
  portNameProblems,
  portNumberErrors,
  PROTOCOLS,
} from "../check.ts";
import type { Errors } from "../check.ts";
import { requirementErrors } from "../core/resources.ts";
import type { Loose } from "../loose.ts";
import { envErrors, envFromErrors } from "./env.ts";
import { deviceErrors, mountErrors } from "./mount.ts";
import type { Volumes } from "./mount.ts";
import { lifecycleErrors, probeErrors } from "./probe.ts";
import { securityContextErrors } from "./security.ts";

type LooseContainer = Loose<Container>;

/** What the containers of a pod have in common. */
export interface PodScope {
  readonly volumes: Volumes;
  /** Names of the pod's resource claims. */
  readonly claims: readonly string[];
  readonly restartPolicy: string;
  readonly graceSeconds: number | bigint;
  readonly os: string | undefined;
  readonly hostUsers: boolean;
}

const PROBES = ["livenessProbe", "readinessProbe", "startupProbe"] as const;

/** Everything wrong with the containers that run side by side. */
export function* containersErrors(path: string, containers: readonly LooseContainer[], scope: PodScope): Errors {
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

/** Everything wrong with the containers that run before. Only sidecars have hooks and probes. */
export function* initContainersErrors(
  path: string,
  containers: readonly LooseContainer[],
  others: readonly LooseContainer[],
  scope: PodScope,
): Errors {
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

/** Fields that a container for looking into a running pod cannot have. */
const NOT_EPHEMERAL = [
  "ports",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
  "resizePolicy",
] as const;

/** Everything wrong with the containers that were added to look into a running pod. */
export function* ephemeralContainersErrors(
  path: string,
  containers: readonly Loose<EphemeralContainer>[],
  others: readonly LooseContainer[],
  scope: PodScope,
): Errors {
  const targets = others.map(({ name = "" }) => name);
  const names = new Set(targets);
  for (const [index, container] of containers.entries()) {
    const at = `${path}[${index}]`;
    const { name = "", targetContainerName: target } = container;
    yield* commonErrors(at, container, scope);
    yield* imageSpaceErrors(at, container);
    if (names.has(name)) yield duplicateField(`${at}.name`, name);
    names.add(name);
    if (!isBlank(target) && !targets.includes(target)) yield notFoundField(`${at}.targetContainerName`, target);
    const why = "cannot be set for an Ephemeral Container";
    for (const field of NOT_EPHEMERAL) if (container[field] !== undefined) yield forbiddenField(`${at}.${field}`, why);
    const { limits, requests } = container.resources ?? {};
    if (limits !== undefined || requests !== undefined) yield forbiddenField(`${at}.resources`, why);
    for (const [n, mount] of (container.volumeMounts ?? []).entries()) {
      if (!isBlank(mount.subPath)) yield forbiddenField(`${at}.volumeMounts[${n}].subPath`, why);
      if (!isBlank(mount.subPathExpr)) yield forbiddenField(`${at}.volumeMounts[${n}].subPathExpr`, why);
    }
  }
}

/** An image's name has no space around it. Templates may have it, pods may not. */
export function* imageSpaceErrors(path: string, { image = "" }: LooseContainer): Errors {
  if (image !== image.trim()) {
    yield invalidField(`${path}.image`, image, "must not have leading or trailing whitespace");
  }
}

function* commonErrors(path: string, container: LooseContainer, scope: PodScope): Errors {
  yield* labelNameErrors(`${path}.name`, container.name);
  yield* neededText(`${path}.image`, container.image);
  yield* choiceErrors(`${path}.terminationMessagePolicy`, container.terminationMessagePolicy, [
    "File",
    "FallbackToLogsOnError",
  ]);
  yield* portsErrors(`${path}.ports`, container.ports ?? []);
  yield* envErrors(`${path}.env`, container.env ?? []);
  yield* envFromErrors(`${path}.envFrom`, container.envFrom ?? []);
  yield* mountErrors(`${path}.volumeMounts`, container, scope.volumes);
  yield* deviceErrors(`${path}.volumeDevices`, container, scope.volumes);
  yield* choiceErrors(`${path}.imagePullPolicy`, container.imagePullPolicy, ["Always", "IfNotPresent", "Never"]);
  yield* requirementErrors(`${path}.resources`, container.resources, scope.claims);
  yield* resizeErrors(`${path}.resizePolicy`, container.resizePolicy ?? [], scope.restartPolicy);
  yield* securityContextErrors(`${path}.securityContext`, container.securityContext, scope.hostUsers);
}

function* hookErrors(path: string, container: LooseContainer, scope: PodScope): Errors {
  if (container.lifecycle !== undefined) {
    yield* lifecycleErrors(`${path}.lifecycle`, container.lifecycle, scope.graceSeconds, scope.os);
  }
  for (const role of PROBES) {
    const probe = container[role];
    if (probe !== undefined) yield* probeErrors(`${path}.${role}`, role, probe);
  }
}

function* restartErrors(path: string, container: LooseContainer): Errors {
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

function* portsErrors(path: string, ports: Ports): Errors {
  const names = new Set<string>();
  for (const [index, { name, containerPort = 0, hostPort = 0, protocol }] of ports.entries()) {
    const at = `${path}[${index}]`;
    if (!isBlank(name)) {
      const problems = portNameProblems(name);
      for (const problem of problems) yield invalidField(`${at}.name`, name, problem);
      if (problems.length === 0 && names.has(name)) yield duplicateField(`${at}.name`, name);
      names.add(name);
    }
    if (containerPort === 0) yield requiredField(`${at}.containerPort`);
    else yield* portNumberErrors(`${at}.containerPort`, containerPort);
    if (hostPort !== 0) yield* portNumberErrors(`${at}.hostPort`, hostPort);
    yield* choiceErrors(`${at}.protocol`, protocol, PROTOCOLS);
  }
}

function* hostPortErrors(path: string, containers: readonly LooseContainer[]): Errors {
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

function* resizeErrors(path: string, policies: ResizePolicies, podRestartPolicy: string): Errors {
  const seen = new Set<string>();
  for (const [index, { resourceName = "", restartPolicy = "" }] of policies.entries()) {
    if (seen.has(resourceName)) yield duplicateField(`${path}[${index}]`, resourceName);
    seen.add(resourceName);
    yield* choiceErrors(path, resourceName, ["cpu", "memory"]);
    yield* choiceErrors(path, restartPolicy, ["NotRequired", "RestartContainer"]);
    if (podRestartPolicy === "Never" && restartPolicy !== "NotRequired") {
      yield invalidField(path, restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
    }
  }
}
