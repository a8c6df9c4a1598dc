import { expect, test } from "vitest";
import { campaign } from "./campaign.ts";

test("twenty thousand made-up requests neither break the server nor what it holds", { timeout: 60_000 }, async () => {
  const { failures, damage } = await campaign(20_000);
  expect(failures).toEqual([]);
  expect(damage).toEqual([]);
});
