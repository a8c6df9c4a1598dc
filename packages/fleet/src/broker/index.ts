/** Message brokers that carry pulses to adapters: in process, NATS, RabbitMQ. Begin with `broker.ts`. */

export { BROKER_KINDS } from "./broker.ts";
export type {
  Broker,
  BrokerHealth,
  BrokerKind,
  BrokerWorld,
  MessageHandler,
  Message,
  PublishOptions,
  SubscribeOptions,
  Subscription,
} from "./broker.ts";
export { EVENT_BYTES_MAX, encodeCloudEvent, eventKeyOf, parseCloudEvent, traceContextOf } from "./cloud-event.ts";
export type { CloudEvent } from "./cloud-event.ts";
export type { DeadLetter, DeadLetterQueue, DeadLetterReason, DeadLetterSelection } from "./dead-letter.ts";
export {
  BrokerUnavailableError,
  InvalidEventError,
  RejectedMessageError,
  TopologyMismatch,
  UnroutableMessage,
} from "./broker-errors.ts";
export type { EventFieldError } from "./broker-errors.ts";
export { MemoryBroker } from "./memory/memory-broker.ts";
export type { MemoryBrokerOptions } from "./memory/memory-broker.ts";
export { MemoryHub } from "./memory/memory-hub.ts";
export { openBroker } from "./open-broker.ts";
export type { BrokerConfig } from "./open-broker.ts";
export type { NatsOptions } from "./nats/nats-broker.ts";
export type { RabbitmqOptions } from "./rabbitmq/rabbitmq-broker.ts";
export type { RabbitmqExchangeType, RabbitmqQueueType } from "./rabbitmq/rabbitmq-topology.ts";
