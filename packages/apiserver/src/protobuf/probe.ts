import { embeddedField, presentField, repeatedField, messageTable, omitEmptyField } from "./message-table.ts";
import type { MessageTable } from "./message-table.ts";

const execAction: MessageTable = messageTable({ command: repeatedField("string", 1) });

const httpGetAction: MessageTable = messageTable({
  path: omitEmptyField("string", 1),
  port: presentField("intOrString", 2),
  host: omitEmptyField("string", 3),
  scheme: omitEmptyField("string", 4),
  httpHeaders: repeatedField(messageTable({ name: presentField("string", 1), value: presentField("string", 2) }), 5),
});

const tcpSocketAction: MessageTable = messageTable({
  port: presentField("intOrString", 1),
  host: omitEmptyField("string", 2),
});

export const probe: MessageTable = messageTable({
  probeHandler: embeddedField(
    messageTable({
      exec: omitEmptyField(execAction, 1),
      httpGet: omitEmptyField(httpGetAction, 2),
      tcpSocket: omitEmptyField(tcpSocketAction, 3),
      grpc: omitEmptyField(messageTable({ port: presentField("int32", 1), service: presentField("string", 2) }), 4),
    }),
    1,
  ),
  initialDelaySeconds: omitEmptyField("int32", 2),
  timeoutSeconds: omitEmptyField("int32", 3),
  periodSeconds: omitEmptyField("int32", 4),
  successThreshold: omitEmptyField("int32", 5),
  failureThreshold: omitEmptyField("int32", 6),
  terminationGracePeriodSeconds: presentField("int64", 7),
});

const lifecycleHandler: MessageTable = messageTable({
  exec: omitEmptyField(execAction, 1),
  httpGet: omitEmptyField(httpGetAction, 2),
  tcpSocket: omitEmptyField(tcpSocketAction, 3),
  sleep: omitEmptyField(messageTable({ seconds: presentField("int64", 1) }), 4),
});

export const lifecycle: MessageTable = messageTable({
  postStart: omitEmptyField(lifecycleHandler, 1),
  preStop: omitEmptyField(lifecycleHandler, 2),
  stopSignal: presentField("string", 3),
});
