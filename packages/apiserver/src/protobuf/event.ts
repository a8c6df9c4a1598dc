import { objectMeta, objectReference } from "./meta.ts";
import { presentField, messageTable, omitEmptyField } from "./message-table.ts";
import type { MessageTable } from "./message-table.ts";

const eventSource: MessageTable = messageTable({
  component: omitEmptyField("string", 1),
  host: omitEmptyField("string", 2),
});

export const event: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  involvedObject: omitEmptyField(objectReference, 2),
  reason: omitEmptyField("string", 3),
  message: omitEmptyField("string", 4),
  source: omitEmptyField(eventSource, 5),
  firstTimestamp: omitEmptyField("time", 6),
  lastTimestamp: omitEmptyField("time", 7),
  count: omitEmptyField("int32", 8),
  type: omitEmptyField("string", 9),
  eventTime: omitEmptyField("microTime", 10),
  series: omitEmptyField(
    messageTable({ count: omitEmptyField("int32", 1), lastObservedTime: omitEmptyField("microTime", 2) }),
    11,
  ),
  action: omitEmptyField("string", 12),
  related: omitEmptyField(objectReference, 13),
  reportingComponent: presentField("string", 14),
  reportingInstance: presentField("string", 15),
});

export const eventV1: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  eventTime: omitEmptyField("microTime", 2),
  series: omitEmptyField(
    messageTable({ count: presentField("int32", 1), lastObservedTime: omitEmptyField("microTime", 2) }),
    3,
  ),
  reportingController: omitEmptyField("string", 4),
  reportingInstance: omitEmptyField("string", 5),
  action: omitEmptyField("string", 6),
  reason: omitEmptyField("string", 7),
  regarding: omitEmptyField(objectReference, 8),
  related: omitEmptyField(objectReference, 9),
  note: omitEmptyField("string", 10),
  type: omitEmptyField("string", 11),
  deprecatedSource: omitEmptyField(eventSource, 12),
  deprecatedFirstTimestamp: omitEmptyField("time", 13),
  deprecatedLastTimestamp: omitEmptyField("time", 14),
  deprecatedCount: omitEmptyField("int32", 15),
});
