import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import {
  s,
  optionalEnum,
  requiredString,
  int32,
  int64,
  optional,
  optionalString,
  optionalStrings,
} from "../field-builders.ts";

const execActionFields = { command: optionalStrings("The program and its arguments; no shell is involved.") };

/** A command that is run inside a container. */
export interface ExecAction extends ObjectIn<typeof execActionFields> {}

/** The schema of `ExecAction`. */
export const execAction: ObjectSchema<ExecAction, ExecAction> = s.object(execActionFields);

const httpGetActionFields = {
  host: optionalString("Host name to connect to; defaults to the pod's address."),
  port: s.intOrString().describe("Number or name of the container's port."),
  path: optionalString("Path of the request."),
  scheme: optionalEnum("Defaults to HTTP.", "HTTP", "HTTPS"),
  httpHeaders: optional(
    s
      .array(
        s.object({
          name: requiredString("Name of the header."),
          value: s.string().describe("Value of the header.").default(""),
        }),
      )
      .atomic(),
    "Headers to send along.",
  ),
};

/** An HTTP request to a container. */
export interface HttpGetAction extends ObjectIn<typeof httpGetActionFields> {}

/** The schema of `HttpGetAction`. */
export const httpGetAction: ObjectSchema<HttpGetAction, HttpGetAction> = s.object(httpGetActionFields);

const tcpSocketActionFields = {
  host: optionalString("Host name to connect to; defaults to the pod's address."),
  port: s.intOrString().describe("Number or name of the container's port."),
};

/** A connection attempt to a container. */
export interface TcpSocketAction extends ObjectIn<typeof tcpSocketActionFields> {}

/** The schema of `TcpSocketAction`. */
export const tcpSocketAction: ObjectSchema<TcpSocketAction, TcpSocketAction> = s.object(tcpSocketActionFields);

const probeFields = {
  exec: optional(execAction, "A command; exit code 0 passes."),
  httpGet: optional(httpGetAction, "A request; status 200 to 399 passes."),
  tcpSocket: optional(tcpSocketAction, "A connection; being accepted passes."),
  grpc: optional(
    s.object({
      port: s.int32().describe("Number of the port."),
      service: s.string().describe("The service name to put into the health request.").default(""),
    }),
    "A call of the gRPC health service; SERVING passes.",
  ),
  initialDelaySeconds: int32("Seconds from the start of the container to the first check."),
  periodSeconds: int32("Seconds between checks; defaults to 10."),
  timeoutSeconds: int32("Seconds until a check counts as failed; defaults to 1."),
  successThreshold: int32("Consecutive successes after which a failed probe passes; defaults to 1."),
  failureThreshold: int32("Consecutive failures after which the probe fails; defaults to 3."),
  terminationGracePeriodSeconds: int64("Grace period in seconds after a probe failure; overrides that of the pod."),
};

/** A check that the kubelet repeats while a container runs. Exactly one action is set. */
export interface Probe extends ObjectIn<typeof probeFields> {}

/** The schema of `Probe`. */
export const probe: ObjectSchema<Probe, Probe> = s.object(probeFields);

const lifecycleHandlerFields = {
  exec: optional(execAction, "Runs a command in the container."),
  httpGet: optional(httpGetAction, "Sends a request to the container."),
  sleep: optional(s.object({ seconds: s.int64().describe("Number of seconds.") }), "Sleeps."),
  tcpSocket: optional(tcpSocketAction, "Deprecated."),
};

/** Action of a lifecycle hook. Exactly one is set. */
export interface LifecycleHandler extends ObjectIn<typeof lifecycleHandlerFields> {}

/** The schema of `LifecycleHandler`. */
export const lifecycleHandler: ObjectSchema<LifecycleHandler, LifecycleHandler> = s.object(lifecycleHandlerFields);

const lifecycleFields = {
  postStart: optional(lifecycleHandler, "Hook after the start; the container is killed if it fails."),
  preStop: optional(lifecycleHandler, "Hook before the container is stopped; counts towards the grace period."),
  stopSignal: optionalString("Stop signal of the container, such as SIGTERM."),
};

/** Lifecycle hooks of a container. */
export interface Lifecycle extends ObjectIn<typeof lifecycleFields> {}

/** The schema of `Lifecycle`. */
export const lifecycle: ObjectSchema<Lifecycle, Lifecycle> = s.object(lifecycleFields);
