import { deepEqual } from "@levelset/core";
import { expect, test } from "vitest";
import { ATTACKS } from "../fuzz/corpus.ts";
import { B } from "../http.ts";
import type { Answer } from "../http.ts";
import type { StartFleet } from "../running-fleet.ts";
import { freshName, reportBody } from "../user.ts";
import type { FleetUser } from "../user.ts";
import { describeOn } from "./suite.ts";
import type { Shared } from "./suite.ts";

/** Texts that may stand in a header. */
const SENDABLE = /^[\t\x20-\x7e\u0080-\u00ff]*$/u;

/** Texts that try to be code, in every place that takes a text: they are taken as texts, or refused by name. */
export function describeInjection(start: StartFleet): void {
  describeOn("injection", start, (shared) => {
    describeQueries(shared);
    describeBodies(shared);
    describeSizes(shared);
  });
}

/** A cluster that must be as it was afterwards. */
async function witness(user: FleetUser): Promise<() => Promise<void>> {
  const cluster = await user.cluster({ labels: { keep: "me" } });
  await user.report(cluster.id, "dns", 1, "True");
  const before = await user.read(cluster);
  return async () => expect(await user.read(cluster)).toEqual(before);
}

/** Notes what is wrong with answers: they blame the server, or refuse in another form than callers read. */
class Notes {
  readonly wrong: string[] = [];

  take(what: string, answer: Answer): Answer {
    const isProblem = answer.headers["content-type"]?.startsWith("application/problem+json") === true;
    const isFine = answer.status < 500 && isProblem === answer.status >= 400;
    this.when(!isFine, what, answer);
    return answer;
  }

  /** A refusal must name the field. */
  takeNamed(what: string, answer: Answer, field: string): Answer {
    this.take(what, answer);
    const said = answer.status < 400 ? field : `${answer.problem.detail} ${answer.complaints.join()}`;
    this.when(!said.includes(field), `${field} is not named: ${what}`, answer);
    return answer;
  }

  when(isWrong: boolean, what: string, { status, text }: Answer): void {
    if (isWrong) this.wrong.push(`${what.slice(0, 200)}: ${status} ${text.slice(0, 300)}`);
  }
}

function describeQueries(shared: () => Shared): void {
  test("attacks in search, order, fields and ids are refused or find nothing", async () => {
    const { user } = shared();
    const [check, notes] = [await witness(user), new Notes()];
    const total = (await user.http.get(`${B}/resources`)).resources.total;
    for (const attack of ATTACKS) {
      const text = encodeURIComponent(attack.toWellFormed());
      for (const path of [
        `${B}/clusters?search=${text}`,
        `${B}/clusters?order=${text}`,
        `${B}/clusters?order=name%20${text}`,
        `${B}/clusters?fields=${text}`,
        `${B}/clusters?after=${text}`,
        `${B}/clusters?ref_type=${text}&ref_target_id=${text}`,
        `${B}/resources?kind=${text}`,
        `${B}/clusters/${text}`,
        `${B}/clusters/${text}/statuses`,
        `${B}/clusters/${text}/nodepools/${text}`,
        `${B}/audit?before=${text}&resource_id=${text}`,
      ]) {
        notes.take(path, await user.http.get(path));
      }
      // In quotes it is a value like any other.
      const quoted = `name = '${attack.toWellFormed().replaceAll("'", "''")}' or labels.a = 'x' or spec.a = 'x'`;
      const found = notes.take(quoted, await user.http.get(`${B}/clusters?search=${encodeURIComponent(quoted)}`));
      notes.when(found.status === 200 && found.resources.total > 0, `${quoted} finds something`, found);
    }
    expect(notes.wrong).toEqual([]);
    expect((await user.http.get(`${B}/resources`)).resources.total).toBe(total);
    await check();
  });

  test("attacks in headers are texts", async () => {
    const { user } = shared();
    const [check, notes] = [await witness(user), new Notes()];
    const cluster = await user.cluster();
    for (const attack of ATTACKS.filter((each) => SENDABLE.test(each))) {
      const body = { kind: "Cluster", name: freshName(), spec: {} };
      notes.take(attack, await user.http.post(`${B}/clusters`, body, { "idempotency-key": attack }));
      for (const header of ["if-none-match", "last-event-id", "x-request-id", "traceparent", "accept-encoding"]) {
        notes.take(`${header} ${attack}`, await user.http.get(cluster.href, { [header]: attack }));
      }
      notes.take(attack, await user.http.patch(cluster.href, { spec: {} }, { "if-match": attack }));
    }
    expect(notes.wrong).toEqual([]);
    await check();
  });
}

