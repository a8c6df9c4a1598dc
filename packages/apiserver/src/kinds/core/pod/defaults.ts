import type { Container, EnvVar, LifecycleHandler, PodSpec, PodTemplateSpec, Probe, Volume } from "@levelset/core";
import { isEmptyString } from "../../field-checks.ts";
import { omitUndefined } from "../../unvalidated.ts";
import type { Unvalidated } from "../../unvalidated.ts";
import { defaultPullPolicy } from "./image.ts";

/** Defaults of pods and pod templates (`pkg/apis/core/v1/defaults.go`, Kubernetes 1.36). */

type LooseContainer = Unvalidated<Container>;
type LooseVolume = Unvalidated<Volume>;

const FILE_MODE = 0o644;
const TOKEN_SECONDS = 3_600;
const GRACE_SECONDS = 30;

/** Returns the fallback for an absent or empty string. */
export function defaultIfEmpty(text: string | undefined, fallback: string): string {
  return isEmptyString(text) ? fallback : text;
}

/** Applies the defaults of a pod spec. */
export function podSpecDefaults(spec: Unvalidated<PodSpec> = {}): Unvalidated<PodSpec> {
  const account = isEmptyString(spec.serviceAccountName) ? spec.serviceAccount : spec.serviceAccountName;
  return omitUndefined({
    ...spec,
    containers: spec.containers?.map(containerDefaults),
    initContainers: spec.initContainers?.map(containerDefaults),
    ephemeralContainers: spec.ephemeralContainers?.map(containerDefaults),
    volumes: spec.volumes?.map(volumeDefaults),
    restartPolicy: defaultIfEmpty(spec.restartPolicy, "Always"),
    dnsPolicy: defaultIfEmpty(spec.dnsPolicy, "ClusterFirst"),
    schedulerName: defaultIfEmpty(spec.schedulerName, "default-scheduler"),
    securityContext: spec.securityContext ?? {},
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? GRACE_SECONDS,
    serviceAccountName: account,
    serviceAccount: account,
  });
}

/** Applies the defaults of a pod template. */
export function templateDefaults(template: Unvalidated<PodTemplateSpec> = {}): Unvalidated<PodTemplateSpec> {
  return { ...template, metadata: template.metadata ?? {}, spec: podSpecDefaults(template.spec) };
}

/** Applies the defaults of pods that templates do not get: requests from limits, and hostPort with hostNetwork. */
export function podOnlyDefaults(spec: Unvalidated<PodSpec>): Unvalidated<PodSpec> {
  const own = (container: LooseContainer): LooseContainer => {
    const requesting = withRequests(container);
    return spec.hostNetwork === true ? withHostPorts(requesting) : requesting;
  };
  return omitUndefined({
    ...spec,
    containers: spec.containers?.map(own),
    initContainers: spec.initContainers?.map(own),
    enableServiceLinks: spec.enableServiceLinks ?? true,
  });
}

function withRequests(container: LooseContainer): LooseContainer {
  const { limits, requests } = container.resources ?? {};
  if (limits === undefined) return container;
  return { ...container, resources: { ...container.resources, requests: { ...limits, ...requests } } };
}

function withHostPorts(container: LooseContainer): LooseContainer {
  const { ports } = container;
  if (ports === undefined) return container;
  return {
    ...container,
    ports: ports.map((port) => omitUndefined({ ...port, hostPort: port.hostPort ?? port.containerPort })),
  };
}

function containerDefaults(container: LooseContainer): LooseContainer {
  return omitUndefined({
    ...container,
    env: container.env?.map(envDefaults),
    resources: container.resources ?? {},
    imagePullPolicy: defaultIfEmpty(container.imagePullPolicy, defaultPullPolicy(container.image)),
    terminationMessagePath: defaultIfEmpty(container.terminationMessagePath, "/dev/termination-log"),
    terminationMessagePolicy: defaultIfEmpty(container.terminationMessagePolicy, "File"),
    livenessProbe: probeDefaults(container.livenessProbe),
    readinessProbe: probeDefaults(container.readinessProbe),
    startupProbe: probeDefaults(container.startupProbe),
    lifecycle:
      container.lifecycle === undefined
        ? undefined
        : omitUndefined({
            ...container.lifecycle,
            postStart: handlerDefaults(container.lifecycle.postStart),
            preStop: handlerDefaults(container.lifecycle.preStop),
          }),
  });
}

function envDefaults(variable: Unvalidated<EnvVar>): Unvalidated<EnvVar> {
  const { valueFrom } = variable;
  if (valueFrom === undefined) return variable;
  return { ...variable, valueFrom: omitUndefined({ ...valueFrom, ...selectorDefaults(valueFrom) }) };
}

