import type { Container, PodSpec } from "@levelset/core";
import {
  forbiddenField,
  invalidField,
  notFoundField,
  requiredField,
  tooLongField,
  unsupportedField,
  dnsSubdomainProblems,
  qualifiedNameProblems,
} from "../../../resource/index.ts";
import {
  enumErrors,
  dnsLabelErrors,
  dnsSubdomainErrors,
  rangeErrors,
  ipErrors,
  isEmptyString,
  labelNameErrors,
  stringErrors,
  duplicateErrors,
} from "../../field-checks.ts";
import type { FieldErrors } from "../../field-checks.ts";
import { podResourceNameErrors, resourceRequirementsErrors } from "../resources.ts";
import { labelsErrors } from "../selector.ts";
import type { Unvalidated } from "../../unvalidated.ts";
import { affinityErrors, spreadErrors } from "./affinity.ts";
import { containersErrors, ephemeralContainersErrors, initContainersErrors } from "./container.ts";
import type { PodValidationContext } from "./container.ts";
import { podSecurityErrors } from "./security.ts";
import { tolerationErrors } from "./toleration.ts";
import { volumeErrors } from "./volume.ts";
import type { UnvalidatedVolume } from "./volume.ts";

type LooseSpec = Unvalidated<PodSpec>;

const INT32_MAX = 2 ** 31 - 1;
const DNS_POLICIES = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];

/** Validates the spec of a pod or of a template. With hostNetwork, the ports of a pod must equal the host ports. */
export function* podSpecErrors(path: string, spec: LooseSpec, isPod: boolean): FieldErrors {
  const volumes = new Map<string, UnvalidatedVolume>();
  yield* volumeErrors(`${path}.volumes`, spec.volumes ?? [], volumes);
  yield* podClaimErrors(`${path}.resourceClaims`, spec.resourceClaims ?? []);
  const scope: PodValidationContext = {
    volumes,
    claims: (spec.resourceClaims ?? []).map(({ name = "" }) => name),
    restartPolicy: spec.restartPolicy ?? "",
    graceSeconds: spec.terminationGracePeriodSeconds ?? 0,
    os: spec.os?.name,
    hostUsers: spec.hostUsers !== false,
  };
  const { containers = [], initContainers = [] } = spec;
  yield* containersErrors(`${path}.containers`, containers, scope);
  yield* initContainersErrors(`${path}.initContainers`, initContainers, containers, scope);
  yield* ephemeralContainersErrors(
    `${path}.ephemeralContainers`,
    spec.ephemeralContainers ?? [],
    [...containers, ...initContainers],
    scope,
  );
  if (spec.resources !== undefined) {
    yield* resourceRequirementsErrors(`${path}.resources`, spec.resources, scope.claims, podResourceNameErrors);
  }
  if (spec.hostNetwork === true) yield* hostNetworkErrors(`${path}.containers`, containers, isPod);
  yield* enumErrors(`${path}.restartPolicy`, spec.restartPolicy, ["Always", "OnFailure", "Never"]);
  yield* enumErrors(`${path}.dnsPolicy`, spec.dnsPolicy, DNS_POLICIES);
  yield* placementErrors(path, spec);
  yield* identityErrors(path, spec);
  yield* fileRefErrors(path, spec);
}

function* placementErrors(path: string, spec: LooseSpec): FieldErrors {
  yield* labelsErrors(`${path}.nodeSelector`, spec.nodeSelector);
  yield* podSecurityErrors(`${path}.securityContext`, spec.securityContext ?? {}, spec);
  if (spec.affinity !== undefined) yield* affinityErrors(`${path}.affinity`, spec.affinity);
  yield* dnsConfigErrors(`${path}.dnsConfig`, spec.dnsConfig, spec.dnsPolicy);
  for (const [index, { conditionType = "" }] of (spec.readinessGates ?? []).entries()) {
    yield* stringErrors(`${path}.readinessGates[${index}].conditionType`, conditionType, qualifiedNameProblems);
  }
  const gates = (spec.schedulingGates ?? []).map(({ name = "" }) => name);
  for (const [index, gate] of gates.entries()) {
    yield* stringErrors(`${path}.schedulingGates[${index}]`, gate, qualifiedNameProblems);
  }
  yield* duplicateErrors(gates.map((gate, index) => [`${path}.schedulingGates[${index}]`, gate]));
  yield* spreadErrors(`${path}.topologySpreadConstraints`, spec.topologySpreadConstraints ?? []);
}

function* identityErrors(path: string, spec: LooseSpec): FieldErrors {
  yield* hostErrors(path, spec);
  for (const field of ["serviceAccountName", "nodeName"] as const) {
    const name = spec[field];
    if (!isEmptyString(name)) yield* stringErrors(`${path}.${field}`, name, dnsSubdomainProblems);
  }
  yield* rangeErrors(`${path}.activeDeadlineSeconds`, spec.activeDeadlineSeconds, 1, INT32_MAX);
  for (const field of ["hostname", "subdomain"] as const) {
    const name = spec[field];
    if (!isEmptyString(name)) yield* dnsLabelErrors(`${path}.${field}`, name);
  }
  yield* tolerationErrors(`${path}.tolerations`, spec.tolerations ?? []);
  for (const [index, { ip = "", hostnames = [] }] of (spec.hostAliases ?? []).entries()) {
    const at = `${path}.hostAliases[${index}]`;
    yield* ipErrors(`${at}.ip`, ip);
    for (const [n, name] of hostnames.entries()) yield* dnsSubdomainErrors(`${at}.hostnames[${n}]`, name);
  }
  for (const field of ["priorityClassName", "runtimeClassName"] as const) {
    const name = spec[field];
    if (!isEmptyString(name)) yield* stringErrors(`${path}.${field}`, name, dnsSubdomainProblems);
  }
  if (spec.preemptionPolicy !== undefined) {
    yield* enumErrors(`${path}.preemptionPolicy`, spec.preemptionPolicy, ["PreemptLowerPriority", "Never"]);
  }
  if (spec.os !== undefined) {
    const { name } = spec.os;
    if (isEmptyString(name)) yield requiredField(`${path}.os.name`);
    else if (name !== "linux" && name !== "windows") yield unsupportedField(`${path}.os`, name, ["linux", "windows"]);
  }
}

