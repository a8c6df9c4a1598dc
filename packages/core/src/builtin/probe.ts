import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import { choice, given, int32, int64, optional, s, text, texts } from "./field.ts";

const execActionFields = { command: texts("The program and its arguments; no shell is involved.") };

/** A command that is run inside a container. */
export interface ExecAction extends ObjectIn<typeof execActionFields> {}

/** The schema of `ExecAction`. */
export const execAction: ObjectSchema<ExecAction, ExecAction> = s.object(execActionFields);

const httpGetActionFields = {
  host: text("Where to connect; the pod's address unless given."),
  port: s.intOrString().describe("Number or name of the container's port."),
  path: text("Path of the request."),
  scheme: choice("HTTP unless given.", "HTTP", "HTTPS"),
  httpHeaders: optional(
    s
      .array(
        s.object({
          name: given("Name of the header."),
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
  host: text("Where to connect; the pod's address unless given."),
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
  periodSeconds: int32("Seconds between checks; 10 unless given."),
  timeoutSeconds: int32("Seconds until a check counts as failed; 1 unless given."),
  successThreshold: int32("Passes in a row after which a failed probe passes; 1 unless given."),
  failureThreshold: int32("Failures in a row after which the probe fails; 3 unless given."),
  terminationGracePeriodSeconds: int64("Seconds to stop in after a failure, instead of the pod's own."),
};

/** A check that the node repeats while a container runs. Exactly one of its actions is given. */
export interface Probe extends ObjectIn<typeof probeFields> {}

/** The schema of `Probe`. */
export const probe: ObjectSchema<Probe, Probe> = s.object(probeFields);

const lifecycleHandlerFields = {
  exec: optional(execAction, "Runs a command in the container."),
  httpGet: optional(httpGetAction, "Sends a request to the container."),
  sleep: optional(s.object({ seconds: s.int64().describe("How long.") }), "Waits."),
  tcpSocket: optional(tcpSocketAction, "Obsolete; kept for old objects."),
};

/** What happens at a turn in a container's life. Exactly one action is given. */
export interface LifecycleHandler extends ObjectIn<typeof lifecycleHandlerFields> {}

/** The schema of `LifecycleHandler`. */
export const lifecycleHandler: ObjectSchema<LifecycleHandler, LifecycleHandler> = s.object(lifecycleHandlerFields);

const lifecycleFields = {
  postStart: optional(lifecycleHandler, "Right after the start; the container is killed if it fails."),
  preStop: optional(lifecycleHandler, "Before a stop that was asked for; counts towards the grace period."),
  stopSignal: text("The signal that asks the container to stop, such as SIGTERM."),
};

/** Hooks into the life of a container. */
export interface Lifecycle extends ObjectIn<typeof lifecycleFields> {}

/** The schema of `Lifecycle`. */
export const lifecycle: ObjectSchema<Lifecycle, Lifecycle> = s.object(lifecycleFields);
