import { request } from "node:http";
import {
  controllerReference,
  InputError,
  Job,
  kind,
  Pod,
  realClock,
  ReplicationController,
  s,
  Secret,
  TransportError,
} from "@levelset/core";
import { installCrd } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import type { StoriesDocument } from "../api/index.ts";
import type { RecordedStory, Stories } from "./monitor/stories.ts";
import { lastId, Simple, ConsoleHarness } from "./console-harness.fixture.ts";

const OBJECTS = "/api/stream?topic=objects";

describe("authentication", () => {
  test("the printed URL sets an HttpOnly cookie and redirects to a URL without the token", async () => {
    await using harness = await ConsoleHarness.open();
    const response = await harness.get("/objects?q=a&token=let-me-in", { cookie: "" });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("/objects?q=a");
    expect(response.headers.get("set-cookie")).toMatch(/=let-me-in; Path=\/; HttpOnly; SameSite=Strict$/u);
  });

  test("the redirect never leads to another host", async () => {
    await using harness = await ConsoleHarness.open();
    const response = await harness.get("//evil.example/?token=let-me-in", { cookie: "" });
    expect(response.headers.get("location")).toBe("/");
  });

  test.for([
    ["without the cookie", { cookie: "" }, 401],
    ["with the cookie of another port", { cookie: "levelset-console-1=let-me-in" }, 401],
    ["from another site", { "sec-fetch-site": "cross-site" }, 403],
    ["from another origin", { origin: "http://evil.example" }, 403],
  ] as const)("a request %s is refused", async ([, headers, code]) => {
    await using harness = await ConsoleHarness.open();
    const response = await harness.get("/api/session", headers);
    expect(response.status).toBe(code);
    expect(await response.text()).not.toContain("act");
  });

  test("a request with another host name is refused", async () => {
    await using harness = await ConsoleHarness.open();
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    // fetch does not allow to set the Host header.
    request(`${harness.origin}/`, { headers: { host: "evil.example" } }, (response) =>
      resolve(response.statusCode),
    ).end();
    expect(await promise).toBe(403);
  });

  test("the content security policy allows only sources of the console", async () => {
    await using harness = await ConsoleHarness.open();
    const policy = (await harness.get("/any/page")).headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/u);
  });
});

describe("bad requests", () => {
  test.for([
    "//",
    "http://[",
    "/assets/../../package.json",
    "/assets/%2e%2e%2fpackage.json",
    "/assets/..\\package.json",
  ])("%s serves no file outside of the pages, and the console keeps running", async (target) => {
    await using harness = await ConsoleHarness.open();
    const response = await harness.send(`GET ${target} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`);
    expect(response).toMatch(/^HTTP\/1.1 (?:404|200)/u);
    expect(response).not.toContain('"version"');
    expect((await harness.get("/api/session")).status).toBe(200);
  });

  test("an action above the size limit is refused", async () => {
    await using harness = await ConsoleHarness.open({ allowActions: true });
    const response = await harness.act({ kind: "edit", yaml: "x".repeat(4 * 1024 * 1024) });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("too large");
  });

  test("streams above the limit are refused with a message, and accepted after others close", async () => {
    await using harness = await ConsoleHarness.open();
    const opened = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const stop = new AbortController();
        const { status } = await harness.get(OBJECTS, {}, stop.signal);
        return { status, stop };
      }),
    );
    expect(opened.filter(({ status }) => status === 200)).toHaveLength(32);
    const refusal = await harness.get("/api/session");
    expect(refusal.status).toBe(503);
    expect(await refusal.text()).toContain("close some");
    for (const { stop } of opened) stop.abort();
    await expect.poll(async () => (await harness.get("/api/session")).status).toBe(200);
  });
});

