import type { JsonObject } from "@levelset/core";
import { AdapterTransportError } from "./adapter-transport-error.ts";

/** Another client keeps reverting what is applied, so the next write is delayed. */
export class ContestedObjectError extends AdapterTransportError {
  /** The live object; undefined if the other client deleted it. */
  readonly live: JsonObject | undefined;

  constructor(message: string, live: JsonObject | undefined) {
    super(message, true, { means: "failed" });
    this.live = live;
  }
}
