/** Pulses from those who send to those who hear: in process, NATS, RabbitMQ. Begin with `broker.ts`. */

export type {
  Broker,
  BrokerHealth,
  BrokerKind,
  BrokerWorld,
  Handler,
  Message,
  PublishOptions,
  SubscribeOptions,
  Subscription,
} from "./broker.ts";
export { EVENT_BYTES_MAX, encodeEvent, keyOf, parseEvent, traceOf } from "./cloud-event.ts";
export type { CloudEvent } from "./cloud-event.ts";
export type { DeadLetter, DeadLetterQueue, DeadLetterReason, LetterChoice } from "./dead-letter.ts";
export { BrokerUnavailable, InvalidEvent, RejectedMessage, TopologyMismatch, UnroutableMessage } from "./errors.ts";
export type { EventFault } from "./errors.ts";
export { KeyLanes } from "./key-lanes.ts";
export { MemoryBroker } from "./memory/memory-broker.ts";
export type { MemoryBrokerOptions } from "./memory/memory-broker.ts";
export { MemoryHub } from "./memory/memory-hub.ts";
export { openBroker } from "./open-broker.ts";
export type { BrokerConfig } from "./open-broker.ts";
export type { NatsOptions } from "./nats/nats-broker.ts";
export type { RabbitmqOptions } from "./rabbitmq/rabbitmq-broker.ts";
export type { RabbitmqExchangeType, RabbitmqQueueType } from "./rabbitmq/rabbitmq-topology.ts";
