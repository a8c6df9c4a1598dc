import { isJsonObject } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { RejectedMessage } from "../../broker/index.ts";
import type { CloudEvent } from "../../broker/index.ts";

/** What a message asks an adapter to look at. */
export interface Pulse {
  /** The id of the fleet's resource. */
  readonly id: string;
  /** The generation that the message was sent for; 0 if it does not say. */
  readonly generation: number;
  /** All of the message's data. */
  readonly data: JsonObject;
  /** Present if not a message but a change of what the adapter applied asks for a run. */
  readonly trigger?: "change";
}

/** Reads a message. One that names no resource never will: it throws a RejectedMessage. */
export function readPulse({ data }: CloudEvent): Pulse {
  if (!isJsonObject(data)) throw new RejectedMessage("the data is no object");
  const { id, generation } = data;
  if (typeof id !== "string" || id === "") throw new RejectedMessage("data.id must name the resource");
  return { id, generation: typeof generation === "number" ? generation : 0, data };
}
