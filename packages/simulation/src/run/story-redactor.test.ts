import { ConfigMap, controllerReference, isReady, kind, s, Secret } from "@levelset/core";
import { stringifyJson } from "@levelset/core/internal";
import { input, ok, operator, step } from "@levelset/operator";
import { expect, test } from "vitest";
import { Campaign } from "../campaign/index.ts";
import type { History, Operation } from "../history/index.ts";
import { storyText } from "../story/index.ts";
import type { Case } from "./examine.ts";
import { StoryRedactor } from "./story-redactor.ts";

const PASSWORD = 'correct "horse" battery';
const GENERATED = "generated-by-the-operator";

const Vault = kind({ group: "redact.levelset.dev", version: "v1", kind: "Vault", spec: s.object({ url: s.string() }) });
const vault = {
  apiVersion: "redact.levelset.dev/v1",
  kind: "Vault",
  metadata: { name: "first", namespace: "default" },
  spec: { url: `${"x".repeat(145)}${PASSWORD}` },
};
const secret = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "db", namespace: "default" },
  // Some values are words that occur in every story.
  stringData: { password: PASSWORD, user: "first", kind: "Vault", isOn: "true" },
};
const recorded: Case = {
  seed: 1,
  faults: [],
  history: {
    operations: [
      { do: "create", object: secret, afterMs: 60_000 },
      { do: "create", object: vault, afterMs: 60_000 },
      { do: "delete-child", pick: 0, afterMs: 60_000 },
    ],
  },
};

const password = input(Vault, "Password", { secret: () => "db", keys: { password: s.text() } });

/** Copies the password, and another one that it generates, into a ConfigMap, which it does not restore. */
const copy = step(Vault, "Copy", {
  uses: [password],
  owns: [ConfigMap, Secret],
  do: async (req) => {
    if (isReady(req.object)) return ok();
    const ownerReferences = [controllerReference(req.object)];
    const metadata = { namespace: "default", name: `a-${req.name}`, ownerReferences };
    const data = { url: req.from(password).password, json: stringifyJson({ in: req.from(password), GENERATED }) };
    await req.client.apply(ConfigMap, { metadata, data }, { force: true });
    const stringData = { value: GENERATED } as never; // typed by key
    await req.client.apply(Secret, { metadata: { ...metadata, name: "b" }, stringData }, { force: true });
    return ok();
  },
});

/** Reports the password in a message. */
const refuse = step(Vault, "Refuse", {
  uses: [password],
  do: (req) => {
    throw new TypeError(`no connection with ${req.from(password).password}`);
  },
});

async function storyOf(step: typeof copy): Promise<{ readonly text: string; readonly all: string }> {
  const campaign = await Campaign.prepare(() => operator(Vault, [password, step]), { samples: [secret, vault] });
  const { violation, run, why } = await campaign.replay(recorded);
  if (violation === undefined || why === undefined) throw new Error("the case violates no rule");
  const text = storyText({ seed: 1, violation, run, why, case: recorded });
  return { text, all: text + stringifyJson({ violation, events: run.events, why }) };
}

function expectRedacted(text: string): void {
  for (const secretText of ["correct", "horse", GENERATED, btoa(PASSWORD), btoa(GENERATED)]) {
    expect(text).not.toContain(secretText);
  }
}

test("a story does not contain values of Secrets that an operator copies, and its names stay readable", async () => {
  const { text, all } = await storyOf(copy);
  expectRedacted(all);
  expect(text).toMatch(
    /^path-changes-the-end \(converges\), seed 1\n {2}found {5}ConfigMap default\/a-first is missing/u,
  );
  expect(text).toContain(
    '    - data: {"json":"{\\"in\\":{\\"password\\":\\"***\\"},\\"GENERATED\\":\\"***\\"}","url":"***"}\n',
  );
  expect(text).toContain("    - ready: true");
  expect(text).toContain('  a user creates Vault default/first {"url":"xxx');
});

test("a story does not contain a value of a Secret that stands in an error message", async () => {
  const { text, all } = await storyOf(refuse);
  expectRedacted(all);
  expect(text).toContain("step failed with a programming error in step Refuse: no connection with ***");
});

