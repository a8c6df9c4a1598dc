import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import { builtIn, s, int32, optional, optionalString, optionalTime } from "../field-builders.ts";
import { objectReference } from "./reference.ts";

const eventSourceFields = { component: optionalString("The program."), host: optionalString("The node it runs on.") };

/** The component that reported an event. */
export interface EventSource extends ObjectIn<typeof eventSourceFields> {}

/** The schema of `EventSource`. */
export const eventSource: ObjectSchema<EventSource, EventSource> = s.object(eventSourceFields);

/** An event about an object. */
export const Event = builtIn({
  group: "",
  version: "v1",
  kind: "Event",
  description: "An event about an object.",
  shortNames: ["ev"],
  fields: {
    involvedObject: objectReference.describe("The object that the event is about."),
    reason: optionalString("Machine-readable reason."),
    message: optionalString("Human-readable message."),
    type: optionalString("Normal or Warning."),
    source: optional(eventSource, "The reporting component."),
    firstTimestamp: s.dateTime().describe("When it first occurred.").nullable().optional(),
    lastTimestamp: s.dateTime().describe("When it last occurred.").nullable().optional(),
    count: int32("Number of occurrences."),
    eventTime: s.dateTime().describe("When it first occurred, with microseconds.").nullable().optional(),
    series: optional(
      s.object({ count: int32("Number of occurrences."), lastObservedTime: optionalTime("When it last occurred.") }),
      "Set if the event is repeated.",
    ),
    action: optionalString("The action that was taken or failed."),
    related: optional(objectReference, "A related object."),
    reportingComponent: s.string().describe("Program that reports it, such as example.com/operator.").default(""),
    reportingInstance: s.string().describe("Instance of that program.").default(""),
  },
});
