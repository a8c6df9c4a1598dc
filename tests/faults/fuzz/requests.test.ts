import { expect, test } from "vitest";
import { runCampaign } from "./campaign.ts";

test("a thousand generated requests neither break the server nor corrupt its data", async () => {
  const { failures, corruption, codes } = await runCampaign(1000);
  expect(failures).toEqual([]);
  expect(corruption).toEqual([]);
  // Some requests succeed, and some fail validation, so the generator covers more than malformed requests.
  for (const code of [200, 201, 400, 404, 422]) expect(codes.get(code) ?? 0).toBeGreaterThan(10);
});
