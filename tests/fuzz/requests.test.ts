import { expect, test } from "vitest";
import { campaign } from "./campaign.ts";

test("a thousand made-up requests neither break the server nor what it holds", async () => {
  const { failures, damage, codes } = await campaign(1000);
  expect(failures).toEqual([]);
  expect(damage).toEqual([]);
  // The requests are not all nonsense: some read, some create, some change, some are refused for their content.
  for (const code of [200, 201, 400, 404, 422]) expect(codes.get(code) ?? 0).toBeGreaterThan(10);
});
