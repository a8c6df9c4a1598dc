import { inline, kept, list, message, one } from "./table.ts";
import type { Message } from "./table.ts";

const execAction: Message = message({ command: list("string", 1) });

const httpGetAction: Message = message({
  path: one("string", 1),
  port: kept("intOrString", 2),
  host: one("string", 3),
  scheme: one("string", 4),
  httpHeaders: list(message({ name: kept("string", 1), value: kept("string", 2) }), 5),
});

const tcpSocketAction: Message = message({ port: kept("intOrString", 1), host: one("string", 2) });

export const probe: Message = message({
  probeHandler: inline(
    message({
      exec: one(execAction, 1),
      httpGet: one(httpGetAction, 2),
      tcpSocket: one(tcpSocketAction, 3),
      grpc: one(message({ port: kept("int32", 1), service: kept("string", 2) }), 4),
    }),
    1,
  ),
  initialDelaySeconds: one("int32", 2),
  timeoutSeconds: one("int32", 3),
  periodSeconds: one("int32", 4),
  successThreshold: one("int32", 5),
  failureThreshold: one("int32", 6),
  terminationGracePeriodSeconds: kept("int64", 7),
});

const lifecycleHandler: Message = message({
  exec: one(execAction, 1),
  httpGet: one(httpGetAction, 2),
  tcpSocket: one(tcpSocketAction, 3),
  sleep: one(message({ seconds: kept("int64", 1) }), 4),
});

export const lifecycle: Message = message({
  postStart: one(lifecycleHandler, 1),
  preStop: one(lifecycleHandler, 2),
  stopSignal: kept("string", 3),
});