/** Applies the defaults of fieldRef (apiVersion) and resourceFieldRef (divisor). */
function selectorDefaults(
  from: Pick<NonNullable<Unvalidated<EnvVar>["valueFrom"]>, "fieldRef" | "resourceFieldRef">,
): object {
  const { fieldRef, resourceFieldRef } = from;
  return {
    ...(fieldRef === undefined
      ? {}
      : { fieldRef: { ...fieldRef, apiVersion: defaultIfEmpty(fieldRef.apiVersion, "v1") } }),
    ...(resourceFieldRef === undefined
      ? {}
      : { resourceFieldRef: { ...resourceFieldRef, divisor: resourceFieldRef.divisor ?? "0" } }),
  };
}

function probeDefaults(probe: Unvalidated<Probe> | undefined): Unvalidated<Probe> | undefined {
  if (probe === undefined) return undefined;
  return omitUndefined({
    ...handlerDefaults(probe),
    timeoutSeconds: counted(probe.timeoutSeconds, 1),
    periodSeconds: counted(probe.periodSeconds, 10),
    successThreshold: counted(probe.successThreshold, 1),
    failureThreshold: counted(probe.failureThreshold, 3),
  });
}

function counted(count: number | undefined, fallback: number): number {
  return count === undefined || count === 0 ? fallback : count;
}

function handlerDefaults<T extends Unvalidated<LifecycleHandler> | undefined>(handler: T): T {
  if (handler?.httpGet === undefined) return handler;
  const { httpGet } = handler;
  return {
    ...handler,
    httpGet: { ...httpGet, path: defaultIfEmpty(httpGet.path, "/"), scheme: defaultIfEmpty(httpGet.scheme, "HTTP") },
  };
}

/** Applies the defaults of a volume. A volume without source is an emptyDir. */
function volumeDefaults(volume: LooseVolume): LooseVolume {
  const { name: _name, ...sources } = volume;
  if (Object.keys(sources).length === 0) return { ...volume, emptyDir: {} };
  const { secret, configMap, downwardAPI, projected, hostPath, ephemeral, image } = volume;
  return omitUndefined({
    ...volume,
    secret: secret === undefined ? undefined : { ...secret, defaultMode: secret.defaultMode ?? FILE_MODE },
    configMap: configMap === undefined ? undefined : { ...configMap, defaultMode: configMap.defaultMode ?? FILE_MODE },
    downwardAPI:
      downwardAPI === undefined
        ? undefined
        : omitUndefined({
            ...downwardAPI,
            items: downwardAPI.items?.map((item) => ({ ...item, ...selectorDefaults(item) })),
            defaultMode: downwardAPI.defaultMode ?? FILE_MODE,
          }),
    projected: projected === undefined ? undefined : projectedDefaults(projected),
    hostPath: hostPath === undefined ? undefined : { ...hostPath, type: hostPath.type ?? "" },
    ephemeral:
      ephemeral?.volumeClaimTemplate === undefined
        ? ephemeral
        : { ...ephemeral, volumeClaimTemplate: claimTemplateDefaults(ephemeral.volumeClaimTemplate) },
    image:
      image === undefined
        ? undefined
        : { ...image, pullPolicy: defaultIfEmpty(image.pullPolicy, defaultPullPolicy(image.reference)) },
  });
}

function projectedDefaults(projected: NonNullable<LooseVolume["projected"]>): NonNullable<LooseVolume["projected"]> {
  const sources = projected.sources?.map((source) => {
    const { serviceAccountToken: token, downwardAPI } = source;
    return omitUndefined({
      ...source,
      serviceAccountToken:
        token === undefined ? undefined : { ...token, expirationSeconds: token.expirationSeconds ?? TOKEN_SECONDS },
      downwardAPI:
        downwardAPI?.items === undefined
          ? downwardAPI
          : { items: downwardAPI.items.map((item) => ({ ...item, ...selectorDefaults(item) })) },
    });
  });
  return omitUndefined({ ...projected, sources, defaultMode: projected.defaultMode ?? FILE_MODE });
}

type ClaimTemplate = NonNullable<NonNullable<LooseVolume["ephemeral"]>["volumeClaimTemplate"]>;

function claimTemplateDefaults(template: ClaimTemplate): ClaimTemplate {
  return { ...template, metadata: template.metadata ?? {}, spec: claimSpecDefaults(template.spec) };
}

/** Applies the defaults of a claim spec. */
export function claimSpecDefaults(spec: ClaimTemplate["spec"] = {}): NonNullable<ClaimTemplate["spec"]> {
  return { ...spec, resources: spec.resources ?? {}, volumeMode: spec.volumeMode ?? "Filesystem" };
}