function describeBodies(shared: () => Shared): void {
  test("attacks in names, labels, references and adapters are refused by the name of the field", async () => {
    const { user } = shared();
    const [check, notes] = [await witness(user), new Notes()];
    for (const attack of ATTACKS) {
      for (const [field, body] of [
        ["name", { name: attack }],
        ["kind", { kind: attack }],
        ["labels", { labels: Object.fromEntries([[attack, "x"]]) }],
        ["labels", { labels: { a: attack } }],
        ["references", { references: Object.fromEntries([[attack, [{ id: "x" }]]]) }],
        ["references", { references: { channel: [{ id: attack }] } }],
      ] as const) {
        const declared = { kind: "Cluster", name: freshName(), spec: {}, ...body };
        notes.takeNamed(`${field} ${attack}`, await user.http.post(`${B}/clusters`, declared), field);
      }
    }
    expect(notes.wrong).toEqual([]);
    await check();
  });

  test("attacks in data are data: they come back as they were sent, or are refused by the name of the field", async () => {
    const { user } = shared();
    const [check, notes] = [await witness(user), new Notes()];
    for (const attack of ATTACKS) {
      await declared(user, attack, notes);
      await reported(user, attack, notes);
    }
    expect(notes.wrong).toEqual([]);
    expect(Object.keys(Object.prototype)).toEqual([]);
    await check();
  });
}

/** An attack in a spec, as key and as value. */
async function declared(user: FleetUser, attack: string, notes: Notes): Promise<void> {
  const text = JSON.stringify(attack);
  const spec = `{"text":${text},${text}:{"deep":[${text}]}}`;
  const body = `{"kind":"Cluster","name":"${freshName()}","spec":${spec}}`;
  const answer = notes.takeNamed(`spec ${attack}`, await user.http.post(`${B}/clusters`, body), "spec");
  if (answer.status !== 201) return;
  const read = await user.http.get(answer.resource.href);
  const isSame = deepEqual(read.resource.spec, JSON.parse(spec));
  notes.when(!isSame, `spec ${attack} comes back as another one`, read);
}

/** An attack in a report: in its texts, in its data, and as the name of its adapter. */
async function reported(user: FleetUser, attack: string, notes: Notes): Promise<void> {
  const { id } = await user.cluster();
  const path = `${B}/clusters/${id}/statuses`;
  const said = { status: "True", reason: attack, message: attack };
  const conditions = ["Available", "Applied", "Health"].map((type) => ({ type, ...said }));
  const data = Object.fromEntries([[attack, attack]]);
  const answer = notes.take(
    `data ${attack}`,
    await user.http.put(path, { ...reportBody("dns", 1, "", { conditions }), data }),
  );
  if (answer.status === 201) {
    const isSame =
      JSON.stringify(answer.reported.data) === JSON.stringify(data) &&
      answer.reported.conditions.every(({ reason, message }) => reason === attack && message === attack);
    notes.when(!isSame, `data ${attack} comes back as another one`, answer);
  }
  const named = notes.takeNamed(
    `adapter ${attack}`,
    await user.http.put(path, reportBody(attack, 1, "True")),
    "adapter",
  );
  if (named.status === 201) notes.when(named.reported.adapter !== attack, `adapter ${attack} is another one`, named);
}

function describeSizes(shared: () => Shared): void {
  test("a body that is too large or too deep is refused, and the next request is served", async () => {
    const { user } = shared();
    const [check, notes] = [await witness(user), new Notes()];
    const cluster = await user.cluster();
    const refused = await user.http.patch(cluster.href, { spec: { text: "x".repeat(8 * 2 ** 20) } });
    expect(refused.refusal).toBe("413 LMT-002");
    for (const depth of [200, 10_000, 100_000]) {
      const deep = `{"spec":{"a":${"[".repeat(depth)}${"]".repeat(depth)}}}`;
      notes.take(`depth ${depth}`, await user.http.patch(cluster.href, deep));
    }
    notes.take("open brackets", await user.http.patch(cluster.href, "[".repeat(100_000)));
    const labels = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`l${index}`, "x"]));
    notes.takeNamed("labels", await user.http.patch(cluster.href, { labels }), "labels");
    expect(notes.wrong).toEqual([]);
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
      const answer = await user.http.post(`${B}/clusters`, body, headers);
      expect([headers, answer.status < 500, answer.problem.status]).toEqual([headers, true, answer.status]);
    }
  });
}
