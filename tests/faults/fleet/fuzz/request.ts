import { isJsonObject } from "@levelset/core";
import { randomInt, randomString, stringifyJson } from "@levelset/core/internal";
import type { JsonValue, Random } from "@levelset/core";
import { mutateValue, sampleValue } from "@levelset/core/testing";
import type { Headers } from "../../../support/fleet/http.ts";
import { freshTime } from "../../../support/fleet/fleet-user.ts";
import { ATTACKS, FIELDS, ORDERS, SEARCH_PARTS, SEARCHES } from "./corpus.ts";
import type { Operation } from "./openapi.ts";

/** A generated request. */
export interface FuzzRequest {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | undefined;
}

/** A resource known from a response. */
export interface KnownResource {
  readonly id: string;
  readonly kind: string;
  readonly plural: string;
  readonly ownerId: string | undefined;
}

const ADAPTERS = ["validation", "dns", "pullsecret", "hypershift", "other"];
const STATUSES = ["True", "True", "True", "False", "Unknown"];
const HEADER_VALUE = /^[\t\x20-\x7e]*$/u;

/**
 * Generates requests for the operations of a document: valid, nearly valid and garbage. Deterministic for a random
 * seed.
 */
export class RequestGenerator {
  readonly #operations: readonly Operation[];
  readonly #random: Random;
  readonly #known: readonly KnownResource[];

  constructor(operations: readonly Operation[], random: Random, known: readonly KnownResource[]) {
    this.#operations = operations;
    this.#random = random;
    this.#known = known;
  }

