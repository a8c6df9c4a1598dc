import { expect, test } from "vitest";
import { ReportWitness } from "./report-witness.ts";

const URL = "http://fleet.invalid/api/hyperfleet/v1/clusters/c-1";
const OK = new Response("{}");

async function show(witness: ReportWitness, generation: number): Promise<void> {
  await witness.observe("clusters/dns", new Request(URL), Response.json({ id: "c-1", generation }));
}

async function report(witness: ReportWitness, generation: number, states: object = {}): Promise<void> {
  const conditions = Object.entries(states).map(([type, status]) => ({ type, status: String(status) }));
  const body = JSON.stringify({ adapter: "dns", observed_generation: generation, conditions });
  await witness.observe("clusters/dns", new Request(`${URL}/statuses`, { method: "PUT", body }), OK);
}

test("a report must be about a generation that its adapter was shown", async () => {
  const witness = new ReportWitness();
  await show(witness, 1);
  await report(witness, 1);
  expect(witness.violation).toBeUndefined();
  await report(witness, 2);
  expect(witness.violation).toBe("clusters/dns reports generation 2, and has seen 1 only");
});

test("accepted reports count for their own generation", async () => {
  const witness = new ReportWitness();
  await show(witness, 2);
  await report(witness, 1, { Available: "True" });
  expect(witness.withoutAvailable("c-1", 2, ["dns"])).toEqual(["dns"]);
  expect(witness.withoutAvailable("c-1", 1, ["dns", "other"])).toEqual(["other"]);
});

test("a report of progress finalizes nothing", async () => {
  const witness = new ReportWitness();
  await show(witness, 2);
  await report(witness, 2, { Available: "Unknown", Finalized: "True" });
  expect(witness.withoutFinalized("c-1", 2, ["dns"])).toEqual(["dns"]);
  await report(witness, 2, { Available: "False", Finalized: "True" });
  expect(witness.withoutFinalized("c-1", 2, ["dns"])).toEqual([]);
});
