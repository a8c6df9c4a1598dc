import { deepEqual } from "@levelset/core/internal";
import { expect, test } from "vitest";
import { ATTACKS } from "../../../faults/fleet/fuzz/corpus.ts";
import { API_BASE } from "../../../support/fleet/http.ts";
import type { FleetResponse } from "../../../support/fleet/http.ts";
import type { StartFleet } from "../../../support/fleet/running-fleet.ts";
import { freshName, reportBody } from "../../../support/fleet/fleet-user.ts";
import type { FleetUser } from "../../../support/fleet/fleet-user.ts";
import { describeOn } from "./suite.ts";
import type { Shared } from "./suite.ts";

/** Strings that are valid in a header. */
const SENDABLE = /^[\t\x20-\x7e\u0080-\u00ff]*$/u;

/** Injection attempts in every field that takes a string: they are stored as data, or refused with the field. */
export function describeInjection(start: StartFleet): void {
  describeOn("injection", start, (shared) => {
    describeQueries(shared);
    describeBodies(shared);
    describeSizes(shared);
  });
}

/** Returns a check that a cluster is unchanged. */
async function unchangedCheck(user: FleetUser): Promise<() => Promise<void>> {
  const cluster = await user.cluster({ labels: { keep: "me" } });
  await user.report(cluster.id, "dns", 1, "True");
  const before = await user.read(cluster);
  return async () => expect(await user.read(cluster)).toEqual(before);
}

/** Collects invalid responses: server errors, and errors in an unexpected format. */
class ResponseProblems {
  readonly wrong: string[] = [];

  take(what: string, response: FleetResponse): FleetResponse {
    const isProblem = response.headers["content-type"]?.startsWith("application/problem+json") === true;
    const isExpected = response.status < 500 && isProblem === response.status >= 400;
    this.when(!isExpected, what, response);
    return response;
  }

  /** An error response must name the field. */
  takeNamed(what: string, response: FleetResponse, field: string): FleetResponse {
    this.take(what, response);
    const text = response.status < 400 ? field : `${response.problem.detail} ${response.fieldErrors.join()}`;
    this.when(!text.includes(field), `${field} is not named: ${what}`, response);
    return response;
  }

  when(isWrong: boolean, what: string, { status, text }: FleetResponse): void {
    if (isWrong) this.wrong.push(`${what.slice(0, 200)}: ${status} ${text.slice(0, 300)}`);
  }
}

function describeQueries(shared: () => Shared): void {
  test("attacks in search, order, fields and IDs are refused or match no resource", async () => {
    const { user } = shared();
    const [check, problems] = [await unchangedCheck(user), new ResponseProblems()];
    const total = (await user.http.get(`${API_BASE}/resources`)).resources.total;
    for (const attack of ATTACKS) {
      const text = encodeURIComponent(attack.toWellFormed());
      for (const path of [
        `${API_BASE}/clusters?search=${text}`,
        `${API_BASE}/clusters?order=${text}`,
        `${API_BASE}/clusters?order=name%20${text}`,
        `${API_BASE}/clusters?fields=${text}`,
        `${API_BASE}/clusters?after=${text}`,
        `${API_BASE}/clusters?ref_type=${text}&ref_target_id=${text}`,
        `${API_BASE}/resources?kind=${text}`,
        `${API_BASE}/clusters/${text}`,
        `${API_BASE}/clusters/${text}/statuses`,
        `${API_BASE}/clusters/${text}/nodepools/${text}`,
        `${API_BASE}/audit?before=${text}&resource_id=${text}`,
      ]) {
        problems.take(path, await user.http.get(path));
      }
      // In quotes it is a plain value.
      const quoted = `name = '${attack.toWellFormed().replaceAll("'", "''")}' or labels.a = 'x' or spec.a = 'x'`;
      const found = problems.take(
        quoted,
        await user.http.get(`${API_BASE}/clusters?search=${encodeURIComponent(quoted)}`),
      );
      problems.when(found.status === 200 && found.resources.total > 0, `${quoted} matches a resource`, found);
    }
    expect(problems.wrong).toEqual([]);
    expect((await user.http.get(`${API_BASE}/resources`)).resources.total).toBe(total);
    await check();
  });

  test("attacks in headers are plain strings", async () => {
    const { user } = shared();
    const [check, problems] = [await unchangedCheck(user), new ResponseProblems()];
    const cluster = await user.cluster();
    for (const attack of ATTACKS.filter((each) => SENDABLE.test(each))) {
      const body = { kind: "Cluster", name: freshName(), spec: {} };
      problems.take(attack, await user.http.post(`${API_BASE}/clusters`, body, { "idempotency-key": attack }));
      for (const header of ["if-none-match", "last-event-id", "x-request-id", "traceparent", "accept-encoding"]) {
        problems.take(`${header} ${attack}`, await user.http.get(cluster.href, { [header]: attack }));
      }
      problems.take(attack, await user.http.patch(cluster.href, { spec: {} }, { "if-match": attack }));
    }
    expect(problems.wrong).toEqual([]);
    await check();
  });
}

