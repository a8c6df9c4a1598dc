import { isJsonObject } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { RejectedMessageError } from "../../broker/index.ts";
import type { CloudEvent } from "../../broker/index.ts";

/** A message that asks an adapter to reconcile a resource. */
export interface Pulse {
  /** ID of the fleet resource. */
  readonly id: string;
  /** Generation for which the message was sent; 0 if absent. */
  readonly generation: number;
  /** Complete data of the message. */
  readonly data: JsonObject;
  /** Present if the run was triggered by a change of an applied object, not by a message. */
  readonly trigger?: "change";
}

/** Parses a message. Throws a RejectedMessageError if it names no resource, since redelivery cannot help. */
export function parsePulse({ data }: CloudEvent): Pulse {
  if (!isJsonObject(data)) throw new RejectedMessageError("the data is not an object");
  const { id, generation } = data;
  if (typeof id !== "string" || id === "") throw new RejectedMessageError("data.id must name the resource");
  return { id, generation: typeof generation === "number" ? generation : 0, data };
}