test("a case without the values of Secrets has neither copies that other clients write nor those in patches", async () => {
  const campaign = await Campaign.prepare(() => operator(Vault, [password, copy]), { samples: [secret, vault] });
  const target = { apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: "a-first" };
  const foreign = { ...target, metadata: { name: "b", namespace: "default" }, data: { url: PASSWORD } };
  const operations: readonly Operation[] = [
    { do: "create", object: secret, afterMs: 60_000 },
    { do: "create-foreign", object: foreign, afterMs: 60_000 },
    { do: "create", object: vault, afterMs: 60_000 },
    { do: "edit-child", pick: 0, edit: "change-field", target, patch: { data: { url: `${PASSWORD}2` } }, afterMs: 0 },
  ];
  const { case: examined, shownCase } = await campaign.replay({ seed: 1, faults: [], history: { operations } });
  expect(examined.history.operations).toEqual(operations);
  expectRedacted(stringifyJson(shownCase));
  expect(shownCase).toMatchObject({ seed: 1, faults: [], history: { operations: [{}, {}, {}, { target }] } });
});

test("a case that does not create the Secret is without copies of it, too", async () => {
  const campaign = await Campaign.prepare(() => operator(Vault, [password, copy]), { samples: [secret, vault] });
  const object = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "b" },
    data: { url: PASSWORD, a: GENERATED },
  };
  const operations: readonly Operation[] = [{ do: "create-foreign", object, afterMs: 60_000 }];
  const { shownCase } = await campaign.replay({ seed: 1, faults: [], history: { operations } });
  expectRedacted(stringifyJson(shownCase));
  expect(shownCase.history.operations).toMatchObject([{ object: { data: { url: "***", a: "***" } } }]);
});

test("the failure of a seed has a case without the values of Secrets", async () => {
  const campaign = await Campaign.prepare(() => operator(Vault, [password, refuse]), { samples: [secret, vault] });
  const { failure } = await campaign.runSeed(1);
  expect(stringifyJson(failure?.case)).toContain(PASSWORD.slice(0, 8));
  expectRedacted(stringifyJson(failure?.shownCase));
});

test("a case without the values of Secrets keeps the names of objects and the words of operations", () => {
  const words = {
    a: "edit-child",
    b: "ConfigMap",
    c: "metadata",
    d: "kind",
    e: "restored",
    f: "default",
    g: "hunter2",
  };
  const named = { apiVersion: "v1", kind: "Secret", metadata: { name: "hunter2" }, stringData: words };
  const user = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", labels: { of: "hunter2-x" } }, data: {} };
  const child = { apiVersion: "v1", kind: "Secret", name: "child-of-restored" };
  const history: History = {
    operations: [
      { do: "create", object: named, path: "spec.kind", afterMs: 0 },
      { do: "change", object: user, how: "restored", path: "data.x", afterMs: 5 },
      { do: "edit-child", pick: 0, edit: "annotate", target: child, patch: { data: { a: "no" } }, afterMs: 0 },
      { do: "delete-child", pick: 0.5, target: child, afterMs: 0 },
      { do: "delete", id: child, afterMs: 0 },
      { do: "restart", afterMs: 0 },
    ],
  };
  const masked = Object.fromEntries(Object.keys(words).map((name) => [name, "***"]));
  const shownChild = { ...child, name: "child-of-***" };
  expect(new StoryRedactor(history).history(history)).toEqual({
    operations: [
      { do: "create", object: { ...named, stringData: masked }, path: "spec.***", afterMs: 0 },
      { do: "change", object: user, how: "restored", path: "data.x", afterMs: 5 },
      { do: "edit-child", pick: 0, edit: "annotate", target: shownChild, patch: { data: { a: "***" } }, afterMs: 0 },
      { do: "delete-child", pick: 0.5, target: shownChild, afterMs: 0 },
      { do: "delete", id: child, afterMs: 0 },
      { do: "restart", afterMs: 0 },
    ],
  });
});
