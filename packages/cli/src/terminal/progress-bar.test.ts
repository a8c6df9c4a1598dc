import fc from "fast-check";
import { expect, test } from "vitest";
import { progressBar } from "./progress-bar.ts";

test.each([
  [0, 42, "░░░░░░░░░░"],
  [1, 1_000, "█░░░░░░░░░"],
  [21, 42, "█████░░░░░"],
  [41, 42, "█████████░"],
  [42, 42, "██████████"],
  [0, 0, "██████████"],
])("%i of %i is %s", (done, total, bar) => {
  expect(progressBar(done, total, 10)).toBe(bar);
});

test("a bar has its width, grows with progress, and is full only at 100 %", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 2, max: 60 }), (total, width) => {
      const filled = Array.from({ length: total + 1 }, (_, done) => {
        const bar = progressBar(done, total, width);
        expect(bar).toMatch(/^█*░*$/u);
        expect(bar).toHaveLength(width);
        return bar.indexOf("░") === -1 ? width : bar.indexOf("░");
      });
      expect(filled).toEqual(filled.toSorted((a, b) => a - b));
      expect(filled.filter((cells) => cells === width)).toHaveLength(1);
    }),
  );
});
