import type { JsonObject, JsonValue, Logger } from "@levelset/core";
import { TemplateError } from "../template/index.ts";
import type { TemplateWorld } from "../template/index.ts";
import type { Mark, Transport } from "../transport/index.ts";
import type { ApiCaller, ApiAnswer } from "./api-caller.ts";
import { ApiFailure } from "./api-caller.ts";
import type { ApiCall, LogLine } from "../task/index.ts";
import type { Known } from "./known.ts";
import { PhaseError } from "./phase-error.ts";
import type { Phase } from "./phase-error.ts";
import { Renderer } from "./render.ts";
import type { ParseYaml } from "./render.ts";
import { Secrets } from "./secrets.ts";
import { RunTrace } from "./trace.ts";

/** What a run works with. */
export interface RunWorld {
  readonly api: ApiCaller;
  /** The transports there are, by their kind. */
  readonly transports: Readonly<Partial<Record<Transport["kind"], Transport>>>;
  readonly template: TemplateWorld;
  readonly parseYaml: ParseYaml;
  /** Reads a file that a param names. Rejects if it cannot be read. */
  readonly readFile: (path: string) => Promise<string>;
  /** The environment variables that the configuration names, and no others. */
  readonly env: Readonly<Record<string, string>>;
  readonly logger: Logger;
}

/** One run: what it knows, what it did. */
export class RunContext {
  readonly world: RunWorld;
  readonly known: Known;
  readonly trace: RunTrace;
  readonly secrets: Secrets = new Secrets();
  readonly signal: AbortSignal;
  /** The live objects of the resources, by name. */
  readonly resources: Record<string, JsonObject> = {};
  /** The resources that this run has applied, by name. */
  readonly applied: Set<string> = new Set();

  constructor(world: RunWorld, known: Known, event: JsonValue, signal: AbortSignal) {
    this.world = world;
    this.known = known;
    this.trace = new RunTrace(event, this.secrets);
    this.signal = signal;
    // What comes from the environment may well be a credential.
    for (const value of Object.values(world.env)) this.secrets.hide(value);
  }

  /** For whom this run keeps what it applies. */
  get mark(): Mark {
    const [adapter, id, generation, kind] = [
      ["adapter", "name"],
      ["event", "id"],
      ["event", "generation"],
      ["event", "kind"],
    ].map((path) => this.known.find(path));
    return {
      adapter: typeof adapter === "string" ? adapter : "",
      resourceId: typeof id === "string" ? id : "",
      generation: typeof generation === "number" ? generation : undefined,
      resourceKind: typeof kind === "string" && kind !== "" ? kind : undefined,
    };
  }

  /** With what is known now. */
  get renderer(): Renderer {
    return new Renderer(this.known, this.world.template);
  }

  /** Sends a request as a step of a phase. */
  async call(phase: Phase, step: string, call: ApiCall): Promise<ApiAnswer> {
    try {
      return await this.world.api.call(call, this.renderer, this.signal, (record) => {
        this.trace.apiRequests.push(record);
      });
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      const { message, isTransient, isFleet } = error;
      // Only the fleet's API can say that the resource of the pulse is gone; of a resource of ours, whoever keeps it.
      const isNotFound = error.isNotFound && (isFleet || phase === "resources");
      // The fleet's API refuses what the configuration got wrong; that of a resource, what the spec asks for.
      const means = error.isRefusal && phase === "resources" ? "failed" : "unjudged";
      throw new PhaseError(phase, step, message, { isTransient, isNotFound, means });
    }
  }

  /** Logs a line of the task. A line that cannot be rendered is no failure of the run. */
  log(line: LogLine | undefined, step: string): void {
    if (line === undefined) return;
    const { logger } = this.world;
    try {
      logger[line.level](this.renderer.text(line.message), { step });
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      logger.warn("log message cannot be rendered", { step, err: this.secrets.withoutIn(error.message) });
    }
  }
}