describe("simulations", () => {
  const row = { name: "seed-1", rule: "hot-loop", message: "It loops.", seed: 1, file: "a.ts", writtenAt: "" };

  test("an open page shows a story that is written later", async () => {
    const stories = [row];
    const list = (): Promise<StoriesDocument> =>
      Promise.resolve({ directory: "d", stories: [...stories], left: 0, unreadable: [] });
    const read = (): Promise<RecordedStory> => Promise.reject(new InputError("not read"));
    await using harness = await ConsoleHarness.open({ stories: { list, read } });
    const text = await harness.read("/api/stream?topic=simulations", (sent) => {
      if (sent.includes('"seed-1"') && stories.length === 1) stories.push({ ...row, name: "seed-2" });
      return sent.includes('"seed-2"');
    });
    expect(text.split('"kind":"document"')).toHaveLength(3);
  });

  test.for(["../package", "..%2Fpackage", "a/b", ".hidden", "", "a\u0000", "C:\\a", "a".repeat(101)])(
    "the name %j is refused before a story is read",
    async (name) => {
      const read: string[] = [];
      const stories: Stories = {
        list: () => Promise.reject(new InputError("not listed")),
        read: (asked) => {
          read.push(asked);
          return Promise.reject(new InputError("read"));
        },
      };
      await using harness = await ConsoleHarness.open({ stories });
      const response = await harness.get(
        `/api/stream?${new URLSearchParams({ topic: `simulation:${name}` }).toString()}`,
      );
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("does not name a story");
      expect(read).toEqual([]);
    },
  );

  test("a request without the cookie is refused", async () => {
    await using harness = await ConsoleHarness.open();
    expect((await harness.get("/api/stream?topic=simulations", { cookie: "" })).status).toBe(401);
  });

  test("a console without stories says so", async () => {
    await using harness = await ConsoleHarness.open();
    for (const topic of ["simulations", "simulation:seed-1"]) {
      const text = await harness.read(`/api/stream?topic=${topic}`, (sent) => sent.includes('"kind"'));
      expect(text).toContain("this console shows no simulations");
    }
  });
});

