import { expect, test } from "vitest";
import { runCampaign } from "./campaign.ts";

test("twenty thousand generated requests neither break the server nor corrupt its data", async () => {
  const { failures, corruption } = await runCampaign(20_000);
  expect(failures).toEqual([]);
  expect(corruption).toEqual([]);
});
