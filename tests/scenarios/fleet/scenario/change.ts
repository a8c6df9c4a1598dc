import { expect, test } from "vitest";
import { API_BASE } from "../../../support/fleet/http.ts";
import type { StartFleet } from "../../../support/fleet/running-fleet.ts";
import { conditionOf, freshName, formatCondition } from "../../../support/fleet/fleet-user.ts";
import { describeOn } from "./suite.ts";
import type { Shared } from "./suite.ts";

/** Generations, changes and preconditions. */
export function describeChange(start: StartFleet): void {
  describeOn("changing", start, (shared) => {
    describePatch(shared);
    describeGuards(shared);
    describeIdempotency(shared);
    describeReferences(shared);
  });
}

function describePatch(shared: () => Shared): void {
  test("a changed spec is a new generation that is not ready; the same spec again has no effect", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    const changed = await user.http.patch(cluster.href, { spec: { region: "eu", a: { b: 1, c: 2 } } });
    expect([changed.status, changed.resource.generation]).toEqual([200, 2]);
    expect(formatCondition(conditionOf(changed.resource, "Reconciled"))).toBe("F@2 ReconciledMissingAdapters");
    const again = await user.http.patch(cluster.href, '{ "spec": {"a":{"c":2.0,"b":1}, "region":"eu"} }');
    expect([again.status, again.resource]).toEqual([200, changed.resource]);
  });

  test("changed labels are a new generation too", async () => {
    const { user } = shared();
    const { href } = await user.cluster();
    const generations: number[] = [];
    for (const shard of ["1", "2", "3"]) {
      generations.push((await user.http.patch(href, { labels: { shard } })).resource.generation);
    }
    expect(generations).toEqual([2, 3, 4]);
  });

  test("a patch may contain only spec, labels and references", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    const patch = (body: unknown) => user.http.patch(cluster.href, body);
    const empty = await patch({});
    expect([empty.problemSummary, empty.problem.detail]).toEqual([
      "400 VAL-005",
      expect.stringContaining("at least one field must be provided for update"),
    ]);
    for (const body of [{ name: "x" }, { generation: 9 }, { spec: {}, tenancy: {} }, { spec: null }, { spec: [] }]) {
      expect([body, (await patch(body)).status]).toEqual([body, 400]);
    }
    const labels = await patch({ labels: "x" });
    expect(labels.status).toBe(400);
    expect(`${labels.problem.detail} ${labels.fieldErrors.join()}`).toContain("field 'labels' must be an object");
    expect((await patch('{"spec":{},"__proto__":{}}')).status).toBe(400);
    expect(await user.read(cluster)).toEqual(cluster);
  });

  test("fields missing from a patch stay; given fields are replaced as a whole", async () => {
    const { user } = shared();
    const cluster = await user.cluster({ labels: { a: "1", b: "2" }, spec: { x: 1, y: 2 } });
    const spec = await user.http.patch(cluster.href, { spec: { x: 3 } });
    expect(spec.resource).toMatchObject({ spec: { x: 3 }, labels: { a: "1", b: "2" }, generation: 2 });
    expect(spec.resource.spec).not.toHaveProperty("y");
    const cleared = await user.http.patch(cluster.href, { labels: {} });
    expect(cleared.resource).not.toHaveProperty("labels");
    expect(cleared.resource.generation).toBe(3);
  });

  test("a change of a node pool does not change its cluster", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    const pool = await user.pool(cluster.id);
    expect((await user.http.patch(pool.href, { spec: { replicas: 3 } })).resource.generation).toBe(2);
    expect(await user.read(cluster)).toEqual(cluster);
  });
}