describe("a stream", () => {
  test("sends the current rows, then changes, and resumes from the last event ID", async () => {
    await using harness = await ConsoleHarness.open();
    const made = await harness.client.create(Simple, {
      metadata: { namespace: "default", name: "a" },
      spec: { divisor: 1 },
    });
    const first = await harness.read(OBJECTS, (text) => text.includes('"name":"a"'));
    expect(first).toContain("no controller has observed it yet");
    const status = { observedGeneration: 1, conditions: [] };
    await harness.client.mergePatch(Simple, made.metadata, { status }, { subresource: "status" });
    const rest = await harness.read(OBJECTS, (text) => text.includes('"name":"a"'), { "last-event-id": lastId(first) });
    expect(rest).toContain('"kind":"change"');
    expect(rest).toContain('"state":"ready"');
    await harness.client.delete(Simple, made.metadata);
    const end = await harness.read(OBJECTS, (text) => text.includes('"removed"'), { "last-event-id": lastId(rest) });
    expect(end).toContain('"removed":["examples.levelset.dev%2Fv1/Simple/default/a"]');
  });

  test("shows a Secret without its values", async () => {
    await using harness = await ConsoleHarness.open();
    await harness.client.create(Secret, {
      metadata: { namespace: "default", name: "db" },
      stringData: { password: "hunter2!" },
    });
    const page = await harness.read("/api/stream?topic=object:v1/Secret/default/db", (text) =>
      text.includes('"document"'),
    );
    expect(page).toContain('password: \\"***\\"');
    expect(page).not.toContain("hunter2!");
    expect(page).not.toContain(Buffer.from("hunter2!").toString("base64"));
  });

  test("shows the pods of a ReplicationController", async () => {
    await using harness = await ConsoleHarness.open();
    const spec = { containers: [{ name: "main", image: "web:1" }] };
    const template = { metadata: { labels: { app: "web" } }, spec };
    const metadata = { namespace: "default", name: "web" };
    const owner = await harness.client.create(ReplicationController, { metadata, spec: { template } });
    const ownerReferences = [controllerReference(owner)];
    await harness.client.create(Pod, { metadata: { ...metadata, name: "web-1", ownerReferences }, spec });
    const path = "/api/stream?topic=object:v1/ReplicationController/default/web";
    const page = await harness.read(path, (text) => text.includes('"document"'));
    expect(page).toContain('"related":[{"apiVersion":"v1","kind":"Pod","namespace":"default","name":"web-1"');
  });

  test("reports an unreachable cluster until it is reachable again", async () => {
    await using harness = await ConsoleHarness.open();
    await harness.read(OBJECTS, (text) => text.includes('"reset"'));
    harness.outages.outage = new TransportError("no route to host");
    const path = "/api/stream?topic=object:v1/Secret/default/none";
    const down = await harness.read(path, (text) => text.includes('"failed"'));
    expect(down).toContain('"reason":"unreachable"');
    expect(down).toContain("no route to host");
    harness.outages.outage = undefined;
    expect(await harness.read(path, (text) => text.includes('"document"'))).toContain('"state":"missing"');
  });

  test("sends a list only after all kinds are listed", async () => {
    await using harness = await ConsoleHarness.open({ outage: new TransportError("no route to host") });
    const both = "/api/stream?topic=problems&topic=objects";
    expect(await harness.read(both, (text) => text.includes("no route to host"))).not.toContain('"reset"');
    harness.outages.outage = undefined;
    await harness.client.create(Simple, { metadata: { namespace: "default", name: "a" }, spec: { divisor: 1 } });
    const events = await harness.read(both, (text) => text.includes('"reset"'));
    expect(events.slice(events.indexOf('"reset"'))).toContain('"name":"a"');
    expect(await harness.read(both, (text) => text.includes('"document":[]'))).not.toContain("no route");
  });

  test("names the forbidden one of two kinds with the same name until it is allowed", async () => {
    await using harness = await ConsoleHarness.open();
    const other = kind({ group: "other.levelset.dev", version: "v1", kind: "Simple", spec: s.object({}) });
    const status = { kind: "Status", code: 403, reason: "Forbidden", message: "it may not be listed" };
    let refused = 0;
    harness.outages.refuses = (path) => {
      if (!path.includes(`/${other.group}/`)) return undefined;
      refused += 1;
      return Response.json(status, { status: 403 });
    };
    await installCrd(harness.client, other, { clock: realClock, signal: new AbortController().signal });
    const problems = "/api/stream?topic=problems";
    expect(await harness.read(problems, (text) => text.includes("forbidden"))).toContain(`"simples.${other.group}"`);
    let isOver = false;
    const over = harness.read(problems, (text) => text.includes('"document":[]')).then(() => (isOver = true));
    // Several retries: the problem must not be cleared by the other kind.
    await expect.poll(() => refused).toBeGreaterThan(4);
    expect(isOver).toBe(false);
    harness.outages.refuses = () => undefined;
    await over;
  });

  test.for([
    "topic=nothing",
    "topic=object:v1",
    "topic=fleet",
    Array.from({ length: 17 }, (_, index) => `topic=set:${index}`).join("&"),
    "topic=objects&topic=objects",
    "topic=set:",
    "topic=set:%25",
    "topic=cluster:clusters",
    "topic=cluster:clusters/%25",
    "topic=cluster:clusters/a/b",
  ])("is refused for an invalid topic: %s", async (query) => {
    await using harness = await ConsoleHarness.open();
    expect((await harness.get(`/api/stream?${query}`)).status).toBe(400);
  });
});

