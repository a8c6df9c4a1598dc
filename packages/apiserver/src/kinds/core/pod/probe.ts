import type { Lifecycle, LifecycleHandler, Probe } from "@levelset/core";
import { forbiddenField, invalidField, requiredField } from "../../../resource/index.ts";
import {
  requiredStringErrors,
  nonNegativeErrors,
  optionalEnumErrors,
  portErrors,
  stringErrors,
} from "../../field-checks.ts";
import type { FieldErrors } from "../../field-checks.ts";
import type { Unvalidated } from "../../unvalidated.ts";

/** The probes of a container. */
export type ProbeRole = "livenessProbe" | "readinessProbe" | "startupProbe";

/** Actions of probes and lifecycle hooks. */
type Handler = Unvalidated<LifecycleHandler> & Pick<Unvalidated<Probe>, "grpc">;

/**
 * Validates a probe. Only readiness probes can have a successThreshold above 1, and no terminationGracePeriodSeconds.
 */
export function* probeErrors(path: string, role: ProbeRole, probe: Unvalidated<Probe>): FieldErrors {
  yield* handlerErrors(path, probe, undefined);
  yield* nonNegativeErrors(`${path}.initialDelaySeconds`, probe.initialDelaySeconds);
  yield* nonNegativeErrors(`${path}.timeoutSeconds`, probe.timeoutSeconds);
  yield* nonNegativeErrors(`${path}.periodSeconds`, probe.periodSeconds);
  yield* nonNegativeErrors(`${path}.successThreshold`, probe.successThreshold);
  yield* nonNegativeErrors(`${path}.failureThreshold`, probe.failureThreshold);
  const { terminationGracePeriodSeconds: grace, successThreshold } = probe;
  if (grace !== undefined && grace <= 0) {
    yield invalidField(`${path}.terminationGracePeriodSeconds`, grace, "must be greater than 0");
  }
  if (role !== "readinessProbe") {
    if (successThreshold !== 1) yield invalidField(`${path}.successThreshold`, successThreshold, "must be 1");
  } else if (grace !== undefined) {
    yield invalidField(`${path}.terminationGracePeriodSeconds`, grace, "must not be set for readinessProbes");
  }
}

/** Validates the lifecycle hooks of a container. */
export function* lifecycleErrors(
  path: string,
  lifecycle: Unvalidated<Lifecycle>,
  grace: number | bigint,
  os: string | undefined,
): FieldErrors {
  const { postStart, preStop, stopSignal } = lifecycle;
  if (postStart !== undefined) yield* handlerErrors(`${path}.postStart`, postStart, grace);
  if (preStop !== undefined) yield* handlerErrors(`${path}.preStop`, preStop, grace);
  if (stopSignal !== undefined && os === undefined) {
    yield forbiddenField(`${path}.stopSignal`, "may not be set for containers with empty `spec.os.name`");
  }
}

function* handlerErrors(path: string, handler: Handler, grace: number | bigint | undefined): FieldErrors {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler;
  const checks: readonly (readonly [string, (path: string) => FieldErrors])[] = [
    ...(exec === undefined ? [] : [["exec", (at: string) => execErrors(at, exec)] as const]),
    ...(httpGet === undefined ? [] : [["httpGet", (at: string) => httpGetErrors(at, httpGet)] as const]),
    ...(tcpSocket === undefined
      ? []
      : [["tcpSocket", (at: string) => portErrors(`${at}.port`, tcpSocket.port)] as const]),
    ...(grpc === undefined ? [] : [["grpc", (at: string) => portErrors(`${at}.port`, grpc.port)] as const]),
    ...(sleep === undefined ? [] : [["sleep", (at: string) => sleepErrors(at, sleep.seconds ?? 0, grace)] as const]),
  ];
  if (checks.length === 0) yield requiredField(path, "must specify a handler type");
  for (const [index, [type, check]] of checks.entries()) {
    if (index > 0) yield forbiddenField(`${path}.${type}`, "may not specify more than 1 handler type");
    else yield* check(`${path}.${type}`);
  }
}

function* execErrors(path: string, { command }: NonNullable<Handler["exec"]>): FieldErrors {
  if (command === undefined || command.length === 0) yield requiredField(`${path}.command`);
}

function* httpGetErrors(path: string, action: NonNullable<Handler["httpGet"]>): FieldErrors {
  yield* requiredStringErrors(`${path}.path`, action.path);
  yield* portErrors(`${path}.port`, action.port);
  yield* optionalEnumErrors(`${path}.scheme`, action.scheme, ["HTTP", "HTTPS"]);
  for (const { name = "" } of action.httpHeaders ?? []) {
    yield* stringErrors(`${path}.httpHeaders`, name, headerProblems);
  }
}

function headerProblems(name: string): readonly string[] {
  if (/^[-A-Za-z0-9]+$/u.test(name)) return [];
  const example = "(e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";
  return [`a valid HTTP header must consist of alphanumeric characters or '-' ${example}`];
}

function* sleepErrors(path: string, seconds: number | bigint, grace: number | bigint | undefined): FieldErrors {
  if (grace === undefined || (seconds >= 0 && seconds <= grace)) return;
  yield invalidField(path, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${grace})`);
}
