import { ConfigMap, controllerReference, isReady, kind, s, Secret } from "@levelset/core";
import { stringifyJson } from "@levelset/core/internal";
import { input, ok, operator, step } from "@levelset/operator";
import { expect, test } from "vitest";
import { Campaign } from "../campaign/index.ts";
import { storyText } from "../story/index.ts";
import type { Case } from "./examine.ts";

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