describe("actions", () => {
  const object = { apiVersion: "examples.levelset.dev/v1", kind: "Simple", namespace: "default", name: "a" };

  test("are refused by a read-only console", async () => {
    await using harness = await ConsoleHarness.open();
    const response = await harness.act({ kind: "delete", object, uid: "u" });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain("--allow-actions");
  });

  test.for([
    ["without the action token", { "x-levelset-action-token": "" }, 403],
    ["from another origin", { origin: "http://evil.example" }, 403],
    ["with the content type of a form, which any page may send", { "content-type": "text/plain" }, 400],
  ] as const)("are refused %s", async ([, headers, code]) => {
    await using harness = await ConsoleHarness.open({ allowActions: true });
    const made = await harness.client.create(Simple, {
      metadata: { namespace: "default", name: "a" },
      spec: { divisor: 1 },
    });
    const { uid } = made.metadata;
    expect((await harness.act({ kind: "delete", object, uid }, headers)).status).toBe(code);
    expect((await harness.client.get(Simple, made.metadata)).metadata.deletionTimestamp).toBeUndefined();
  });

  test("edit an object, and report a conflict if it was changed since it was read", async () => {
    await using harness = await ConsoleHarness.open({ allowActions: true });
    const made = await harness.client.create(Simple, {
      metadata: { namespace: "default", name: "a" },
      spec: { divisor: 1 },
    });
    const base = await harness.editable("examples.levelset.dev%2Fv1/Simple/default/a");
    const status = { observedGeneration: 1 };
    await harness.client.mergePatch(Simple, made.metadata, { status }, { subresource: "status" });
    const yaml = base.replace("divisor: 1", "divisor: 2");
    expect(await (await harness.act({ kind: "edit", object, base, yaml })).json()).toEqual({
      done: "saved as generation 2",
    });
    expect(await harness.client.get(Simple, made.metadata)).toMatchObject({ spec: { divisor: 2 }, status });
    const again = await harness.act({ kind: "edit", object, base, yaml: base.replace("divisor: 1", "divisor: 3") });
    expect(again.status).toBe(400);
    expect(await again.json()).toMatchObject({
      reason: "conflict",
      current: {
        yaml,
        diff: expect.arrayContaining([
          { sign: "-", text: "  divisor: 1" },
          { sign: "+", text: "  divisor: 2" },
        ]),
      },
    });
    expect((await harness.client.get(Simple, made.metadata)).spec.divisor).toBe(2);
  });

  test("name the fields that the cluster refuses", async () => {
    await using harness = await ConsoleHarness.open({ allowActions: true });
    await harness.client.create(Simple, { metadata: { namespace: "default", name: "a" }, spec: { divisor: 1 } });
    const base = await harness.editable("examples.levelset.dev%2Fv1/Simple/default/a");
    const response = await harness.act({
      kind: "edit",
      object,
      base,
      yaml: base.replace("divisor: 1", "divisor: two"),
    });
    expect(await response.json()).toMatchObject({ reason: "refused", fields: [{ field: "spec.divisor" }] });
  });

  test("never edit masked objects, and name the invalid field", async () => {
    await using harness = await ConsoleHarness.open({ allowActions: true });
    const secret = await harness.client.create(Secret, {
      metadata: { namespace: "default", name: "db" },
      stringData: { p: "hunter2!" },
    });
    const ref = { apiVersion: "v1", kind: "Secret", namespace: "default", name: "db" };
    const masked = await harness.act({
      kind: "edit",
      object: ref,
      base: "",
      yaml: JSON.stringify({ ...secret, data: { p: "***" } }),
    });
    expect(await masked.text()).toContain("values of Secrets");
    const other = await harness.act({
      kind: "edit",
      object: { ...ref, name: "other" },
      base: "",
      yaml: JSON.stringify(secret),
    });
    expect(await other.text()).toContain("cannot be edited");
    expect(await (await harness.act({ kind: "rollback", set: "shop" })).text()).toContain("generation must be");
  });

  test("delete an object only if its UID matches", async () => {
    await using harness = await ConsoleHarness.open({ allowActions: true });
    const made = await harness.client.create(Simple, {
      metadata: { namespace: "default", name: "a" },
      spec: { divisor: 1 },
    });
    expect((await harness.act({ kind: "delete", object, uid: "another" })).status).toBe(400);
    expect((await harness.client.get(Simple, made.metadata)).metadata.deletionTimestamp).toBeUndefined();
    expect((await harness.act({ kind: "delete", object, uid: made.metadata.uid })).status).toBe(200);
    await expect(harness.client.get(Simple, made.metadata)).rejects.toThrow("not found");
  });

  test("delete a Job with its pods", async () => {
    await using harness = await ConsoleHarness.open({ allowActions: true });
    const spec = { restartPolicy: "Never" as const, containers: [{ name: "main", image: "web:1" }] };
    const metadata = { namespace: "default", name: "once" };
    const job = await harness.client.create(Job, { metadata, spec: { template: { spec } } });
    await harness.client.create(Pod, { metadata: { ...metadata, ownerReferences: [controllerReference(job)] }, spec });
    const about = { apiVersion: "batch/v1", kind: "Job", ...metadata };
    expect((await harness.act({ kind: "delete", object: about, uid: job.metadata.uid })).status).toBe(200);
    await expect.poll(async () => (await harness.client.list(Pod)).items).toEqual([]);
  });
});