function describeBodies(shared: () => Shared): void {
  test("attacks in names, labels, references and adapters are refused with the field", async () => {
    const { user } = shared();
    const [check, problems] = [await unchangedCheck(user), new ResponseProblems()];
    for (const attack of ATTACKS) {
      for (const [field, body] of [
        ["name", { name: attack }],
        ["kind", { kind: attack }],
        ["labels", { labels: Object.fromEntries([[attack, "x"]]) }],
        ["labels", { labels: { a: attack } }],
        ["references", { references: Object.fromEntries([[attack, [{ id: "x" }]]]) }],
        ["references", { references: { channel: [{ id: attack }] } }],
      ] as const) {
        const attackSpec = { kind: "Cluster", name: freshName(), spec: {}, ...body };
        problems.takeNamed(`${field} ${attack}`, await user.http.post(`${API_BASE}/clusters`, attackSpec), field);
      }
    }
    expect(problems.wrong).toEqual([]);
    await check();
  });

  test("attacks in data are returned unchanged or refused with the field", async () => {
    const { user } = shared();
    const [check, problems] = [await unchangedCheck(user), new ResponseProblems()];
    for (const attack of ATTACKS) {
      await attackSpec(user, attack, problems);
      await attackReport(user, attack, problems);
    }
    expect(problems.wrong).toEqual([]);
    expect(Object.keys(Object.prototype)).toEqual([]);
    await check();
  });
}

/** An attack in a spec, as key and as value. */
async function attackSpec(user: FleetUser, attack: string, problems: ResponseProblems): Promise<void> {
  const text = JSON.stringify(attack);
  const spec = `{"text":${text},${text}:{"deep":[${text}]}}`;
  const body = `{"kind":"Cluster","name":"${freshName()}","spec":${spec}}`;
  const response = problems.takeNamed(`spec ${attack}`, await user.http.post(`${API_BASE}/clusters`, body), "spec");
  if (response.status !== 201) return;
  const read = await user.http.get(response.resource.href);
  const isSame = deepEqual(read.resource.spec, JSON.parse(spec));
  problems.when(!isSame, `spec ${attack} is returned changed`, read);
}

/** An attack in a report: in its strings, in its data, and as the adapter name. */
async function attackReport(user: FleetUser, attack: string, problems: ResponseProblems): Promise<void> {
  const { id } = await user.cluster();
  const path = `${API_BASE}/clusters/${id}/statuses`;
  const text = { status: "True", reason: attack, message: attack };
  const conditions = ["Available", "Applied", "Health"].map((type) => ({ type, ...text }));
  const data = Object.fromEntries([[attack, attack]]);
  const response = problems.take(
    `data ${attack}`,
    await user.http.put(path, { ...reportBody("dns", 1, "", { conditions }), data }),
  );
  if (response.status === 201) {
    const isSame =
      JSON.stringify(response.reported.data) === JSON.stringify(data) &&
      response.reported.conditions.every(({ reason, message }) => reason === attack && message === attack);
    problems.when(!isSame, `data ${attack} is returned changed`, response);
  }
  const named = problems.takeNamed(
    `adapter ${attack}`,
    await user.http.put(path, reportBody(attack, 1, "True")),
    "adapter",
  );
  if (named.status === 201)
    problems.when(named.reported.adapter !== attack, `adapter ${attack} has another name`, named);
}

function describeSizes(shared: () => Shared): void {
  test("a body that is too large or too deep is refused, and the next request is served", async () => {
    const { user } = shared();
    const [check, problems] = [await unchangedCheck(user), new ResponseProblems()];
    const cluster = await user.cluster();
    const refused = await user.http.patch(cluster.href, { spec: { text: "x".repeat(8 * 2 ** 20) } });
    expect(refused.problemSummary).toBe("413 LMT-002");
    for (const depth of [200, 10_000, 100_000]) {
      const deep = `{"spec":{"a":${"[".repeat(depth)}${"]".repeat(depth)}}}`;
      problems.take(`depth ${depth}`, await user.http.patch(cluster.href, deep));
    }
    problems.take("open brackets", await user.http.patch(cluster.href, "[".repeat(100_000)));
    const labels = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`l${index}`, "x"]));
    problems.takeNamed("labels", await user.http.patch(cluster.href, { labels }), "labels");
    expect(problems.wrong).toEqual([]);
    await check();
  });

  test("a body in another encoding or of another type is refused", async () => {
    const { user } = shared();
    for (const [body, headers] of [
      [Buffer.from([0xff, 0xfe, 0x7b, 0x00]), {}],
      [Buffer.from('{"kind":"Cluster","name":"\u00ff\u00fe","spec":{}}', "latin1"), {}],
      ["{}", { "content-encoding": "gzip" }],
      ["a=b", { "content-type": "application/x-www-form-urlencoded" }],
    ] as const) {
      const response = await user.http.post(`${API_BASE}/clusters`, body, headers);
      expect([headers, response.status < 500, response.problem.status]).toEqual([headers, true, response.status]);
    }
  });
}
