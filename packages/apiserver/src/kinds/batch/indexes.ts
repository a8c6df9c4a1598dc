/** Index sets of a Job, such as `1,3-5`. */

/** Returns the problem of an index set for the given completions; undefined if it is valid. */
export function indexesProblem(text: string, completions: number): string | undefined {
  if (text === "") return undefined;
  let last: number | undefined;
  for (const interval of text.split(",")) {
    const limits = interval.split("-");
    if (limits.length > 2)
      return `the fragment ${interval} violates the requirement that an index interval can have at most two parts separated by '-'`;
    const numbers = limits.map(Number);
    const bad = limits.find((limit) => !/^[0-9]+$/u.test(limit));
    if (bad !== undefined) return `cannot convert string to integer for index: "${bad}"`;
    const [first = 0, end = first] = numbers;
    const tooLarge = numbers.find((number) => number >= completions);
    if (tooLarge !== undefined) return `too large index: "${tooLarge}"`;
    if (limits.length === 2 && first >= end) return `non-increasing order, previous: ${first}, current: ${end}`;
    if (last !== undefined && last >= first) return `non-increasing order, previous: ${last}, current: ${first}`;
    last = end;
  }
  return undefined;
}