  next(): FuzzRequest {
    const operation = this.#pick(this.#operations);
    const method = this.#chance(0.01) ? this.#pick(["HEAD", "PUT", "OPTIONS", "DELETE", "TRACE"]) : operation.method;
    const query = this.#query(operation);
    const path = `${this.#path(operation)}${query === "" ? "" : `?${query}`}${this.#chance(0.02) ? "&%zz=%" : ""}`;
    const body = operation.body === undefined ? this.#maybe(0.02, () => "{}") : this.#body(operation);
    return { operation, method, path, headers: this.#headers(operation), body };
  }

  #path({ path }: Operation): string {
    const segments = path.split("/");
    const plural = segments.findLast((_, index) => segments[index + 1]?.startsWith("{")) ?? "";
    const candidates = this.#known.filter((each) => plural === "resources" || each.plural === plural);
    const target = this.#chance(0.9) ? this.#pickOr(candidates) : this.#pickOr(this.#known);
    const last = segments.findLastIndex((segment) => segment.startsWith("{"));
    const filled = segments.map((segment, index) => {
      if (!segment.startsWith("{")) return segment;
      if (this.#chance(0.06)) return encodeURIComponent(this.#pick(ATTACKS).toWellFormed());
      if (this.#chance(0.01)) return this.#pick(["%zz", "%", "%00", "..", ""]);
      return (index === last ? target?.id : target?.ownerId) ?? this.#pickOr(this.#known)?.id ?? "none";
    });
    const isStrange = this.#chance(0.02);
    return isStrange ? `${filled.join("/")}${this.#pick(["/", "//", "/x", "%2f"])}` : filled.join("/");
  }

  #query(operation: Operation): string {
    const pairs = operation.parameters
      .filter((parameter) => parameter.in === "query" && this.#chance(0.3))
      .map(({ name, schema }) => [name, this.#queryValue(name, () => sampleValue(schema, this.#random))] as const)
      // A stream does not end; watches are tested elsewhere.
      .filter(([name, value]) => name !== "watch" || !/^(?:true|1)?$/iu.test(value));
    if (this.#chance(0.02))
      pairs.push([this.#pick(["page", "size", "pageSize", "__proto__", ""]), this.#pick(ATTACKS)]);
    return pairs
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`)
      .join("&");
  }

  #queryValue(name: string, sample: () => JsonValue): string {
    if (this.#chance(0.1)) return this.#pick(ATTACKS);
    switch (name) {
      case "search":
        if (this.#chance(0.5)) return this.#pick(SEARCHES);
        return Array.from({ length: randomInt(this.#random, 1, 7) }, () => this.#pick(SEARCH_PARTS)).join(" ");
      case "order":
        return this.#pick(ORDERS);
      case "fields":
        return this.#pick(FIELDS);
      case "kind":
        return this.#pick(["Cluster", "NodePool", "Nope"]);
      case "ref_type":
        return this.#pick(["channel", "wif", "nope"]);
      case "ref_target_id":
        return this.#pickOr(this.#known)?.id ?? "none";
      default:
        return stringifyJson(sample()).replaceAll(/^"|"$/gu, "");
    }
  }

  #headers(operation: Operation): Headers {
    const named = operation.parameters.filter((parameter) => parameter.in === "header" && this.#chance(0.2));
    const values = named.map(({ name }) => [name, this.#headerValue(name.toLowerCase())] as const);
    const type = this.#maybe(0.02, () =>
      this.#pick(["text/plain", "application/xml", "", "application/json; charset=latin1"]),
    );
    return Object.fromEntries([
      ...values.filter(([, value]) => HEADER_VALUE.test(value)),
      ...(type === undefined ? [] : [["content-type", type] as const]),
    ]);
  }

  #headerValue(name: string): string {
    if (this.#chance(0.2)) return this.#pick(ATTACKS);
    if (name === "idempotency-key") return `key-${randomInt(this.#random, 1, 400)}`;
    return this.#pick(["*", '"1.1"', '"2.7"', 'W/"1.1"', '"1.1", "2.2"', "1.1"]);
  }

  #body(operation: Operation): string | undefined {
    const { body } = operation;
    if (body === undefined) return undefined;
    const dice = this.#random.next();
    if (dice > 0.92) return this.#garbage();
    const plausible = this.#plausible(sampleValue(body, this.#random), operation);
    return stringifyJson(dice < 0.55 ? plausible : mutateValue(body, plausible, this.#random));
  }

  /**
   * Replaces values by plausible ones that no schema describes: times near now, existing ids, recurring adapters and
   * labels.
   */
  #plausible(value: JsonValue, operation: Operation): JsonValue {
    if (!isJsonObject(value)) return value;
    if (operation.path.endsWith("/statuses")) return this.#report(value);
    const kind = operation.path.includes("/resources") ? this.#pick(["Cluster", "Channel", "NodePool"]) : value["kind"];
    const target = this.#pickOr(this.#known.filter((each) => each.plural === "channels"));
    return {
      ...value,
      ...(value["kind"] === undefined ? {} : { kind: kind ?? null }),
      ...(value["name"] === undefined || this.#chance(0.1)
        ? {}
        : { name: `c-${randomString(this.#random, 6, "abcdef0123456789")}` }),
      ...(value["spec"] === undefined || this.#chance(0.3)
        ? {}
        : { spec: { region: "us-east1", replicas: randomInt(this.#random, 0, 9) } }),
      ...(value["labels"] === undefined || this.#chance(0.2)
        ? {}
        : { labels: { shard: `${randomInt(this.#random, 1, 3)}` } }),
      ...(value["references"] === undefined || this.#chance(0.1)
        ? {}
        : { references: target === undefined || this.#chance(0.5) ? {} : { channel: [{ id: target.id }] } }),
    };
  }

  #report(value: Readonly<Record<string, JsonValue>>): JsonValue {
    const types = ["Available", "Applied", "Health", ...(this.#chance(0.5) ? ["Finalized"] : [])];
    return {
      ...value,
      adapter: this.#pick(ADAPTERS),
      observed_generation: randomInt(this.#random, 1, 3),
      observed_time: new Date(freshTime()).toISOString(),
      ...(this.#chance(0.1) ? {} : { conditions: types.map((type) => ({ type, status: this.#pick(STATUSES) })) }),
    };
  }

  #garbage(): string {
    const attack = JSON.stringify(this.#pick(ATTACKS));
    return this.#pick([
      "",
      "{",
      "null",
      "[]",
      "7",
      attack,
      `{${attack}:${attack}}`,
      `{"kind":"Cluster","name":${attack},"spec":{${attack}:${attack}},"labels":{${attack}:${attack}}}`,
      `{"spec":{"a":1,"a":2},"spec":{}}`,
      `{"spec":${"[".repeat(3_000)}${"]".repeat(3_000)}}`,
      `{"spec":{"n":1e400,"m":-0,"big":123456789012345678901234567890}}`,
      `{"__proto__":{"polluted":true},"spec":{"__proto__":{"polluted":true}}}`,
      `\ufeff{"spec":{}}`,
      `{"reason":${attack}}`,
    ]);
  }

  #pick<T>(options: readonly T[]): T {
    const found = this.#pickOr(options);
    if (found === undefined) throw new TypeError("the list is empty");
    return found;
  }

  #pickOr<T>(options: readonly T[]): T | undefined {
    return options[randomInt(this.#random, 0, options.length - 1)];
  }

  #chance(probability: number): boolean {
    return this.#random.next() < probability;
  }

  #maybe<T>(probability: number, make: () => T): T | undefined {
    return this.#chance(probability) ? make() : undefined;
  }
}
