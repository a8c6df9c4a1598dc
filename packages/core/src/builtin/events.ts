import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import { builtIn, int32, optional, s, text, time } from "./field.ts";
import { objectReference } from "./reference.ts";

const eventSourceFields = { component: text("The program."), host: text("The node it runs on.") };

/** Who saw it. */
export interface EventSource extends ObjectIn<typeof eventSourceFields> {}

/** The schema of `EventSource`. */
export const eventSource: ObjectSchema<EventSource, EventSource> = s.object(eventSourceFields);

/** Something that happened to an object. */
export const Event = builtIn({
  group: "",
  version: "v1",
  kind: "Event",
  description: "Something that happened to an object.",
  shortNames: ["ev"],
  fields: {
    involvedObject: objectReference.describe("The object it happened to."),
    reason: text("What happened, in one word."),
    message: text("What happened, for people."),
    type: text("Normal or Warning."),
    source: optional(eventSource, "Who saw it."),
    firstTimestamp: s.dateTime().describe("When it happened first.").nullable().optional(),
    lastTimestamp: s.dateTime().describe("When it happened last.").nullable().optional(),
    count: int32("How often it happened."),
    eventTime: s.dateTime().describe("When it happened first, to the microsecond.").nullable().optional(),
    series: optional(
      s.object({ count: int32("How often so far."), lastObservedTime: time("When last.") }),
      "That it keeps happening.",
    ),
    action: text("What was being done."),
    related: optional(objectReference, "Another object that has to do with it."),
    reportingComponent: s.string().describe("Program that reports it, such as example.com/operator.").default(""),
    reportingInstance: s.string().describe("Instance of that program.").default(""),
  },
});

/** Something that happened to an object, as events.k8s.io has it. */
export const EventV1 = builtIn({
  group: "events.k8s.io",
  version: "v1",
  kind: "Event",
  description: "Something that happened to an object, as events.k8s.io has it.",
  shortNames: ["ev"],
  fields: {
    eventTime: s.dateTime().describe("When it happened first, to the microsecond.").nullable(),
    regarding: optional(objectReference, "The object it happened to."),
    related: optional(objectReference, "Another object that has to do with it."),
    reason: text("What happened, in one word."),
    action: text("What was being done."),
    note: text("What happened, for people."),
    type: text("Normal or Warning."),
    series: optional(
      s.object({
        count: s.int32().describe("How often so far."),
        lastObservedTime: s.dateTime().describe("When last."),
      }),
      "That it keeps happening.",
    ),
    reportingController: text("Program that reports it, such as example.com/operator."),
    reportingInstance: text("Instance of that program."),
    deprecatedCount: int32("How often, in the older form."),
    deprecatedFirstTimestamp: s.dateTime().describe("When first, in the older form.").nullable().optional(),
    deprecatedLastTimestamp: s.dateTime().describe("When last, in the older form.").nullable().optional(),
    deprecatedSource: optional(eventSource, "Who saw it, in the older form."),
  },
});
