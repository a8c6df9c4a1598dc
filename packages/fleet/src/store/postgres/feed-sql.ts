import { POSTGRES_DIALECT } from "../dialect.ts";
import type { FeedSql } from "../sql-engine.ts";
import { resourceColumns, tenancyOf } from "../resource-row.ts";
import { Parameters, textIn } from "../sql-row.ts";

/** The oldest open transaction. All older transactions have ended. */
const HORIZON = "pg_snapshot_xmin(pg_current_snapshot())";
const POSITION = /^(\d{1,20})\.(\d{1,19})$/;

/**
 * The feed of PostgreSQL. A position is a transaction ID and a number in it. Readers stop at the oldest open
 * transaction, so that no later commit can precede a position already returned.
 */
export const POSTGRES_FEED: FeedSql = {
  end: `SELECT ${HORIZON}::text || '.0' AS position`,
  positionOf: (row) => textIn(row, "position"),
  changes: ({ scope, after, limit, kind }) => {
    const [, transaction, number] = POSITION.exec(after) ?? [];
    if (transaction === undefined || number === undefined) return undefined;
    if (BigInt(transaction) >= 2n ** 64n || BigInt(number) >= 2n ** 63n) return undefined;
    const parameters = new Parameters();
    const from = `(${parameters.add(transaction)}::text::xid8, ${parameters.add(number)}::text::bigint)`;
    const tenancy = tenancyOf(scope);
    const where = [
      `(x.transaction, x.number) > ${from}`,
      "x.transaction < m.horizon",
      ...(kind === undefined ? [] : [`x.kind = ${parameters.add(kind)}`]),
      ...(tenancy === undefined ? [] : [`x.tenancy = ${parameters.add(tenancy)}`]),
    ].join(" AND ");
    return {
      text: `SELECT m.horizon::text || '.0' AS end_position, m.is_expired,
          c.transaction::text || '.' || c.number AS position, c.gone, ${resourceColumns(POSTGRES_DIALECT)}
        FROM (
          SELECT ${HORIZON} AS horizon,
            ${from} < (expired_transaction, expired_number)
              OR ${parameters.add(transaction)}::text::xid8 > pg_snapshot_xmax(pg_current_snapshot()) AS is_expired
          FROM feed) m
        LEFT JOIN LATERAL (
          SELECT * FROM changes x WHERE ${where} ORDER BY x.transaction, x.number LIMIT ${parameters.add(limit)}) c ON true
        LEFT JOIN resources r ON r.id = c.resource_id ORDER BY c.transaction, c.number`,
      parameters: parameters.values,
    };
  },
  trim: [
    `UPDATE feed SET expired_transaction = c.transaction, expired_number = c.number
      FROM (SELECT transaction, number FROM changes WHERE removed_time < $1 ORDER BY transaction DESC, number DESC LIMIT 1) c
      WHERE (expired_transaction, expired_number) < (c.transaction, c.number)`,
    `DELETE FROM journal WHERE action = 'report' AND resource_id IN (SELECT resource_id FROM changes WHERE removed_time < $1)`,
    "DELETE FROM changes WHERE removed_time < $1",
  ],
};
