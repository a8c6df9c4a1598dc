import type { Container, EnvVar, LifecycleHandler, PodSpec, PodTemplateSpec, Probe, Volume } from "@levelset/core";
import { isBlank } from "../check.ts";
import { present } from "../loose.ts";
import type { Loose } from "../loose.ts";
import { defaultPullPolicy } from "./image.ts";

/** What the real server fills into pods, and into the templates of those that make pods. */

type LooseContainer = Loose<Container>;
type LooseVolume = Loose<Volume>;

const FILE_MODE = 0o644;
const TOKEN_SECONDS = 3_600;
const GRACE_SECONDS = 30;

/** A text, or what stands for an absent one. */
export function or(text: string | undefined, fallback: string): string {
  return isBlank(text) ? fallback : text;
}

/** A pod's spec with everything that its values imply. */
export function podSpecDefaults(spec: Loose<PodSpec> = {}): Loose<PodSpec> {
  const account = isBlank(spec.serviceAccountName) ? spec.serviceAccount : spec.serviceAccountName;
  return present({
    ...spec,
    containers: spec.containers?.map(containerDefaults),
    initContainers: spec.initContainers?.map(containerDefaults),
    ephemeralContainers: spec.ephemeralContainers?.map(containerDefaults),
    volumes: spec.volumes?.map(volumeDefaults),
    restartPolicy: or(spec.restartPolicy, "Always"),
    dnsPolicy: or(spec.dnsPolicy, "ClusterFirst"),
    schedulerName: or(spec.schedulerName, "default-scheduler"),
    securityContext: spec.securityContext ?? {},
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? GRACE_SECONDS,
    serviceAccountName: account,
    serviceAccount: account,
  });
}

/** A template of pods with everything that its values imply. */
export function templateDefaults(template: Loose<PodTemplateSpec> = {}): Loose<PodTemplateSpec> {
  return { ...template, metadata: template.metadata ?? {}, spec: podSpecDefaults(template.spec) };
}

/** What only pods get, not templates: requests from limits, and the node's ports with the node's network. */
export function podOnlyDefaults(spec: Loose<PodSpec>): Loose<PodSpec> {
  const own = (container: LooseContainer): LooseContainer => {
    const requesting = withRequests(container);
    return spec.hostNetwork === true ? withHostPorts(requesting) : requesting;
  };
  return present({
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
    ports: ports.map((port) => present({ ...port, hostPort: port.hostPort ?? port.containerPort })),
  };
}

function containerDefaults(container: LooseContainer): LooseContainer {
  return present({
    ...container,
    env: container.env?.map(envDefaults),
    resources: container.resources ?? {},
    imagePullPolicy: or(container.imagePullPolicy, defaultPullPolicy(container.image)),
    terminationMessagePath: or(container.terminationMessagePath, "/dev/termination-log"),
    terminationMessagePolicy: or(container.terminationMessagePolicy, "File"),
    livenessProbe: probeDefaults(container.livenessProbe),
    readinessProbe: probeDefaults(container.readinessProbe),
    startupProbe: probeDefaults(container.startupProbe),
    lifecycle:
      container.lifecycle === undefined
        ? undefined
        : present({
            ...container.lifecycle,
            postStart: handlerDefaults(container.lifecycle.postStart),
            preStop: handlerDefaults(container.lifecycle.preStop),
          }),
  });
}

function envDefaults(variable: Loose<EnvVar>): Loose<EnvVar> {
  const { valueFrom } = variable;
  if (valueFrom === undefined) return variable;
  return { ...variable, valueFrom: present({ ...valueFrom, ...selectorDefaults(valueFrom) }) };
}

/** Selectors of fields say which version of the API they mean, those of amounts in which unit. */
function selectorDefaults(
  from: Pick<NonNullable<Loose<EnvVar>["valueFrom"]>, "fieldRef" | "resourceFieldRef">,
): object {
  const { fieldRef, resourceFieldRef } = from;
  return {
    ...(fieldRef === undefined ? {} : { fieldRef: { ...fieldRef, apiVersion: or(fieldRef.apiVersion, "v1") } }),
    ...(resourceFieldRef === undefined
      ? {}
      : { resourceFieldRef: { ...resourceFieldRef, divisor: resourceFieldRef.divisor ?? "0" } }),
  };
}

function probeDefaults(probe: Loose<Probe> | undefined): Loose<Probe> | undefined {
  if (probe === undefined) return undefined;
  return present({
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

function handlerDefaults<T extends Loose<LifecycleHandler> | undefined>(handler: T): T {
  if (handler?.httpGet === undefined) return handler;
  const { httpGet } = handler;
  return { ...handler, httpGet: { ...httpGet, path: or(httpGet.path, "/"), scheme: or(httpGet.scheme, "HTTP") } };
}

/** A volume's sources with their modes; a volume without any is an empty directory. */
function volumeDefaults(volume: LooseVolume): LooseVolume {
  const { name: _name, ...sources } = volume;
  if (Object.keys(sources).length === 0) return { ...volume, emptyDir: {} };
  const { secret, configMap, downwardAPI, projected, hostPath, ephemeral, image } = volume;
  return present({
    ...volume,
    secret: secret === undefined ? undefined : { ...secret, defaultMode: secret.defaultMode ?? FILE_MODE },
    configMap: configMap === undefined ? undefined : { ...configMap, defaultMode: configMap.defaultMode ?? FILE_MODE },
    downwardAPI:
      downwardAPI === undefined
        ? undefined
        : present({
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
        : { ...image, pullPolicy: or(image.pullPolicy, defaultPullPolicy(image.reference)) },
  });
}

function projectedDefaults(projected: NonNullable<LooseVolume["projected"]>): NonNullable<LooseVolume["projected"]> {
  const sources = projected.sources?.map((source) => {
    const { serviceAccountToken: token, downwardAPI } = source;
    return present({
      ...source,
      serviceAccountToken:
        token === undefined ? undefined : { ...token, expirationSeconds: token.expirationSeconds ?? TOKEN_SECONDS },
      downwardAPI:
        downwardAPI?.items === undefined
          ? downwardAPI
          : { items: downwardAPI.items.map((item) => ({ ...item, ...selectorDefaults(item) })) },
    });
  });
  return present({ ...projected, sources, defaultMode: projected.defaultMode ?? FILE_MODE });
}

type ClaimTemplate = NonNullable<NonNullable<LooseVolume["ephemeral"]>["volumeClaimTemplate"]>;

function claimTemplateDefaults(template: ClaimTemplate): ClaimTemplate {
  return { ...template, metadata: template.metadata ?? {}, spec: claimSpecDefaults(template.spec) };
}

/** What a claim's spec implies. */
export function claimSpecDefaults(spec: ClaimTemplate["spec"] = {}): NonNullable<ClaimTemplate["spec"]> {
  return { ...spec, resources: spec.resources ?? {}, volumeMode: spec.volumeMode ?? "Filesystem" };
}