function* hostErrors(path: string, spec: LooseSpec): FieldErrors {
  if (spec.hostUsers === false) {
    const why = "when `hostUsers` is false";
    if (spec.hostNetwork === true) yield forbiddenField(`${path}.hostNetwork`, why);
    if (spec.hostPID === true) yield forbiddenField(`${path}.HostPID`, why);
    if (spec.hostIPC === true) yield forbiddenField(`${path}.HostIPC`, why);
  }
  const at = `${path}.hostnameOverride`;
  const { hostnameOverride: name } = spec;
  if (name === undefined) return;
  if (spec.setHostnameAsFQDN === true) yield forbiddenField(at, "may not be specified when setHostnameAsFQDN is true");
  if (spec.hostNetwork === true) yield forbiddenField(at, "may not be specified when hostNetwork is true");
  if (name.length > 64) yield tooLongField(at, 64);
  yield* dnsSubdomainErrors(at, name);
}

function* hostNetworkErrors(path: string, containers: readonly Unvalidated<Container>[], isPod: boolean): FieldErrors {
  for (const [index, { ports = [] }] of containers.entries()) {
    for (const [n, { hostPort = 0, containerPort = 0 }] of ports.entries()) {
      if (hostPort === containerPort || (!isPod && hostPort === 0)) continue;
      const at = `${path}[${index}].ports[${n}].hostPort`;
      yield invalidField(at, hostPort, "must match `containerPort` when `hostNetwork` is true");
    }
  }
}

function* podClaimErrors(path: string, claims: NonNullable<LooseSpec["resourceClaims"]>): FieldErrors {
  for (const [index, { name, resourceClaimName, resourceClaimTemplateName }] of claims.entries()) {
    const at = `${path}[${index}]`;
    yield* labelNameErrors(`${at}.name`, name);
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
      yield invalidField(
        at,
        claims[index],
        "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified",
      );
    }
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
      yield invalidField(at, claims[index], "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
    }
  }
  yield* duplicateErrors(claims.map(({ name = "" }, index) => [`${path}[${index}].name`, name]));
}

const NAMESERVERS_MAX = 3;
const SEARCHES_MAX = 32;

function* dnsConfigErrors(path: string, config: LooseSpec["dnsConfig"], policy: string | undefined): FieldErrors {
  const { nameservers = [], searches = [], options = [] } = config ?? {};
  if (policy === "None" && config === undefined) {
    yield requiredField(path, "must provide `dnsConfig` when `dnsPolicy` is None");
    return;
  }
  if (policy === "None" && nameservers.length === 0) {
    yield requiredField(`${path}.nameservers`, "must provide at least one DNS nameserver when `dnsPolicy` is None");
    return;
  }
  if (nameservers.length > NAMESERVERS_MAX) {
    yield invalidField(`${path}.nameservers`, nameservers, `must not have more than ${NAMESERVERS_MAX} nameservers`);
  }
  for (const [index, server] of nameservers.entries()) yield* ipErrors(`${path}.nameservers[${index}]`, server);
  if (searches.length > SEARCHES_MAX) {
    yield invalidField(`${path}.searches`, searches, `must not have more than ${SEARCHES_MAX} search paths`);
  }
  for (const [index, search] of searches.entries()) {
    // DNS search domains can contain underscores and end with a dot.
    const name = search.replace(/\.$/u, "").replaceAll("_", "a");
    if (search !== "." && dnsSubdomainProblems(name).length > 0) {
      yield* dnsSubdomainErrors(`${path}.searches[${index}]`, search.replace(/\.$/u, ""));
    }
  }
  for (const [index, { name }] of options.entries()) {
    if (isEmptyString(name)) yield requiredField(`${path}.options[${index}]`, "must not be empty");
  }
}

/** Validates fileKeyRef: its volume must be an emptyDir of the pod. */
function* fileRefErrors(path: string, spec: LooseSpec): FieldErrors {
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name, volume]));
  for (const field of ["initContainers", "containers", "ephemeralContainers"] as const) {
    for (const [index, { env = [] }] of (spec[field] ?? []).entries()) {
      for (const [n, { valueFrom }] of env.entries()) {
        const name = valueFrom?.fileKeyRef?.volumeName;
        if (name === undefined) continue;
        const at = `${path}.${field}[${index}].env[${n}].valueFrom.fileKeyRef.volumeName`;
        const volume = volumes.get(name);
        if (volume === undefined) yield notFoundField(at, name);
        else if (volume.emptyDir === undefined)
          yield invalidField(at, name, "referenced volume must be of type emptyDir");
      }
    }
  }
}
