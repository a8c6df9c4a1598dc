import { replay } from "@levelset/simulation";
import type { Case } from "@levelset/simulation";
import { expect, test } from "vitest";
import { EXAMPLES } from "../examples/examples.ts";

// Stories of correct examples that the simulation reported.

type Operation = Case["history"]["operations"][number];

const { program, options } = exampleOf("03-service-with-db");

function exampleOf(name: string): (typeof EXAMPLES)[number] {
  const example = EXAMPLES.find((each) => each.name === name);
  if (example === undefined) throw new Error(`no example ${name}`);
  return example;
}

const shop = (image: string) => ({
  apiVersion: "examples.levelset.dev/v1beta1",
  kind: "ServiceWithDB",
  metadata: { name: "shop", namespace: "default" },
  spec: { image: `registry.example/shop:${image}`, replicas: 3, passwordSecret: "shop-db" },
});
const change = (image: string): Operation => ({ do: "change", object: shop(image), how: "valid", afterMs: 60_000 });
const migration = { apiVersion: "batch/v1", kind: "Job", namespace: "default", name: "shop-migrate" };

test("a Job that runs again because a person deleted it before its late end is no violation", async () => {
  const operations: readonly Operation[] = [
    { do: "create", object: shop("1.8"), afterMs: 60_000 },
    { do: "delete-child", pick: 0.4, target: migration, afterMs: 60_000 },
    change("does-not-exist"),
    change("1.8"),
  ];
  const recorded: Case = {
    seed: 2398,
    history: { operations },
    faults: [{ at: 0, kind: "crash", nth: 8, downMs: 60_000 }],
  };
  await expect(replay(program, recorded, options)).resolves.toBeUndefined();
});

test("an input that refers to an object by its name does not make a long name unhealthy", async () => {
  const labels = { "examples.levelset.dev/archive": "a" };
  const password = { metadata: { name: "password", namespace: "default", labels }, stringData: { password: "x" } };
  const renamed = { metadata: { name: "a".padEnd(63, "b"), namespace: "default" }, spec: { image: "archive:1" } };
  const operations: readonly Operation[] = [
    { do: "create", object: { apiVersion: "v1", kind: "Secret", ...password }, afterMs: 60_000 },
    {
      do: "create",
      object: { apiVersion: "examples.levelset.dev/v1beta1", kind: "Archive", ...renamed },
      afterMs: 60_000,
    },
  ];
  const recorded: Case = { seed: 7, history: { operations }, faults: [] };
  const archive = exampleOf("guide/archive");
  await expect(replay(archive.program, recorded, archive.options)).resolves.toBeUndefined();
});

test("a number beyond 2^53 that the server rounds is not changed by an operator", async () => {
  const share = (total: number | bigint) => ({
    apiVersion: "examples.levelset.dev/v1beta1",
    kind: "Share",
    metadata: { name: "a", namespace: "default" },
    spec: { total, divisor: 1 },
  });
  const operations: readonly Operation[] = [
    { do: "create", object: share(1000), afterMs: 60_000 },
    { do: "change", object: share(-9_223_372_036_854_775_809n), how: "invalid", afterMs: 60_000 },
  ];
  const shares = exampleOf("guide/generic-step");
  const recorded: Case = { seed: 1, history: { operations }, faults: [] };
  await expect(replay(shares.program, recorded, shares.options)).resolves.toBeUndefined();
});

test("objects of a set that stay because of deletionPolicy Orphan are no difference", async () => {
  const object = {
    apiVersion: "operand.levelset.dev/v1alpha1",
    kind: "Operand",
    metadata: { name: "greeter" },
    spec: {
      deletionPolicy: "Orphan",
      steadyState: [
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "greeter", namespace: "default" }, data: { a: "b" } },
      ],
    },
  };
  const id = { apiVersion: object.apiVersion, kind: object.kind, name: "greeter" };
  const operations: readonly Operation[] = [
    { do: "create", object, afterMs: 60_000 },
    { do: "delete", id, afterMs: 60_000 },
  ];
  const start = exampleOf("start");
  const recorded: Case = { seed: 1, history: { operations }, faults: [] };
  await expect(replay(start.program, recorded, start.options)).resolves.toBeUndefined();
});

test("a set that adopts a namespace which an earlier one left may remove the annotations of kubectl", async () => {
  const signet = (version: string) => ({
    apiVersion: "examples.levelset.dev/v1beta1",
    kind: "Signet",
    metadata: { name: "signet" },
    spec: { version },
  });
  const { apiVersion, kind } = signet("v1");
  const target = { apiVersion: "v1", kind: "Namespace", name: "signet-certificates" };
  const operations: readonly Operation[] = [
    { do: "create", object: signet("v2"), afterMs: 60_000 },
    { do: "delete", id: { apiVersion, kind, name: "signet" }, afterMs: 60_000 },
    { do: "edit-child", pick: 0, edit: "annotate", target, afterMs: 60_000 },
    { do: "create", object: signet("v1"), afterMs: 60_000 },
  ];
  const { program: operators, options: settings } = exampleOf("05-signet");
  const recorded: Case = { seed: 1, history: { operations }, faults: [] };
  await expect(replay(operators, recorded, settings)).resolves.toBeUndefined();
});
