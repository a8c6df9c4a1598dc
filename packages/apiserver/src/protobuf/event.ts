import { objectMeta, objectReference } from "./meta.ts";
import { kept, message, one } from "./table.ts";
import type { Message } from "./table.ts";

const eventSource: Message = message({ component: one("string", 1), host: one("string", 2) });

export const event: Message = message({
  metadata: one(objectMeta, 1),
  involvedObject: one(objectReference, 2),
  reason: one("string", 3),
  message: one("string", 4),
  source: one(eventSource, 5),
  firstTimestamp: one("time", 6),
  lastTimestamp: one("time", 7),
  count: one("int32", 8),
  type: one("string", 9),
  eventTime: one("microTime", 10),
  series: one(message({ count: one("int32", 1), lastObservedTime: one("microTime", 2) }), 11),
  action: one("string", 12),
  related: one(objectReference, 13),
  reportingComponent: kept("string", 14),
  reportingInstance: kept("string", 15),
});

export const newEvent: Message = message({
  metadata: one(objectMeta, 1),
  eventTime: one("microTime", 2),
  series: one(message({ count: kept("int32", 1), lastObservedTime: one("microTime", 2) }), 3),
  reportingController: one("string", 4),
  reportingInstance: one("string", 5),
  action: one("string", 6),
  reason: one("string", 7),
  regarding: one(objectReference, 8),
  related: one(objectReference, 9),
  note: one("string", 10),
  type: one("string", 11),
  deprecatedSource: one(eventSource, 12),
  deprecatedFirstTimestamp: one("time", 13),
  deprecatedLastTimestamp: one("time", 14),
  deprecatedCount: one("int32", 15),
});
