import { builtIn, s, int32, optional, optionalString } from "../field-builders.ts";
import { objectReference } from "../core/reference.ts";
import { eventSource } from "../core/event.ts";

/** An event about an object, in the events.k8s.io API. */
export const EventV1 = builtIn({
  group: "events.k8s.io",
  version: "v1",
  kind: "Event",
  description: "An event about an object, in the form of events.k8s.io.",
  shortNames: ["ev"],
  fields: {
    eventTime: s.dateTime().describe("When it first occurred, with microseconds.").nullable(),
    regarding: optional(objectReference, "The object that the event is about."),
    related: optional(objectReference, "A related object."),
    reason: optionalString("Machine-readable reason."),
    action: optionalString("The action that was taken or failed."),
    note: optionalString("Human-readable message."),
    type: optionalString("Normal or Warning."),
    series: optional(
      s.object({
        count: s.int32().describe("Number of occurrences."),
        lastObservedTime: s.dateTime().describe("When it last occurred."),
      }),
      "Set if the event is repeated.",
    ),
    reportingController: optionalString("Program that reports it, such as example.com/operator."),
    reportingInstance: optionalString("Instance of that program."),
    deprecatedCount: int32("Number of occurrences; deprecated."),
    deprecatedFirstTimestamp: s.dateTime().describe("When it first occurred; deprecated.").nullable().optional(),
    deprecatedLastTimestamp: s.dateTime().describe("When it last occurred; deprecated.").nullable().optional(),
    deprecatedSource: optional(eventSource, "The reporting component; deprecated."),
  },
});
