import { SQLITE_DIALECT } from "../dialect.ts";
import type { FeedSql } from "../sql-engine.ts";
import { resourceColumns, tenancyOf } from "../resource-row.ts";
import { integerIn, Parameters } from "../sql-row.ts";

/** The feed of SQLite. There is a single writer, so a number is a position. */
export const SQLITE_FEED: FeedSql = {
  end: "SELECT position FROM feed",
  positionOf: (row) => String(integerIn(row, "position")),
  changes: ({ scope, after, limit, kind }) => {
    const position = /^\d{1,15}$/.test(after) ? Number(after) : undefined;
    if (position === undefined) return undefined;
    const parameters = new Parameters();
    const from = parameters.add(position);
    const tenancy = tenancyOf(scope);
    const where = [
      `position > ${from}`,
      ...(kind === undefined ? [] : [`kind = ${parameters.add(kind)}`]),
      ...(tenancy === undefined ? [] : [`tenancy = ${parameters.add(tenancy)}`]),
    ].join(" AND ");
    return {
      text: `SELECT CAST(feed.position AS TEXT) AS end_position, ${from} < feed.expired OR ${from} > feed.position AS is_expired,
          CAST(c.position AS TEXT) AS position, c.gone, ${resourceColumns(SQLITE_DIALECT)}
        FROM feed
        LEFT JOIN (SELECT * FROM changes WHERE ${where} ORDER BY position LIMIT ${parameters.add(limit)}) c ON true
        LEFT JOIN resources r ON r.id = c.resource_id ORDER BY c.position`,
      parameters: parameters.values,
    };
  },
  trim: [
    `UPDATE feed SET expired = max(expired, coalesce((SELECT max(position) FROM changes WHERE removed_time < $1), 0))`,
    `DELETE FROM journal WHERE action = 'report' AND resource_id IN (SELECT resource_id FROM changes WHERE removed_time < $1)`,
    `DELETE FROM changes WHERE removed_time < $1`,
  ],
};