function describeGuards(shared: () => Shared): void {
  test("a change that names an older generation is refused; a report in between does not matter", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    const first = await user.http.get(cluster.href);
    const etag = first.headers.etag ?? "";
    expect(etag).toMatch(/^"1\./u);
    await user.report(cluster.id, "dns", 1, "True");
    const changed = await user.http.patch(cluster.href, { spec: { a: 1 } }, { "if-match": etag });
    expect([changed.status, changed.resource.generation]).toEqual([200, 2]);
    for (const response of [
      await user.http.patch(cluster.href, { spec: { a: 2 } }, { "if-match": etag }),
      await user.http.delete(cluster.href, { "if-match": etag }),
    ]) {
      expect(response.problemSummary).toBe("412 CNF-002");
    }
    expect((await user.read(cluster)).spec).toEqual({ a: 1 });
    expect((await user.http.patch(cluster.href, { spec: { a: 3 } }, { "if-match": "*" })).status).toBe(200);
  });

  test("an unchanged resource is answered with 304; a report changes its ETag", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    const { etag = "" } = (await user.http.get(cluster.href)).headers;
    const same = await user.http.get(cluster.href, { "if-none-match": etag });
    expect([same.status, same.text, same.headers.etag]).toEqual([304, "", etag]);
    await user.report(cluster.id, "dns", 1, "True");
    expect((await user.http.get(cluster.href, { "if-none-match": etag })).status).toBe(200);
  });

  test("HEAD answers as GET does, without the body", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    const [head, get] = [await user.http.send("HEAD", cluster.href), await user.http.get(cluster.href)];
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.etag).toBe(get.headers.etag);
    expect(head.headers["content-type"]).toBe(get.headers["content-type"]);
  });
}

function describeIdempotency(shared: () => Shared): void {
  test("a repeated request with the same key takes effect once and gets the same response", async () => {
    const { user } = shared();
    const body = { kind: "Cluster", name: freshName(), spec: {} };
    const key = { "idempotency-key": freshName() };
    const first = await user.http.post(`${API_BASE}/clusters`, body, key);
    const again = await user.http.post(`${API_BASE}/clusters`, body, key);
    expect([again.status, again.json]).toEqual([201, first.json]);
    const other = await user.http.post(`${API_BASE}/clusters`, { ...body, spec: { other: true } }, key);
    expect(other.status).toBeGreaterThanOrEqual(400);
    expect(other.status).toBeLessThan(500);
    const search = encodeURIComponent(`name='${body.name}'`);
    expect((await user.http.get(`${API_BASE}/clusters?search=${search}`)).resources.total).toBe(1);
  });

  test("twenty concurrent requests with one key create one cluster", async () => {
    const { user } = shared();
    const body = { kind: "Cluster", name: freshName(), spec: {} };
    const key = { "idempotency-key": freshName() };
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => user.http.post(`${API_BASE}/clusters`, body, key)),
    );
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(201);
  });
}

function describeReferences(shared: () => Shared): void {
  test("a reference must point to an existing resource of its kind, which cannot be deleted while referenced", async () => {
    const { user } = shared();
    const channel = await user.plain("Channel");
    const create = (references: unknown) =>
      user.http.post(`${API_BASE}/clusters`, { kind: "Cluster", name: freshName(), spec: {}, references });
    const cluster = (await create({ channel: [{ id: channel.id }] })).resource;
    expect(cluster.references).toEqual({ channel: [{ id: channel.id, kind: "Channel", href: channel.href }] });
    for (const references of [
      { channel: [{ id: "nope" }] },
      { channel: [{ id: cluster.id }] },
      { channel: [{ id: channel.id }, { id: channel.id }] },
      { other: [{ id: channel.id }] },
    ]) {
      const response = await create(references);
      expect([references, response.status]).toEqual([references, 400]);
      expect(response.fieldErrors.join()).toMatch(/^references/u);
    }
    const refused = await user.http.delete(channel.href);
    expect([refused.problemSummary, refused.problem.detail]).toEqual([
      "409 CNF-003",
      expect.stringContaining(cluster.id),
    ]);
    const cleared = await user.http.patch(cluster.href, { references: {} });
    expect(cleared.resource).not.toHaveProperty("references");
    expect(cleared.resource.generation).toBe(2);
    expect((await user.http.delete(channel.href)).status).toBe(202);
  });
}
