import { request } from "node:http";
import { controllerReference, Job, kind, Pod, realClock, s, Secret, TransportError } from "@levelset/core";
import { installKind } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { lastId, Simple, Stage } from "./stage.fixture.ts";

const OBJECTS = "/api/stream?topic=objects";

describe("who may look", () => {
  test("a browser with the printed address gets a cookie that scripts cannot read, and an address without the token", async () => {
    await using stage = await Stage.open();
    const answer = await stage.get("/objects?q=a&token=let-me-in", { cookie: "" });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe("/objects?q=a");
    expect(answer.headers.get("set-cookie")).toMatch(/=let-me-in; Path=\/; HttpOnly; SameSite=Strict$/u);
  });

  test("the way back never leads to another host", async () => {
    await using stage = await Stage.open();
    const answer = await stage.get("//evil.example/?token=let-me-in", { cookie: "" });
    expect(answer.headers.get("location")).toBe("/");
  });

  test.for([
    ["nobody without the cookie", { cookie: "" }, 401],
    ["nobody with a wrong one", { cookie: "levelset-console-1=let-me-in" }, 401],
    ["no page of elsewhere", { "sec-fetch-site": "cross-site" }, 403],
    ["no page of another origin", { origin: "http://evil.example" }, 403],
  ] as const)("%s is told anything", async ([, headers, code]) => {
    await using stage = await Stage.open();
    const answer = await stage.get("/api/session", headers);
    expect(answer.status).toBe(code);
    expect(await answer.text()).not.toContain("act");
  });

  test("nobody who calls this machine by a name that is not its own", async () => {
    await using stage = await Stage.open();
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    // fetch does not let a host be made up
    request(`${stage.origin}/`, { headers: { host: "evil.example" } }, (answer) => resolve(answer.statusCode)).end();
    expect(await promise).toBe(403);
  });

  test("pages come with a policy that allows nothing but the console's own", async () => {
    await using stage = await Stage.open();
    const policy = (await stage.get("/any/page")).headers.get("content-security-policy") ?? "";
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
  ])("%s is no file, and the console goes on", async (target) => {
    await using stage = await Stage.open();
    const answer = await stage.send(`GET ${target} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 (?:404|200)/u);
    expect(answer).not.toContain('"version"');
    expect((await stage.get("/api/session")).status).toBe(200);
  });

  test("an action that never ends is too large at some point", async () => {
    await using stage = await Stage.open({ allowActions: true });
    const answer = await stage.act({ kind: "edit", yaml: "x".repeat(4 * 1024 * 1024) });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("too large");
  });

  test("more pages than anybody looks at are refused, with words, and welcome when others close", async () => {
    await using stage = await Stage.open();
    const opened = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const stop = new AbortController();
        const { status } = await stage.get(OBJECTS, {}, stop.signal);
        return { status, stop };
      }),
    );
    expect(opened.filter(({ status }) => status === 200)).toHaveLength(32);
    const refusal = await stage.get("/api/session");
    expect(refusal.status).toBe(503);
    expect(await refusal.text()).toContain("close some");
    for (const { stop } of opened) stop.abort();
    await expect.poll(async () => (await stage.get("/api/session")).status).toBe(200);
  });
});

describe("a stream", () => {
  test("tells of an object as it is, then as it becomes, and goes on where somebody left", async () => {
    await using stage = await Stage.open();
    const made = await stage.client.create(Simple, {
      metadata: { namespace: "default", name: "a" },
      spec: { divisor: 1 },
    });
    const first = await stage.read(OBJECTS, (text) => text.includes('"name":"a"'));
    expect(first).toContain("no controller has observed it yet");
    const status = { observedGeneration: 1, conditions: [] };
    await stage.client.mergePatch(Simple, made.metadata, { status }, { subresource: "status" });
    const rest = await stage.read(OBJECTS, (text) => text.includes('"name":"a"'), { "last-event-id": lastId(first) });
    expect(rest).toContain('"kind":"change"');
    expect(rest).toContain('"state":"ready"');
    await stage.client.delete(Simple, made.metadata);
    const end = await stage.read(OBJECTS, (text) => text.includes('"gone"'), { "last-event-id": lastId(rest) });
    expect(end).toContain('"gone":["examples.levelset.dev%2Fv1/Simple/default/a"]');
  });

  test("shows a Secret without its values", async () => {
    await using stage = await Stage.open();
    await stage.client.create(Secret, {
      metadata: { namespace: "default", name: "db" },
      stringData: { password: "hunter2!" },
    });
    const page = await stage.read("/api/stream?topic=object:v1/Secret/default/db", (text) =>
      text.includes('"document"'),
    );
    expect(page).toContain('password: \\"***\\"');
    expect(page).not.toContain("hunter2!");
    expect(page).not.toContain(Buffer.from("hunter2!").toString("base64"));
  });

  test("says that the cluster does not answer, and no longer when it does", async () => {
    await using stage = await Stage.open();
    await stage.read(OBJECTS, (text) => text.includes('"reset"'));
    stage.weather.outage = new TransportError("no route to host");
    const path = "/api/stream?topic=object:v1/Secret/default/none";
    const down = await stage.read(path, (text) => text.includes('"failed"'));
    expect(down).toContain('"reason":"unreachable"');
    expect(down).toContain("no route to host");
    stage.weather.outage = undefined;
    expect(await stage.read(path, (text) => text.includes('"document"'))).toContain('"state":"missing"');
  });

  test("tells of no list before all of it is known: half of it would look like all", async () => {
    await using stage = await Stage.open({ outage: new TransportError("no route to host") });
    const both = "/api/stream?topic=problems&topic=objects";
    expect(await stage.read(both, (text) => text.includes("no route to host"))).not.toContain('"reset"');
    stage.weather.outage = undefined;
    await stage.client.create(Simple, { metadata: { namespace: "default", name: "a" }, spec: { divisor: 1 } });
    const told = await stage.read(both, (text) => text.includes('"reset"'));
    expect(told.slice(told.indexOf('"reset"'))).toContain('"name":"a"');
    expect(await stage.read(both, (text) => text.includes('"document":[]'))).not.toContain("no route");
  });

  test("says which of two kinds with one name may not be read, for as long as that is so", async () => {
    await using stage = await Stage.open();
    const other = kind({ group: "other.levelset.dev", version: "v1", kind: "Simple", spec: s.object({}) });
    const status = { kind: "Status", code: 403, reason: "Forbidden", message: "it may not be listed" };
    let refused = 0;
    stage.weather.refuses = (path) => {
      if (!path.includes(`/${other.group}/`)) return undefined;
      refused += 1;
      return Response.json(status, { status: 403 });
    };
    await installKind(stage.client, other, { clock: realClock, signal: new AbortController().signal });
    const problems = "/api/stream?topic=problems";
    expect(await stage.read(problems, (text) => text.includes("forbidden"))).toContain(`"simples.${other.group}"`);
    let isOver = false;
    const over = stage.read(problems, (text) => text.includes('"document":[]')).then(() => (isOver = true));
    // Long enough to see many times that the other one is fine.
    await expect.poll(() => refused, { timeout: 10_000 }).toBeGreaterThan(4);
    expect(isOver).toBe(false);
    stage.weather.refuses = () => undefined;
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
  ])("is refused for what cannot be followed: %s", async (query) => {
    await using stage = await Stage.open();
    expect((await stage.get(`/api/stream?${query}`)).status).toBe(400);
  });
});

describe("actions", () => {
  const object = { apiVersion: "examples.levelset.dev/v1", kind: "Simple", namespace: "default", name: "a" };

  test("are refused by a console that only looks", async () => {
    await using stage = await Stage.open();
    const answer = await stage.act({ kind: "delete", object, uid: "u" });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain("--allow-actions");
  });

  test.for([
    ["without the token of the page", { "x-levelset-action-token": "" }, 403],
    ["from a page of elsewhere", { origin: "http://evil.example" }, 403],
    ["as a form, which any page may send", { "content-type": "text/plain" }, 400],
  ] as const)("are refused %s", async ([, headers, code]) => {
    await using stage = await Stage.open({ allowActions: true });
    const made = await stage.client.create(Simple, {
      metadata: { namespace: "default", name: "a" },
      spec: { divisor: 1 },
    });
    const { uid } = made.metadata;
    expect((await stage.act({ kind: "delete", object, uid }, headers)).status).toBe(code);
    expect((await stage.client.get(Simple, made.metadata)).metadata.deletionTimestamp).toBeUndefined();
  });

  test("edit an object as it was read, and tell of what somebody else changed since", async () => {
    await using stage = await Stage.open({ allowActions: true });
    const made = await stage.client.create(Simple, {
      metadata: { namespace: "default", name: "a" },
      spec: { divisor: 1 },
    });
    const base = await stage.editable("examples.levelset.dev%2Fv1/Simple/default/a");
    const status = { observedGeneration: 1 };
    await stage.client.mergePatch(Simple, made.metadata, { status }, { subresource: "status" });
    const yaml = base.replace("divisor: 1", "divisor: 2");
    expect(await (await stage.act({ kind: "edit", object, base, yaml })).json()).toEqual({
      done: "written, as generation 2",
    });
    expect(await stage.client.get(Simple, made.metadata)).toMatchObject({ spec: { divisor: 2 }, status });
    const again = await stage.act({ kind: "edit", object, base, yaml: base.replace("divisor: 1", "divisor: 3") });
    expect(again.status).toBe(400);
    expect(await again.json()).toMatchObject({
      reason: "conflict",
      now: {
        yaml,
        diff: expect.arrayContaining([
          { sign: "-", text: "  divisor: 1" },
          { sign: "+", text: "  divisor: 2" },
        ]),
      },
    });
    expect((await stage.client.get(Simple, made.metadata)).spec.divisor).toBe(2);
  });

  test("say which fields the cluster refuses", async () => {
    await using stage = await Stage.open({ allowActions: true });
    await stage.client.create(Simple, { metadata: { namespace: "default", name: "a" }, spec: { divisor: 1 } });
    const base = await stage.editable("examples.levelset.dev%2Fv1/Simple/default/a");
    const answer = await stage.act({ kind: "edit", object, base, yaml: base.replace("divisor: 1", "divisor: two") });
    expect(await answer.json()).toMatchObject({ reason: "refused", fields: [{ field: "spec.divisor" }] });
  });

  test("never edit what is masked, and say which field is wrong", async () => {
    await using stage = await Stage.open({ allowActions: true });
    const secret = await stage.client.create(Secret, {
      metadata: { namespace: "default", name: "db" },
      stringData: { p: "hunter2!" },
    });
    const ref = { apiVersion: "v1", kind: "Secret", namespace: "default", name: "db" };
    const masked = await stage.act({
      kind: "edit",
      object: ref,
      base: "",
      yaml: JSON.stringify({ ...secret, data: { p: "***" } }),
    });
    expect(await masked.text()).toContain("values of Secrets");
    const other = await stage.act({
      kind: "edit",
      object: { ...ref, name: "other" },
      base: "",
      yaml: JSON.stringify(secret),
    });
    expect(await other.text()).toContain("cannot be edited");
    expect(await (await stage.act({ kind: "rollback", set: "shop" })).text()).toContain("generation must be");
  });

  test("delete an object, and not another one of its name", async () => {
    await using stage = await Stage.open({ allowActions: true });
    const made = await stage.client.create(Simple, {
      metadata: { namespace: "default", name: "a" },
      spec: { divisor: 1 },
    });
    expect((await stage.act({ kind: "delete", object, uid: "another" })).status).toBe(400);
    expect((await stage.client.get(Simple, made.metadata)).metadata.deletionTimestamp).toBeUndefined();
    expect((await stage.act({ kind: "delete", object, uid: made.metadata.uid })).status).toBe(200);
    await expect(stage.client.get(Simple, made.metadata)).rejects.toThrow("not found");
  });

  test("delete a Job with its pods, as kubectl does", async () => {
    await using stage = await Stage.open({ allowActions: true });
    const spec = { restartPolicy: "Never" as const, containers: [{ name: "main", image: "web:1" }] };
    const metadata = { namespace: "default", name: "once" };
    const job = await stage.client.create(Job, { metadata, spec: { template: { spec } } });
    await stage.client.create(Pod, { metadata: { ...metadata, ownerReferences: [controllerReference(job)] }, spec });
    const about = { apiVersion: "batch/v1", kind: "Job", ...metadata };
    expect((await stage.act({ kind: "delete", object: about, uid: job.metadata.uid })).status).toBe(200);
    await expect.poll(async () => (await stage.client.list(Pod)).items).toEqual([]);
  });
});
