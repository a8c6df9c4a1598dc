import { REDACTED, SecretRedactor } from "@levelset/core/internal";
import type { JsonObject, JsonValue, Logger } from "@levelset/core";
import { TemplateError } from "../template/index.ts";
import type { TemplateWorld } from "../template/index.ts";
import type { OwnerInfo, Transport } from "../transport/index.ts";
import type { ApiCaller, ApiCallResponse } from "./api-caller.ts";
import { ApiCallError } from "./api-caller.ts";
import type { ApiCall, LogTemplate } from "../task/index.ts";
import type { Variables } from "./variables.ts";
import { PhaseError } from "./phase-error.ts";
import type { TaskPhase } from "./phase-error.ts";
import { Renderer } from "./render.ts";
import type { ParseYaml } from "./render.ts";
import { RunTrace } from "./trace.ts";

/** Dependencies of a run. */
export interface RunWorld {
  readonly api: ApiCaller;
  /** Available transports by kind. */
  readonly transports: Readonly<Partial<Record<Transport["kind"], Transport>>>;
  readonly template: TemplateWorld;
  readonly parseYaml: ParseYaml;
  /** Reads a file named by a param. Rejects if it cannot be read. */
  readonly readFile: (path: string) => Promise<string>;
  /** Only the environment variables that the configuration names. */
  readonly env: Readonly<Record<string, string>>;
  readonly logger: Logger;
}

/** State of one run: variables and results. */
export class RunContext {
  readonly world: RunWorld;
  readonly variables: Variables;
  readonly trace: RunTrace;
  // Shorter values are words such as `true` and `prod`; redacting them would hide half of the text.
  readonly secrets: SecretRedactor = new SecretRedactor({ mask: REDACTED, lengthMin: 6 });
  readonly signal: AbortSignal;
  /** Live objects of the resources, by name. */
  readonly resources: Record<string, JsonObject> = {};
  /** Names of the resources that this run applied. */
  readonly applied: Set<string> = new Set();

  constructor(world: RunWorld, variables: Variables, event: JsonValue, signal: AbortSignal) {
    this.world = world;
    this.variables = variables;
    this.trace = new RunTrace(event, this.secrets);
    this.signal = signal;
    // Environment values may be credentials.
    for (const value of Object.values(world.env)) this.secrets.add(value);
  }

  /** Owner recorded on everything that this run applies. */
  get owner(): OwnerInfo {
    const [adapter, id, generation, kind] = [
      ["adapter", "name"],
      ["event", "id"],
      ["event", "generation"],
      ["event", "kind"],
    ].map((path) => this.variables.find(path));
    return {
      adapter: typeof adapter === "string" ? adapter : "",
      resourceId: typeof id === "string" ? id : "",
      generation: typeof generation === "number" ? generation : undefined,
      resourceKind: typeof kind === "string" && kind !== "" ? kind : undefined,
    };
  }

  /** Renderer with the current variables. */
  get renderer(): Renderer {
    return new Renderer(this.variables, this.world.template);
  }

  /** Sends a request as a step of a phase. Rejects with a PhaseError. */
  async call(phase: TaskPhase, step: string, call: ApiCall): Promise<ApiCallResponse> {
    try {
      return await this.world.api.call(call, this.renderer, this.signal, (record) => {
        this.trace.apiRequests.push(record);
      });
    } catch (error) {
      if (!(error instanceof ApiCallError)) throw error;
      const { message, isTransient, isFleet } = error;
      // Only the fleet API can report that the resource of the pulse is gone; for a task resource its own API can.
      const isNotFound = error.isNotFound && (isFleet || phase === "resources");
      // The fleet API rejects mistakes of the configuration; the API of a resource rejects the requested spec.
      const means = error.isRefusal && phase === "resources" ? "failed" : "undetermined";
      throw new PhaseError(phase, step, message, { isTransient, isNotFound, means });
    }
  }

  /** Logs a line of the task. A line that cannot be rendered does not fail the run. */
  log(line: LogTemplate | undefined, step: string): void {
    if (line === undefined) return;
    const { logger } = this.world;
    try {
      logger[line.level](this.renderer.text(line.message), { step });
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      logger.warn("log message cannot be rendered", { step, err: this.secrets.redactText(error.message) });
    }
  }
}
