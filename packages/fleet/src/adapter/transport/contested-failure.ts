import type { JsonObject } from "@levelset/core";
import { TransportFailure } from "./transport-failure.ts";

/** Another client keeps undoing what is applied, so the next write waits. */
export class ContestedFailure extends TransportFailure {
  /** The object that is there; undefined where the other client deleted it. */
  readonly live: JsonObject | undefined;

  constructor(message: string, live: JsonObject | undefined) {
    super(message, true, { means: "failed" });
    this.live = live;
  }
}
